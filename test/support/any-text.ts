/** Strings of any code points. */
import fc, { type StringConstraints } from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const textOf = (index: number) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates);

function indexOf(text: unknown): number {
  const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
  const index = code < firstSurrogate ? code : Math.max(firstSurrogate, code - surrogates);
  if (code < 0 || textOf(index) !== text) throw new Error('Not a single code point.');
  return index;
}

/**
 * The code points of `unit: 'binary'`. To check membership, fast-check's own unit builds a map of all 1.1 million in
 * each process.
 */
const codePoint = fc.nat({ max: 0x10ffff - surrogates }).map(textOf, indexOf);

export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
