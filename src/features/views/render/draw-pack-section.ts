/** Draws a table of the tax pack in words, with the boxes of the tax return. The CSV file has the same rows as they are. */
import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type Fields, humanize, readName, toDecimal, toFields, toList, toRows, toText } from '../model/read-answer.ts';
import {
  type FormatOptions,
  formatCountry,
  formatDay,
  formatMoney,
  formatNumber,
  formatSignedMoney,
  getSign,
  unknown,
} from './format-values.ts';
import { listMatches } from './say-matches.ts';
import { type Column, type Figure, figures, fold, hero, sayNote, signClass, table } from './section.ts';

/** Where the figures of a section go, in the forms and notes for 2024 to 2025; the form of another year can number them differently. */
const boxNotes: Readonly<Record<string, string>> = {
  'capital-gains-summary': 'The boxes of SA108 for listed shares and securities.',
  'dividends-by-country':
    'Dividends of UK companies: SA100, box 4. Distributions of UK funds: SA100, box 5. Foreign dividends: SA106, country by country, or SA100, box 6, up to £2,000.',
  'excess-reportable-income': 'Income of offshore funds that was not paid: SA106, as foreign dividends or interest.',
  interest: 'UK interest that was not taxed: SA100, box 2.',
};

/** The year of the forms whose boxes are named. */
const formsYear = '2024/25';

/** Whether figures of the section go into a form. */
export const isForForm = (section: string): boolean => boxNotes[section] !== undefined;

/** The section with the totals of the year. */
const summary = 'capital-gains-summary';

/** The headings of SA108. */
const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'capital-gains-summary': {
    disposals: 'Disposals (box 23)',
    proceeds: 'Proceeds (box 24)',
    allowableCosts: 'Allowable costs (box 25)',
    gains: 'Gains (box 26)',
    losses: 'Losses (box 27)',
  },
};

/** What the page says of a section, where the note of its file names the columns of the file. */
const pageNotes: Readonly<Record<string, string>> = {
  'capital-gains-summary':
    'Gains less losses are the net gain. Charges in another currency are not converted; a total that needs them is unknown.',
  disposals:
    'Proceeds are before charges: the gain is proceeds − charges − cost. Each line of the last column is one match.',
  'dividends-by-country':
    'Withheld is the tax that the payments are short of their gross amounts. Where payments came without a rate, it is unknown, and the gross amount is in the currency of the instrument. The country is that of the ISIN. Return of capital, liquidation and demerger are no income.',
  dividends:
    'Gross is the quantity times the amount per share; withheld is the tax that the payment is short of it. Where a payment came without a rate, the gross amount is in the currency of the instrument, and the tax is unknown.',
};

/** The nouns of the rows. */
const rowNouns: Readonly<Record<string, string>> = {
  disposals: 'disposal',
  unmatched: 'trade',
  dividends: 'payment',
  interest: 'payment',
  costs: 'charge',
};

/** The tables behind the figures, which a reader opens and which paper has in full. */
const folded = new Set(['disposals', 'section-104-pools', 'dividends', 'interest', 'costs']);

/** The narrow ones among them: paper has two columns of them. */
const narrow = new Set(['section-104-pools', 'interest', 'costs']);

/** The figures of the year: the net gain, and beside it what was paid. Each is the first of its section. */
export function drawPackSums(sections: readonly Fields[], answer: Fields, look: FormatOptions): Markup {
  const listFigures = (name: string) => {
    const all = toList(sections.find((part) => part.name === name)?.figures).flatMap((pair) =>
      readFigure(toList(pair), answer, look),
    );
    const own = all.filter(({ currency }) => currency === toText(answer.currency));
    return (own.length > 0 ? own : all).map(({ figure }) => figure);
  };
  const [gain] = listFigures(summary);
  const year = toText(answer.taxYear);
  return html`${hero(gain, [...listFigures('dividends-by-country'), ...listFigures('interest')])}${
    year !== undefined &&
    year !== formsYear &&
    html`<p class="cares">The box numbers are those of the forms for ${formsYear}. This is ${year}: compare each number with the form of that year.</p>`
  }`;
}

