/** Draws a table of the tax pack in words, with the boxes of the tax return. The CSV file has the same rows as they are. */
import { countOf } from '../../../core/text/count-of.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type Fields, toDecimal, toFields, toList, toRows, toText } from '../model/read-answer.ts';
import {
  type FormatOptions,
  formatCountry,
  formatMoney,
  formatNumber,
  formatSignedMoney,
  getSign,
} from './format-values.ts';
import { dash, hasDash, headings, listColumns, readTotal, sayCode, selectColumns } from './pack-columns.ts';
import { type Column, type Figure, figures, fold, hero, table } from './section.ts';

/** Where the figures of a section go, in the forms and notes for 2024 to 2025; the form of another year can number them differently. */
const boxNotes: Readonly<Record<string, string>> = {
  'capital-gains-summary': 'The boxes of SA108 for listed shares and securities.',
  'dividends-by-country': 'What was paid, for SA100 and SA106.',
  'excess-reportable-income': 'Income of offshore funds that was not paid: SA106, as foreign dividends or interest.',
  interest: 'UK interest that was not taxed: SA100, box 2.',
};

/** The year of the forms whose boxes are named. */
const formsYear = '2024/25';

/** Whether figures of the section go into a form. */
export const isForForm = (section: string): boolean => boxNotes[section] !== undefined;

/** The section with the totals of the year. */
const summary = 'capital-gains-summary';

/** The section with the dividends that go into a form. */
const byCountry = 'dividends-by-country';

/** What the page says of a section, where the note of its file names the columns of the file. */
const pageNotes: Readonly<Record<string, string>> = {
  'capital-gains-summary':
    'Gains less losses are the net gain. Charges in another currency are not converted; a total that needs them is unknown.',
  'dividends-by-country':
    'SA100: box 4 is for UK companies, box 5 for UK funds. SA106 has foreign income by country; a small sum of foreign dividends can be in box 6 instead. Where a payment does not say what it is, its box is unknown. Withheld is the gross amount less what was paid. Where payments came without an exchange rate, it is unknown, and the gross amount is in the currency of the instrument. The country is that of the ISIN. Return of capital, liquidation and demerger are no income.',
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
const behind = new Set(['disposals', 'section-104-pools', 'dividends', 'interest', 'costs']);

export const isBehind = ({ name }: Fields): boolean => behind.has(toText(name) ?? '');

/** Says that the boxes of the form can have other numbers; nothing for the year of the forms that are named. */
export const sayFormsYear = (taxYear: string | undefined): readonly string[] =>
  taxYear === undefined || taxYear === formsYear
    ? []
    : [
        `The box numbers are those of the forms for ${formsYear}. This is ${taxYear}: compare each number with the form of that year.`,
      ];

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
  return html`${hero(gain, [...listFigures(byCountry), ...listFigures('interest')])}${sayFormsYear(toText(answer.taxYear)).map((text) => html`<div class="say">${text}</div>`)}`;
}

/** What only the page has: a view has no room for it. */
export interface PackLists {
  readonly notes: Readonly<Record<string, string>>;
  readonly joinMatches: (rows: readonly Fields[]) => readonly Fields[];
  readonly createMatchColumn: (rows: readonly Fields[], answer: Fields, look: FormatOptions) => Column<Fields>;
  /** What was paid, as figures that a person copies: one for each box. */
  readonly drawBoxSums: (part: Fields, answer: Fields, look: FormatOptions) => Markup;
}

/** A table of the pack: what its rows are, the rows in words, and how they were made. */
interface PackTable {
  readonly title: string;
  readonly count: number;
  /** How many rows of what. */
  readonly counted: string;
  readonly note: string | undefined;
  readonly rows: readonly Fields[];
  readonly markup: Markup;
}

