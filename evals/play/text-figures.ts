/** Finding figures in what a model writes: thousands separators, currency signs, minus signs of every kind. */
import Big from 'big.js';

interface Written {
  readonly value: Big;
  /** Where the number begins in the text. */
  readonly at: number;
}

const spaces = '\\u0020\\u00a0\\u202f\\u2009';
/** A minus may stand before the currency sign or after it; accountants write brackets. */
const pattern = new RegExp(
  `([-\\u2212\\u2013(]\\s?)?(?:[£$€]|GBP|USD|EUR)?\\s?([-\\u2212])?(\\d{1,3}(?:[,'\\u2019${spaces}]\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})+,\\d{1,2}|\\d+(?:[.,]\\d+)?)`,
  'g',
);

/** Every number in the text, in each reading that it allows: "1.234" is a thousand here and a decimal there. */
export function numbersIn(text: string): Written[] {
  const found: Written[] = [];
  for (const match of text.matchAll(pattern)) {
    const [, before, after, digits = ''] = match;
    const isNegative = after !== undefined || (before !== undefined && before.trim() !== '');
    for (const reading of readings(digits)) {
      const value = new Big(reading);
      found.push({ value: isNegative ? value.neg() : value, at: match.index });
    }
  }
  return found;
}

function readings(digits: string): string[] {
  const plain = digits.replace(new RegExp(`[,'\\u2019${spaces}](?=\\d{3})`, 'g'), '');
  if (/^\d+(\.\d+)?$/.test(plain)) {
    // A comma before three digits can be a decimal one, and a point a thousands separator.
    return [...new Set([plain, ...(/^\d{1,3}\.\d{3}$/.test(digits) ? [digits.replace('.', '')] : [])])];
  }
  return [digits.replaceAll('.', '').replace(',', '.')];
}

const lossWords = /\b(loss(es)?|lost|lose|losing|down|minus|negative|fell|fallen|drop(ped)?|behind|decline[ds]?)\b/i;
const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text);

/** Whether the text has this figure, to the penny; text is looked for as it stands, in either case. */
export function saysFigure(text: string, name: string, expected: string): boolean {
  if (!isDecimal(expected)) return text.toLowerCase().includes(expected.toLowerCase());
  const wanted = new Big(expected);
  const tolerance = name.endsWith('Percent') ? '0.05' : '0';
  return numbersIn(text).some(({ value, at }) => {
    if (value.minus(wanted).abs().lte(tolerance)) return true;
    // "a loss of £12.30" says -12.30, and "fees: -£12.30" says what was paid.
    const sameSize = value.abs().minus(wanted.abs()).abs().lte(tolerance);
    if (!sameSize) return false;
    return wanted.lt(0)
      ? lossWords.test(text.slice(Math.max(0, at - 60), at + 60))
      : /cost|fee|charge|paid|taken|withdr/i.test(text);
  });
}
