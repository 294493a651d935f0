/**
 * Keeps our own secrets out of everything that comes from outside: a service or a proxy may repeat what it was
 * sent. The transport replaces them before an answer is read, kept, told or logged.
 */
import { stripUnseen } from '../../sanitize-text.ts';
import { endOfString } from './exact-json.ts';

/** Shorter ones are no secrets, and hiding them would make holes into ordinary words and numbers. */
const minSecretLength = 6;

export interface Redactor {
  /** Plain text, such as CSV or a header. The same text when no secret is in it. */
  text(text: string): string;
  /** The text of an answer that may be JSON, where a secret can also be written with escapes. */
  body(text: string): string;
}

/**
 * Finds each secret raw, in Base64 (padded or not, URL form, alone or within a longer text), in hexadecimal and
 * percent-encoded; in upper and lower case; and with invisible characters inside. A key and its secret are given
 * one by one and as `key:secret`, a key that has no secret by itself. Secrets under 6 characters are not searched for.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const known = secrets.filter((secret) => secret !== undefined && secret.length >= minSecretLength);
  // The longest first: one may be a part of another.
  const forms = known.flatMap((secret) => listForms(secret as string)).sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return { text: (text) => text, body: (text) => text };
  const words = [...new Set(forms.map(({ text }) => folded(text)))];
  const shortest = Math.min(...words.map(({ length }) => length));
  const pattern = new RegExp(forms.map(({ source }) => source).join('|'), 'gi');

  const hasWord = (text: string) => {
    const bytes = folded(text);
    return words.some((word) => bytes.includes(word));
  };
  const mayHold = (text: string) => {
    const bare = decoded(stripUnseen(text));
    return hasWord(text) || (bare !== text && hasWord(bare));
  };

  const replace = (text: string): string => {
    const seen = stripUnseen(text);
    const shown = seen.replace(pattern, hidden);
    const plain = decoded(shown);
    const redactedPlain = plain.replace(pattern, hidden);
    if (redactedPlain !== plain) return redactedPlain;
    return shown === seen ? text : shown;
  };
  const replaceInJson = (text: string): string => {
    // Where nothing is disguised, one pass finds all; it may meet digits that are a number, and then it was wrong.
    const shown = decoded(stripUnseen(text)) === text ? text.replace(pattern, hidden) : text;
    return shown !== text && isJson(shown) && !needsReading.test(text)
      ? shown
      : replaceStrings(text, (value) => (value.length < shortest ? value : replace(value)));
  };

  return {
    text: (text) => (mayHold(text) ? replace(text) : text),
    body: (text) => {
      const plain = needsReading.test(text) ? withoutEscapes(text) : text;
      // Nested so deep that nothing else here can read it either.
      if (plain === undefined) return '';
      if (!mayHold(text) && (plain === text || !mayHold(plain))) return text;
      return isJson(text) ? replaceInJson(text) : replace(text);
    },
  };
}

const hidden = '(hidden)';
const percent = /%[0-9a-f]{2}/i;
/** One character a byte, whatever bytes they are: nothing here is malformed. */
const decoded = (text: string): string => (percent.test(text) ? unescape(text) : text);
/** Case and all but the low byte of each character left out: it finds too much and never too little, in a tenth of the time. */
const folded = (text: string): string => Buffer.from(text, 'latin1').toString('latin1').toLowerCase();
/** Quotes are escaped in honest answers; nothing else need be. */
const needsReading = /\\[^"]/;

interface Form {
  /** Where one of these is not, the pattern matches nothing. */
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
      // The rest of its last group belongs to it.
      source: `${escapePattern(text)}[\\w+/-]?={0,2}`,
    }));
  });
  // What percent signs become is read as one character a byte.
  const others = [bytes.toString('hex'), bytes.toString('latin1'), JSON.stringify(secret).slice(1, -1)];
  return [raw, ...others.filter((text) => text !== secret).map(literal), ...runs];
}

/** The characters of Base64 that these bytes alone decide, when `offset` other bytes stand before them in a group. */
function base64Run(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  return text.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1);
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The JSON text with its escapes read; the text itself when it is no JSON; undefined when it is nested too deep. */
function withoutEscapes(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text)).replace(/\\(?:u[0-9a-f]{4}|[bfnrt])/g, '');
  } catch (error) {
    return error instanceof RangeError ? undefined : text;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON text in which every string, names of fields included, is what `replace` makes of it; numbers keep their digits. */
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
  // What is left are numbers and brackets.
  return pieces.join('') + text.slice(copiedTo);
}
