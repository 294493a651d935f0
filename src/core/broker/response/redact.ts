/**
 * Removes this program's secrets from incoming text, because a service or a proxy may repeat what it was sent. The
 * transport does this before a response is parsed, stored, returned or logged.
 */

import { nextTurn } from '../../next-turn.ts';
import { isJson } from '../../text/json.ts';
import { stripUnseen } from '../../text/sanitize-text.ts';
import { findDisguised } from './disguised-secrets.ts';
import { endOfString } from './exact-json.ts';

/** Shorter values are not treated as secrets, because hiding them would damage ordinary text and numbers. */
const minSecretLength = 6;

export interface Redactor {
  /** Redacts plain text, such as CSV or a header. Returns the same text if it contains no secret. */
  text(text: string): string;
  /** Redacts a long text of lines, with a pause after each part. */
  file(text: string): Promise<string>;
  /** Redacts the text of a response that may be JSON, in which a secret can also be written with escapes. */
  body(text: string): string;
}

/**
 * Creates a redactor. It finds each secret raw, in Base64 (padded or not, URL form, alone or within a longer text),
 * in hexadecimal and percent-encoded; in upper and lower case; with invisible characters inside; and disguised
 * (`disguised-secrets.ts`). Pass a key and
 * its secret separately and as `key:secret`, and a key without a secret alone. Secrets under 6 characters are
 * ignored.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= minSecretLength);
  // Longest first, because one form can be part of another.
  const forms = known.flatMap((secret) => listForms(secret as string)).sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return { text: (text) => text, file: async (text) => text, body: (text) => text };
  const disguised = findDisguised(known as string[]);
  const words = [...new Set(forms.map(({ text }) => folded(text)))];
  const shortest = Math.min(...words.map(({ length }) => length));
  const pattern = new RegExp(forms.map(({ source }) => source).join('|'), 'gi');

  const hasWord = (text: string) => {
    const bytes = folded(text);
    return words.some((word) => bytes.includes(word));
  };
  const mayHold = (text: string) => {
    const bare = decoded(stripUnseen(text));
    return hasWord(text) || (bare !== text && hasWord(bare)) || disguised.isIn(bare);
  };

  const replaceForms = (text: string): string => {
    const seen = stripUnseen(text);
    const shown = seen.replace(pattern, hidden);
    const plain = decoded(shown);
    const redactedPlain = plain.replace(pattern, hidden);
    if (redactedPlain !== plain) return redactedPlain;
    return shown === seen ? text : shown;
  };
  const replace = (text: string): string => {
    const shown = replaceForms(text);
    return disguised.isIn(decoded(shown)) ? disguised.hide(shown, hidden) : shown;
  };
  const replaceInJson = (text: string): string => {
    // Without disguised text, one pass finds all secrets. If it replaced digits of a number, the result is no JSON
    // and the slow path is used.
    const shown = decoded(stripUnseen(text)) === text ? text.replace(pattern, hidden) : text;
    return shown !== text && isJson(shown) && !needsReading.test(text) && !disguised.isIn(shown)
      ? shown
      : replaceStrings(text, (value) => (value.length < shortest ? value : replace(value)));
  };

  const redactText = (text: string) => (mayHold(text) ? replace(text) : text);
  return {
    text: redactText,
    file: async (text) => {
      const parts: string[] = [];
      for (const part of splitLines(text)) {
        parts.push(redactText(part));
        await nextTurn();
      }
      return parts.join('');
    },
    body: (text) => {
      const plain = needsReading.test(text) ? withoutEscapes(text) : text;
      // The body is nested too deeply for any parser here.
      if (plain === undefined) return '';
      if (!mayHold(text) && (plain === text || !mayHold(plain))) return text;
      return isJson(text) ? replaceInJson(text) : replace(text);
    },
  };
}

const hidden = '(hidden)';

/** A part of a file has about this many characters; redacting it takes a few milliseconds. */
const partLength = 256 * 1024;

/** Splits a text after line ends. A line that is longer than a part is split anywhere: no file of rows has one. */
function* splitLines(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.slice(from + partLength, from + 2 * partLength).search(/[\r\n]/);
    const to = from + partLength + lineEnd + 1;
    yield text.slice(from, to);
    from = to;
  }
}
const percent = /%[0-9a-f]{2}/i;
/** Decodes percent signs to one character per byte, so that no byte sequence is invalid. */
const decoded = (text: string): string => (percent.test(text) ? unescape(text) : text);
/**
 * Lower-cases the text and keeps only the low byte of each character. This finds too much but never too little, in
 * a tenth of the time.
 */
const folded = (text: string): string => Buffer.from(text, 'latin1').toString('latin1').toLowerCase();
/** Ordinary responses escape only quotes. */
const needsReading = /\\[^"]/;

interface Form {
  /** Text that must be present for the pattern to match, as a fast check. */
  readonly text: string;
  readonly source: string;
}

function listForms(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const literal = (text: string): Form => ({ text, source: escapePattern(text) });
  // Digits within a longer number are another number.
  const raw = /^\d+$/.test(secret) ? { text: secret, source: `(?<!\\d)${secret}(?!\\d)` } : literal(secret);
  const runs = [0, 1, 2].flatMap((offset) => {
    const run = base64Run(bytes, offset);
    return [...new Set([run, run.replace(/\+/g, '-').replace(/\//g, '_')])].map((text) => ({
      text,
      // The rest of the last Base64 group belongs to the match.
      source: `${escapePattern(text)}[\\w+/-]?={0,2}`,
    }));
  });
  // Percent-encoded bytes were decoded to one character per byte.
  const others = [bytes.toString('hex'), bytes.toString('latin1'), JSON.stringify(secret).slice(1, -1)];
  return [raw, ...others.filter((text) => text !== secret).map(literal), ...runs];
}

/** The Base64 characters that depend on these bytes only, if `offset` other bytes precede them in a group. */
function base64Run(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  return text.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1);
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The JSON text with its escapes resolved; the text itself if it is not JSON; undefined if it is nested too deeply. */
function withoutEscapes(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text)).replace(/\\(?:u[0-9a-f]{4}|[bfnrt])/g, '');
  } catch (error) {
    return error instanceof RangeError ? undefined : text;
  }
}

/** Applies `replace` to every string of a JSON text, including field names; numbers keep their digits. */
function replaceStrings(text: string, replace: (text: string) => string): string {
  const pieces: string[] = [];
  let copiedTo = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', copiedTo)) {
    const end = endOfString(text, at);
    const value = JSON.parse(text.slice(at, end)) as string;
    const replaced = replace(value);
    pieces.push(text.slice(copiedTo, at), replaced === value ? text.slice(at, end) : JSON.stringify(replaced));
    copiedTo = end;
  }
  // The rest consists of numbers and brackets.
  return pieces.join('') + text.slice(copiedTo);
}