/** The second argument has the currency of the account, and the names of instruments. */
export function drawPackTable(part: Fields, answer: Fields, look: FormatOptions, lists?: PackLists): PackTable {
  const name = toText(part.name) ?? '';
  const rows = sortRows(name, name === 'disposals' && lists ? lists.joinMatches(toRows(part)) : toRows(part), look);
  const names = toList(part.columns).flatMap((column) => toText(column) ?? []);
  const counted = countOf(rows.length, rowNouns[name] ?? 'line');
  const sayDash = hasDash(rows, names, look) && `${dash} means unknown`;
  const note = pageNotes[name] ?? lists?.notes[name] ?? toText(part.note);
  const columns = [
    ...listColumns(name, selectColumns(name, names, rows), rows, answer, look),
    ...(name === 'disposals' && lists ? [lists.createMatchColumn(rows, answer, look)] : []),
  ];
  return {
    title: toText(part.title) ?? 'Table',
    count: rows.length,
    counted,
    note: isBehind(part) && sayDash ? [note, `${sayDash}.`].filter(Boolean).join(' ') : note,
    rows,
    markup: table(
      [counted, sayDash].filter(Boolean).join('; '),
      columns,
      rows,
      rows.length > 1 ? listTotals(part, name) : [],
    ),
  };
}

/** A section of figures for a form; `lists` is what the page has, which has the rows behind them elsewhere. */
export function drawPackSection(part: Fields, answer: Fields, look: FormatOptions, lists?: PackLists): Markup {
  const name = toText(part.name) ?? '';
  const { title, rows, note, markup } = drawPackTable(part, answer, look, lists);
  const sums = toList(part.figures).flatMap((pair) =>
    readFigure(toList(pair), answer, look).map(({ figure }) => figure),
  );
  const boxes = name === summary && rows.length === 1 && drawBoxes(rows[0] ?? {}, sums, answer, look);
  const isShown = !boxes && (sums.length > 1 || withSum.has(name));
  const list = isBehind(part) ? !lists && fold(`Row by row (${rows.length})`, markup) : markup;
  return html`<section><div class="head"><h2>${title}</h2><span class="soft">${name}.csv</span></div>
${boxNotes[name] !== undefined && html`<p class="soft">${boxNotes[name]}</p>`}
${boxes}
${isShown && figures(sums, lists && 'boxes')}
${name === byCountry && lists?.drawBoxSums(part, answer, look)}
${note !== undefined && fold('How these figures are made', html`<p class="soft">${note}</p>`)}
${rows.length === 0 ? html`<p class="say">Nothing in this year.</p>` : !boxes && list}
</section>`;
}

/** Sections whose sum a reader copies: it is above the rows. */
const withSum = new Set(['interest', 'excess-reportable-income']);

/** Countries by their names, as a reader finds them; other rows as the pack has them. */
const sortRows = (section: string, rows: readonly Fields[], look: FormatOptions): readonly Fields[] =>
  section === byCountry
    ? [...rows].sort((a, b) => nameCountry(a, look).localeCompare(nameCountry(b, look), look.locale))
    : rows;

const nameCountry = ({ country }: Fields, look: FormatOptions): string => formatCountry(toText(country) ?? '', look);

/** The sums of a table as its last rows. */
export function listTotals({ totals }: Fields, section: string): readonly Fields[] {
  const rows = toList(totals).map(toFields);
  return rows.map(({ currency, count, sums }) => ({
    ...toFields(sums),
    currency,
    payments: count,
    total: `${rows.length > 1 ? `Total ${toText(currency) ?? ''}` : 'Total'} of ${countOf(toText(count) ?? '0', rowNouns[section] ?? 'payment')}`,
  }));
}

/** The totals of a year with one currency and one rate, each with its box, and the net gain. */
function drawBoxes(row: Fields, sums: readonly Figure[], answer: Fields, look: FormatOptions): Markup {
  const list = Object.entries(headings[summary] ?? {}).map(([column, term]): Figure => {
    const decimal = readTotal(row, column);
    const isCount = column === 'disposals';
    return [
      term,
      isCount ? formatNumber(decimal, look) : formatMoney(decimal, toText(row.currency ?? answer.currency), look),
    ];
  });
  return figures([...list, ...sums], 'boxes');
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
