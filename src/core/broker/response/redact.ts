/**
 * Removes this program's secrets from incoming text, because a service or a proxy may repeat what it was sent. The
 * transport does this before a response is parsed, stored, returned or logged.
 */

import { nextTurn } from '../../next-turn.ts';
import { isJson } from '../../text/json.ts';
import { stripUnseen } from '../../text/sanitize-text.ts';
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
 * in hexadecimal and percent-encoded; in upper and lower case; with invisible characters inside; and disguised (see
 * `findDisguised`). Pass a key and its secret separately and as `key:secret`, and a key without a secret alone.
 * Secrets under 6 characters are ignored.
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

/**
 * Finds secrets that a service repeats in disguise: with separators between the characters, in full-width or other
 * compatible letters, as HTML entities, or reversed. Only letters and digits are compared, in lower case.
 */

/** Shorter secrets, and those without a letter, would match ordinary text once its separators are gone. */
const minLength = 8;

/** A longer text with a secret is hidden completely, because each character of it would need its place in memory. */
const longestText = 1_000_000;

/** A quick test for characters that NFKC turns into ASCII letters or digits; it also matches half of some pairs. */
export const mayBeCompatible =
  /[\xaa\xb2\xb3\xb9\xba\xbc-\xbe\u0132-\u017f\u01c4-\u01f3\u02b0-\u02e3\u1d2c-\u1dbf\u1e9a\u1e9b\u2070-\u209f\u20a8\u2100-\u218b\u2460-\u24ff\u2c7c\u2c7d\u3250-\u33ff\ua7f1-\ua7f4\ufb00-\ufb06\uff10-\uff5a\ud801\ud833\ud835\ud83b-\ud83e]/;

const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|[a-z][\da-z]{1,30});/gi;
const token = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,30});|%[\da-f]{2}|[\s\S]/giu;
const maxCodePoint = 0x10_ff_ff;

/** The lower-case code of an ASCII letter or digit; 0 for anything else. */
const lowerCodes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z\d]/.test(character) ? character.charCodeAt(0) : 0;
});

/** The ASCII letters and digits of a text, in lower case. Runs in time linear in the text. */
function squash(text: string): string {
  const decoded = text.includes('&') ? text.replace(entity, decodeEntity) : text;
  const plain = mayBeCompatible.test(decoded) ? decoded.normalize('NFKC') : decoded;
  const codes = Buffer.allocUnsafe(plain.length);
  let length = 0;
  for (let at = 0; at < plain.length; at++) {
    const code = plain.charCodeAt(at);
    const lower = code < 128 ? (lowerCodes[code] as number) : 0;
    if (lower !== 0) codes[length++] = lower;
  }
  return codes.toString('latin1', 0, length);
}

/** The character of an entity. A named one is a sign or an accented letter, and neither is compared. */
function decodeEntity(_: string, decimal: string | undefined, hexadecimal: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= maxCodePoint ? String.fromCodePoint(code) : '';
}

interface DisguisedSecrets {
  /** Whether the text contains one of the secrets in disguise, or undisguised. */
  isIn(text: string): boolean;
  /** The text with `replacement` for each of them. */
  hide(text: string, replacement: string): string;
}

export function findDisguised(secrets: readonly string[]): DisguisedSecrets {
  const squashed = secrets.map(squash).filter((secret) => secret.length >= minLength && /[a-z]/.test(secret));
  const needles = [...new Set(squashed.flatMap((secret) => [secret, [...secret].reverse().join('')]))];
  if (needles.length === 0) return { isIn: () => false, hide: (text) => text };
  return {
    isIn: (text) => {
      const characters = squash(text);
      return needles.some((needle) => characters.includes(needle));
    },
    hide: (text, replacement) =>
      text.length > longestText ? replacement : replaceRanges(text, findRanges(text, needles), replacement),
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The parts of the text whose letters and digits are a needle, in order; they can overlap. */
function findRanges(text: string, needles: readonly string[]): Range[] {
  const [starts, ends]: [number[], number[]] = [[], []];
  let characters = '';
  for (const { 0: piece, index } of text.matchAll(token)) {
    const percent = piece.length === 3 && piece.startsWith('%');
    const found = squash(percent ? String.fromCharCode(Number.parseInt(piece.slice(1), 16)) : piece);
    for (let count = 0; count < found.length; count++) {
      starts.push(index);
      ends.push(index + piece.length);
    }
    characters += found;
  }
  const ranges = needles.flatMap((needle) => {
    const found: Range[] = [];
    for (let at = characters.indexOf(needle); at !== -1; at = characters.indexOf(needle, at + 1)) {
      found.push({ from: starts[at] as number, to: ends[at + needle.length - 1] as number });
    }
    return found;
  });
  return ranges.sort((a, b) => a.from - b.from);
}

function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  let result = '';
  let copied = 0;
  for (const { from, to } of ranges) {
    if (from >= copied) result += text.slice(copied, from) + replacement;
    copied = Math.max(copied, to);
  }
  return result + text.slice(copied);
}