/** The second argument has the currency of the account, and the names of instruments. */
export function drawPackSection(part: Fields, answer: Fields, look: FormatOptions): Markup {
  const name = toText(part.name) ?? '';
  const title = toText(part.title) ?? 'Table';
  const rows = name === 'disposals' ? joinMatches(toRows(part)) : toRows(part);
  const names = toList(part.columns).flatMap((column) => toText(column) ?? []);
  const note = pageNotes[name] ?? toText(part.note);
  const sums = toList(part.figures).flatMap((pair) =>
    readFigure(toList(pair), answer, look).map(({ figure }) => figure),
  );
  const isShown = name === 'interest' || name === 'excess-reportable-income' || (sums.length > 1 && name !== 'costs');
  const rowTable = table(
    `${countOf(rows.length, rowNouns[name] ?? 'line')}${hasDash(rows, names, look) ? `; ${dash} means unknown` : ''}`,
    listColumns(name, selectColumns(name, names, rows), rows, answer, look),
    rows,
    rows.length > 1 ? listTotals(part, name) : [],
  );
  return html`<section><div class="head"><h2>${title}</h2><span class="soft">${name}.csv</span></div>
${boxNotes[name] !== undefined && html`<p class="soft">${boxNotes[name]}</p>`}
${note !== undefined && fold('How these figures are made', html`<p class="soft">${note}</p>`)}
${isShown && figures(sums)}
${name === 'costs' && rows.length > 0 && drawKinds(part, rows, answer, look)}
${
  rows.length === 0
    ? html`<p class="say">Nothing in this year.</p>`
    : name === summary && rows.length === 1
      ? drawBoxes(rows[0] ?? {}, answer, look)
      : folded.has(name)
        ? fold(`Row by row (${rows.length})`, narrow.has(name) ? html`<div class="narrow">${rowTable}</div>` : rowTable)
        : rowTable
}
</section>`;
}

/** The sums of a table as its last rows. */
function listTotals({ totals }: Fields, section: string): readonly Fields[] {
  const rows = toList(totals).map(toFields);
  return rows.map(({ currency, count, sums }) => ({
    ...toFields(sums),
    currency,
    payments: count,
    total: `${rows.length > 1 ? `Total ${toText(currency) ?? ''}` : 'Total'} of ${countOf(toText(count) ?? '0', rowNouns[section] ?? 'payment')}`,
  }));
}

/** Each kind of charge with its sum, which the pack has computed from exact amounts. */
function drawKinds(part: Fields, rows: readonly Fields[], answer: Fields, look: FormatOptions): Markup {
  const kinds = toList(part.figures).map((pair): Fields => {
    const [named, amount] = toList(pair);
    const [, name, currency] = /^(.+?)(?: ([A-Z]{3}))?$/.exec(toText(named) ?? '') ?? [];
    const own = rows.filter((row) => row.name === name && toText(row.currency) === currency);
    return { name, amount, currency, charges: String(own.length) };
  });
  return table(
    'By kind',
    [
      { label: 'Charge', text: ({ name, total }) => toText(total) ?? sayCode(toText(name)) },
      {
        label: 'Charges',
        text: ({ charges }) => formatNumber(toDecimal(charges), look),
        key: ({ charges }) => toText(charges),
        isNumber: true,
      },
      {
        label: 'Amount',
        text: ({ amount, currency }) => formatMoney(toDecimal(amount), toText(currency ?? answer.currency), look),
        key: ({ amount }) => toDecimal(amount),
        isNumber: true,
      },
    ],
    kinds,
    listTotals(part, 'costs').map((row) => ({ ...row, charges: row.payments })),
  );
}

/** The form has losses without a sign. */
const readTotal = (row: Fields, column: string): string | undefined =>
  column === 'losses' ? toDecimal(row.losses)?.replace('-', '') : toDecimal(row[column]);

/** The totals of a year with one currency and one rate, each with its box. */
function drawBoxes(row: Fields, answer: Fields, look: FormatOptions): Markup {
  return figures(
    Object.entries(headings[summary] ?? {}).map(([column, term]): Figure => {
      const decimal = readTotal(row, column);
      const isCount = column === 'disposals';
      return [
        term,
        isCount ? formatNumber(decimal, look) : formatMoney(decimal, toText(row.currency ?? answer.currency), look),
      ];
    }),
  );
}

/** The file has a row for each match; the page has one for each disposal. */
function joinMatches(rows: readonly Fields[]): readonly Fields[] {
  const joined = new Map<unknown, { readonly row: Fields; readonly matches: string[] }>();
  for (const row of rows) {
    const known = joined.get(row.disposal) ?? { row, matches: [] };
    joined.set(row.disposal, known);
    const day = toText(row.acquiredOn);
    known.matches.push(
      `${toText(row.rule)} ${toText(row.matchedQuantity)}${day === undefined ? '' : ` of ${day}`} = ${toText(row.matchedCost)}`,
    );
  }
  return [...joined.values()].map(({ row, matches }) => ({ ...row, matchedWith: matches.join(', ') }));
}

