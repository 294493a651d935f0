/** Finds figures in what a model writes: thousands separators, currency signs, minus signs of every kind. */
import Big from 'big.js';

interface Written {
  readonly value: Big;
  /** Where the number begins in the text. */
  readonly at: number;
}

/** Space, no-break space, narrow and thin space, and apostrophes. */
const gap = "[ \\u00a0\\u202f\\u2009'\\u2019]";
const forms = [
  // 1,234.50
  '\\d{1,3}(?:,\\d{3})+(?!\\d)(?:\\.\\d+)?',
  // 1 234.50 and 1 234,50
  `\\d{1,3}(?:${gap}\\d{3})+(?!\\d)(?:[.,]\\d+)?`,
  // 1.234,50
  '\\d{1,3}(?:\\.\\d{3})+(?!\\d)(?:,\\d{1,2})?',
  '\\d+(?:[.,]\\d+)?',
];
const minus = '[-\\u2212\\u2013]';
/** A minus comes before the currency sign or after it; accountants write brackets. */
const pattern = new RegExp(`(${minus}|\\()?\\s?(?:[£$€]|GBP|USD|EUR)?\\s?(${minus})?(${forms.join('|')})`, 'g');

/** Every number in the text, in each reading that it allows: "1.234" is a thousand here and a decimal there. */
export function numbersIn(text: string): Written[] {
  return [...text.matchAll(pattern)].flatMap(({ 1: before, 2: after, 3: digits = '', index }) => {
    const isNegative = before !== undefined || after !== undefined;
    const { whole, beside = [] } = readingsOf(digits);
    return [
      ...whole.map((reading) => ({ value: isNegative ? new Big(reading).neg() : new Big(reading), at: index })),
      ...beside.map((reading) => ({ value: new Big(reading), at: index })),
    ];
  });
}

/** What the digits may mean together, and the separate numbers beside the first one. */
function readingsOf(digits: string): { readonly whole: readonly string[]; readonly beside?: readonly string[] } {
  const [first = '', ...others] = digits.split(new RegExp(gap)).map((piece) => piece.replace(/,(?!\d{3})/, '.'));
  if (others.length > 0) return { whole: [[first, ...others].join(''), first], beside: others };
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) return { whole: [digits.replaceAll(',', '')] };
  if (/^\d{1,3}(\.\d{3})+(,\d+)?$/.test(digits)) {
    const european = digits.replaceAll('.', '').replace(',', '.');
    return { whole: /^\d+\.\d+$/.test(digits) ? [european, digits] : [european] };
  }
  return { whole: [digits.replace(',', '.')] };
}

const lossWords = /\b(loss(es)?|lost|lose|losing|down|minus|negative|fell|fallen|drop(ped)?|behind|declined?)\b/i;
const costWords = /cost|fee|charge|paid|taken|withdr/i;
const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text);

/**
 * Whether the text has this figure, to the penny. A value that is no number is searched for literally, in either case.
 */
export function saysFigure(text: string, name: string, expected: string): boolean {
  if (!isDecimal(expected)) return text.toLowerCase().includes(expected.toLowerCase());
  const wanted = new Big(expected);
  const tolerance = name.endsWith('Percent') ? '0.05' : '0';
  return numbersIn(text).some(({ value, at }) => {
    if (value.minus(wanted).abs().lte(tolerance)) return true;
    if (value.abs().minus(wanted.abs()).abs().gt(tolerance)) return false;
    // "a loss of £12.30" says -12.30, and "fees: -£12.30" says what was paid.
    return (wanted.lt(0) ? lossWords : costWords).test(text.slice(Math.max(0, at - 60), at + 60));
  });
}
