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

export interface DisguisedSecrets {
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
