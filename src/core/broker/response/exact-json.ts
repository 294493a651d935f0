/**
 * Parses JSON without losing digits. `JSON.parse` turns every number into a double with 15 reliable significant
 * digits, so a longer id or price would silently change. If the text has such a number or an exponent, all its
 * numbers are quoted first and become strings with exactly the digits sent; otherwise plain `JSON.parse` is used,
 * which is fastest. A number longer than any amount becomes `unreadableNumber`, which no field accepts as a number.
 */
import { maxNumberLength } from '../../endpoints/decimal.ts';

/** Replaces a number that is too long. It is text, so that it cannot be taken for zero. */
const unreadableNumber = 'unreadable number';

/** A value that starts with 16 digits (or 15 and a point), or has an exponent. A match inside a string is harmless. */
const lossyNumber = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/**
 * Returns the parsed value, in which numbers are either all numbers or all strings. Throws a SyntaxError if the
 * text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(lossyNumber.test(text) ? quoteNumbers(text) : text);
  // The second pattern is the same key with an escaped underscore.
  if (text.includes('__proto__') || /\\u005f/i.test(text)) dropProtoKeys(value);
  return value;
}

/** One pass without backtracking, so that an unterminated string or a million brackets cost linear time. */
function quoteNumbers(text: string): string {
  let quoted = '';
  let copiedTo = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      at = endOfString(text, at);
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      const end = endOfNumber(text, at);
      const number = end - at > maxNumberLength ? unreadableNumber : text.slice(at, end);
      if (end > at) quoted += `${text.slice(copiedTo, at)}"${number}"`;
      if (end > at) copiedTo = end;
      at = Math.max(end, at + 1);
    } else {
      at += 1;
    }
  }
  return quoted + text.slice(copiedTo);
}

/** The index after the string that starts at `start`, including its quotes. */
export function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

/**
 * The end of the number at `start`; returns `start` if quoting it would make invalid JSON valid. Accepts exactly
 * JSON's numbers and leaves anything else for JSON.parse to reject. Written by hand, because a regular expression
 * would store a backtracking position for every digit and blank, and millions of them exhaust its memory.
 */
function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  let end = text.charCodeAt(first) === zero ? first + 1 : endOfDigits(text, first);
  if (end === first) return start;
  if (text.charCodeAt(end) === point) end = endOfPart(text, end, end + 1);
  if (isExponent(text.charCodeAt(end)))
    end = endOfPart(text, end, isSign(text.charCodeAt(end + 1)) ? end + 2 : end + 1);
  // `{1: 2}` is invalid JSON, but `{"1": "2"}` would be valid.
  let next = end;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return text.charCodeAt(next) === colon ? start : end;
}

const [minus, point, zero, colon] = [0x2d, 0x2e, 0x30, 0x3a];
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isBlank = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
const isExponent = (code: number) => code === 0x65 || code === 0x45;
const isSign = (code: number) => code === 0x2b || code === minus;

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** A fraction or an exponent needs a digit; without one the number ends before it. */
function endOfPart(text: string, before: number, digits: number): number {
  const end = endOfDigits(text, digits);
  return end === digits ? before : end;
}

/** Removes keys named `__proto__`. They are harmless here, but dangerous for code that copies the object later. */
function dropProtoKeys(root: unknown): void {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    Reflect.deleteProperty(value, '__proto__');
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
}
