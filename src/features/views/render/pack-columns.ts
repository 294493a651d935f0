/** The columns of the tables of a tax pack: which of the file's a reader needs, and each value in words. */
import { formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { type Fields, humanize, readName, toDecimal, toText } from '../model/read-answer.ts';
import {
  type FormatOptions,
  formatCountry,
  formatDay,
  formatMoney,
  formatNumber,
  formatSignedMoney,
  getSign,
  maxDecimals,
  roundDecimal,
  unknown,
} from './format-values.ts';
import { nameBox } from './pack-boxes.ts';
import { type Column, sayNote, signClass } from './section.ts';

/** The headings of SA108, and what a row of a list is, by which its pages of paper are known. */
export const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'capital-gains-summary': {
    disposals: 'Disposals (box 23)',
    proceeds: 'Proceeds (box 24)',
    allowableCosts: 'Allowable costs (box 25)',
    gains: 'Gains (box 26)',
    losses: 'Losses (box 27)',
  },
  disposals: { ticker: 'Disposal' },
  'section-104-pools': { tickers: 'Section 104 pool' },
  dividends: { ticker: 'Dividend' },
  interest: { paidOn: 'Interest paid on' },
  costs: { ticker: 'Charged for' },
};

/** The form has losses without a sign. */
export const readTotal = (row: Fields, column: string): string | undefined =>
  column === 'losses' ? toDecimal(row.losses)?.replace('-', '') : toDecimal(row[column]);

/** Columns that another one shows with its own, or that say nothing beside it. */
const shownElsewhere = new Set([
  ...['currency', 'instrumentCurrency', 'isin', 'grossAmountPerShare', 'grossInInstrumentCurrency', 'withheldUnknown'],
  ...['code', 'disposal', 'rule', 'matchedQuantity', 'acquiredOn', 'matchedCost'],
]);

/** Those that the page shows, with what the file does not have. The instrument is first: rows are found by its name. */
export function selectColumns(section: string, columns: readonly string[], rows: readonly Fields[]): readonly string[] {
  const isShown = (column: string) =>
    !shownElsewhere.has(column) &&
    !(column === 'name' && columns.includes('isin')) &&
    !(column === 'type' && columns.includes('treatment')) &&
    // The total above the bookings of one type names it.
    !(section === 'interest' && column === 'type' && new Set(rows.map(({ type }) => type)).size === 1);
  const shown = columns.filter(isShown);
  const first = shown.filter((column) => column === 'ticker' || column === 'tickers');
  const others = shown.filter((column) => column !== 'ticker' && column !== 'tickers');
  return [
    ...first,
    ...others.flatMap((column) =>
      section === 'dividends-by-country' && column === 'treatment' ? [column, 'box'] : column,
    ),
  ];
}

/** What a reader wants of a row. */
const results = new Set(['gain', 'paid', 'amount']);

const dayShape = /^\d{4}-\d\d-\d\d$/;

export function listColumns(
  section: string,
  columns: readonly string[],
  rows: readonly Fields[],
  answer: Fields,
  look: FormatOptions,
): readonly Column<Fields>[] {
  return columns
    .map((column) => createColumn(column, section, rows, answer, look))
    .map(
      (column, index): Column<Fields> => ({
        ...column,
        // A row of totals has its name first, and sums where there are any.
        text: (row) =>
          row.total === undefined
            ? column.text(row)
            : index === 0
              ? String(row.total)
              : row[columns[index] ?? ''] === undefined && !moneyColumns.has(columns[index] ?? '')
                ? ''
                : column.text(row),
        isResult: results.has(columns[index] ?? ''),
      }),
    );
}

function createColumn(
  column: string,
  section: string,
  rows: readonly Fields[],
  answer: Fields,
  look: FormatOptions,
): Column<Fields> {
  const currencyOf = (row: Fields) => toText(row.currency) ?? toText(answer.currency);
  const label = headings[section]?.[column] ?? labels[column] ?? humanize(column);
  const key = (row: Fields) => toText(row[column]);
  const known = rows.flatMap((row) => key(row) ?? []);
  const isAll = (shape: RegExp) => known.length > 0 && known.every((text) => shape.test(text));
  const below = belows[column];
  const small = below && ((row: Fields) => below(row, look));
  if (column === 'ticker' || column === 'tickers')
    return {
      label,
      text: (row) => nameInstruments(answer, key(row)),
      key,
      small: (row) => [symbolsBelow(answer, key(row)), toText(row.isin)].filter(Boolean).join(' · ') || undefined,
    };
  if (column === 'box') return { label, text: nameBox };
  if (column === 'country') return { label, text: (row) => formatCountry(key(row) ?? unknown, look), key };
  if (known.some((text) => dayShape.test(text)))
    return {
      label,
      text: (row) =>
        dayShape.test(key(row) ?? '') ? formatDay(key(row), look).replace(/ /g, '\u00a0') : sayCode(key(row)),
      key,
    };
  if (column === 'gain')
    return {
      label,
      text: (row) => formatSignedMoney(toDecimal(row.gain), currencyOf(row), look),
      key,
      isNumber: true,
      look: (row) => signClass(toDecimal(row.gain)),
    };
  if (moneyColumns.has(column) || isAll(/^-?\d+\.\d\d$/))
    return {
      label,
      text: (row) => {
        const decimal = readTotal(row, column);
        return decimal === undefined
          ? (instead[column]?.(row, look) ?? dash)
          : formatMoney(decimal, currencyOf(row), look);
      },
      key,
      isNumber: true,
      small,
    };
  if (isAll(decimalShape)) {
    const write = createNumberFormat(known, look);
    return { label, text: (row) => write(toDecimal(row[column])), key, isNumber: true, small };
  }
  return { label, text: (row) => sayNote(sayCode(key(row)), look), key, isLong: isAll(/.{40,}/), small };
}