/** Columns that another one shows with its own, or that say nothing beside it. */
const shownElsewhere = new Set([
  ...['currency', 'instrumentCurrency', 'isin', 'grossAmountPerShare', 'grossInInstrumentCurrency', 'withheldUnknown'],
  ...['code', 'disposal', 'rule', 'matchedQuantity', 'acquiredOn', 'matchedCost'],
]);

/** The instrument is first: rows are found by its name. */
function selectColumns(section: string, columns: readonly string[], rows: readonly Fields[]): readonly string[] {
  const isShown = (column: string) =>
    !shownElsewhere.has(column) &&
    !(column === 'name' && columns.includes('isin')) &&
    !(column === 'treatment' && columns.includes('type')) &&
    // The total above the bookings of one type names it.
    !(section === 'interest' && column === 'type' && new Set(rows.map(({ type }) => type)).size === 1);
  const shown = columns.filter(isShown);
  const first = shown.filter((column) => column === 'ticker' || column === 'tickers');
  const others = shown.filter((column) => column !== 'ticker' && column !== 'tickers');
  return [...first, ...others, ...(section === 'disposals' ? ['matchedWith'] : [])];
}

const dayShape = /^\d{4}-\d\d-\d\d$/;

function listColumns(
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
              : row[columns[index] ?? ''] === undefined
                ? ''
                : column.text(row),
        ...(column.small ? { small: (row) => (row.total === undefined ? column.small?.(row) : undefined) } : {}),
        ...(column.before ? { before: (row) => (row.total === undefined ? column.before?.(row) : undefined) } : {}),
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
  if (column === 'matchedWith')
    return {
      label,
      text: () => '',
      key,
      before: (row) =>
        html`${listMatches(key(row), currencyOf(row), look).map((line) => html`<span class="match">${line}</span>`)}`,
      isLong: true,
    };
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
  if (isAll(/^-?\d+(\.\d+)?$/))
    return { label, text: (row) => formatNumber(toDecimal(row[column]), look), key, isNumber: true, small };
  return { label, text: (row) => sayNote(sayCode(key(row)), look), key, isLong: isAll(/.{40,}/), small };
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
  withheld: ({ withheldUnknown: count, payments }) =>
    ['0', toText(payments)].includes(toDecimal(count) ?? '0')
      ? undefined
      : `${toText(count)} of ${toText(payments)} unknown`,
  type: ({ type, treatment }) =>
    toText(treatment) === undefined || sayCode(toText(type)) === sayCode(toText(treatment))
      ? undefined
      : sayCode(toText(treatment)),
};

/** An amount that is not known; the caption of its table says so once. */
const dash = '–';

const hasDash = (rows: readonly Fields[], columns: readonly string[], look: FormatOptions): boolean =>
  columns.some(
    (column) =>
      moneyColumns.has(column) &&
      rows.some((row) => toDecimal(row[column]) === undefined && instead[column]?.(row, look) === undefined),
  );

/** What a column has where its own amount is unknown. */
const instead: typeof belows = {
  gross: ({ grossInInstrumentCurrency: amounts }, look) =>
    (toText(amounts) || undefined)
      ?.split(', ')
      .map((text) => sayAmount(text, look))
      .join(', '),
};

/** `24.83 USD` as money. */
const sayAmount = (text: string, look: FormatOptions): string => {
  const [amount, currency] = text.split(' ');
  return formatMoney(toDecimal(amount), currency, look);
};

/** A code of the service or of this program as words; any other text as it is. */
const sayCode = (text: string | undefined): string =>
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

/** `INTEREST_ON_FREE_CASH GBP` and its amount in words. */
function readFigure(
  [name, amount]: readonly unknown[],
  answer: Fields,
  look: FormatOptions,
): { readonly currency: string | undefined; readonly figure: Figure }[] {
  const [, term = '', named] = /^(.+?)(?: ([A-Z]{3}))?$/.exec(toText(name) ?? '') ?? [];
  if (term === '') return [];
  const decimal = toDecimal(amount);
  const currency = named ?? toText(answer.currency);
  const figure: Figure =
    term === 'Net gain'
      ? [getSign(decimal) < 0 ? 'Net loss' : term, formatSignedMoney(decimal, currency, look), decimal]
      : [sayCode(term), formatMoney(decimal, currency, look)];
  return [{ currency, figure }];
}