const decimalShape = /^-?\d+(\.\d+)?$/;

export type NumberFormat = (decimal: string | undefined) => string;

/** Gives all numbers of a column as many decimals, so that their points are below each other; no share becomes 0. */
export function createNumberFormat(decimals: readonly string[], look: FormatOptions): NumberFormat {
  const most = Math.max(0, ...decimals.map((decimal) => decimal.split('.')[1]?.length ?? 0));
  const few = Math.min(most, maxDecimals);
  const isLost = decimals.some((decimal) => getSign(decimal) !== 0 && getSign(roundDecimal(decimal, few)) === 0);
  return (decimal) => formatNumber(decimal && roundDecimal(decimal, isLost ? most : few), look);
}

const labels: Readonly<Record<string, string>> = {
  ticker: 'Instrument',
  tickers: 'Instrument',
  name: 'Charge',
};

/** Columns of money, even where every value is unknown. */
const moneyColumns = new Set([
  ...['proceeds', 'allowableCosts', 'gains', 'losses', 'gross', 'withheld', 'paid', 'charges', 'cost'],
]);

/** The second line of a column. */
const belows: Readonly<Record<string, (row: Fields, look: FormatOptions) => string | undefined>> = {
  quantity: ({ grossAmountPerShare: each, instrumentCurrency }, look) =>
    toText(each) === undefined ? undefined : `at ${formatMoney(toDecimal(each), toText(instrumentCurrency), look)}`,
  withheld: (row) =>
    row.total === undefined && toDecimal(row.withheldUnknown) === toText(row.payments)
      ? undefined
      : sayUnknown(row, row.total !== undefined),
  // The broker's own type, where it says more.
  treatment: ({ type, treatment }) =>
    toText(type) === 'DIVIDEND' || sayCode(toText(type)) === sayCode(toText(treatment)) || toText(type) === undefined
      ? undefined
      : sayCode(toText(type)),
};

/** `42 of 80 unknown`, and `for 42 of 80` of a sum: the payments without a known tax; undefined where there is none. */
export function sayUnknown({ withheldUnknown: count, payments }: Fields, isSum: boolean): string | undefined {
  if ((toDecimal(count) ?? '0') === '0') return undefined;
  const part = `${toText(count)} of ${toText(payments)}`;
  return isSum ? `for ${part}` : `${part} unknown`;
}

/** An amount that is not known; the caption of its table says so once. */
export const dash = '–';

export const hasDash = (rows: readonly Fields[], columns: readonly string[], look: FormatOptions): boolean =>
  columns.some(
    (column) =>
      moneyColumns.has(column) &&
      rows.some((row) => toDecimal(row[column]) === undefined && instead[column]?.(row, look) === undefined),
  );

/** What a column has where its own amount is unknown. */
const instead: typeof belows = {
  gross: ({ grossInInstrumentCurrency: amounts, total }, look) =>
    total !== undefined
      ? 'not added'
      : (toText(amounts) || undefined)
          ?.split(', ')
          .map((text) => sayAmount(text, look))
          .join(', '),
  withheld: ({ total }) => (total === undefined ? undefined : unknown),
};

/** `24.83 USD` as money. */
const sayAmount = (text: string, look: FormatOptions): string => {
  const [amount, currency] = text.split(' ');
  return formatMoney(toDecimal(amount), currency, look);
};

/** A code of the service or of this program as words; any other text as it is. */
export const sayCode = (text: string | undefined): string =>
  text === undefined
    ? unknown
    : text === 'BUY' || /^[A-Z]{4,}(?:_[A-Z]+)*$|^[A-Z]+(?:_[A-Z]+)+$|^[a-z]+(?:_[a-z0-9]+)*$/.test(text)
      ? formatConstant(text)
      : text;

const splitTickers = (text: string | undefined): readonly string[] => text?.split(', ') ?? [];

const nameInstruments = (answer: Fields, text: string | undefined): string =>
  splitTickers(text)
    .map((ticker) => (ticker === 'account' ? 'The account' : (readName(answer, ticker) ?? formatTicker(ticker))))
    .join(', ');

/** The symbols of instruments whose names are shown. */
function symbolsBelow(answer: Fields, text: string | undefined): string | undefined {
  const named = splitTickers(text).filter((ticker) => readName(answer, ticker) !== undefined);
  return named.length === 0 ? undefined : named.map(formatTicker).join(', ');
}
