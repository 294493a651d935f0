/**
 * The page of a tax pack: its remarks and every table, in words and with the boxes of the tax return. The CSV files
 * have the same rows as they are.
 */

import { formatConstant } from '../../core/text/count-of.ts';
import { defaultLocale, formatTicker } from '../../core/text/format-money.ts';
import { html, type Markup } from '../../core/text/html-template.ts';
import { type Fields, readFrame, readName, toDecimal, toFields, toList, toRows, toText } from './model/read-answer.ts';
import { buildPage } from './page.ts';
import { humanize } from './render/draw-any-result.ts';
import {
  type FormatOptions,
  formatCountry,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  formatSignedMoney,
} from './render/format-values.ts';
import { sayMatches } from './render/say-matches.ts';
import { type Column, type Figure, figures, section, signClass, table } from './render/section.ts';

export interface TaxPackContent extends FormatOptions {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** The result with remarks, checks and `sections` (name, title, note, columns, rows). */
  readonly answer: object;
  /** Why the pack is incomplete, as a sentence; undefined when it is complete. */
  readonly incomplete?: string | undefined;
}

/** Returns one HTML document that loads nothing and works without its script. */
export function buildTaxPackPage({ title, madeAt, answer, incomplete, ...options }: TaxPackContent): string {
  const body = toFields(answer);
  const frame = readFrame(body);
  // A tax year spans two calendar years, so every day has its year.
  const look: FormatOptions = { ...options, locale: options.locale ?? defaultLocale };
  const main = html`<header><h1>${title}</h1><p class="soft">Made ${formatMoment(madeAt, look)}</p></header>
${incomplete !== undefined && html`<p class="say" role="status"><span class="badge care">not complete</span> ${incomplete}</p>`}
${toList(body.sections).map((part) => drawSection(toFields(part), body, look))}
${section({ id: 'remarks', title: 'Remarks', frame, body: html`` }, look)}`;
  return buildPage({ title, look: 'report', main, styles: ['report', 'tax'] });
}

/** Where the figures of a section go, in the forms and notes for 2024 to 2025; the form of another year can number them differently. */
const boxNotes: Readonly<Record<string, string>> = {
  'capital-gains-summary':
    'The boxes of SA108 for listed shares and securities: 23 disposals, 24 proceeds, 25 allowable costs, 26 gains, 27 losses.',
  'dividends-by-country':
    'Dividends of UK companies: SA100, box 4. Distributions of UK funds: SA100, box 5. Foreign dividends: SA106, country by country, or SA100, box 6, up to £2,000.',
  'excess-reportable-income': 'Income of offshore funds that was not paid: SA106, as foreign dividends or interest.',
  interest: 'UK interest that was not taxed: SA100, box 2.',
};

/** The headings of SA108. */
const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'capital-gains-summary': {
    disposals: 'Disposals (23)',
    proceeds: 'Proceeds (24)',
    allowableCosts: 'Allowable costs (25)',
    gains: 'Gains (26)',
    losses: 'Losses (27)',
  },
};

function drawSection(part: Fields, answer: Fields, look: FormatOptions): Markup {
  const name = toText(part.name) ?? '';
  const title = toText(part.title) ?? 'Table';
  const rows = name === 'disposals' ? joinMatches(toRows(part)) : toRows(part);
  const names = toList(part.columns).flatMap((column) => toText(column) ?? []);
  const shown = name === 'disposals' ? [...names.filter((column) => !matchColumns.has(column)), 'matchedWith'] : names;
  const note = name === 'disposals' ? disposalNote : toText(part.note);
  return html`<section><div class="head"><h2>${title}</h2><span class="soft">${name}.csv</span></div>
${[boxNotes[name], note].map((text) => text !== undefined && html`<p class="soft">${text}</p>`)}
${figures(toList(part.figures).flatMap((pair) => readFigure(toList(pair))))}
${
  rows.length === 0
    ? html`<p class="say">Nothing in this year.</p>`
    : table(title, listColumns({ name, columns: shown, rows, answer }, look), rows)
}
</section>`;
}

const disposalNote =
  'Proceeds are before charges: the gain is proceeds − charges − cost. The last column says with which purchases a disposal was matched.';

/** The columns of a match, of which a disposal can have several. */
const matchColumns = new Set(['rule', 'matchedQuantity', 'acquiredOn', 'matchedCost']);

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

const dayShape = /^\d{4}-\d\d-\d\d$/;

interface SectionTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
  readonly answer: Fields;
}

/** Amounts have their currency with them, so its column is left out. */
function listColumns({ name, columns, rows, answer }: SectionTable, look: FormatOptions): readonly Column<Fields>[] {
  const account = toText(answer.currency);
  const currencyOf = (row: Fields) => toText(row.currency) ?? account;
  return columns
    .filter((column) => column !== 'currency' && !(column === 'name' && columns.includes('ticker')))
    .map((column): Column<Fields> => {
      const label = headings[name]?.[column] ?? humanize(column);
      const known = rows.map((row) => toText(row[column])).filter((text) => text !== undefined);
      const key = (row: Fields) => toText(row[column]);
      const isAll = (shape: RegExp) => known.length > 0 && known.every((text) => shape.test(text));
      if (column === 'ticker' || column === 'tickers')
        return {
          label: 'Instrument',
          text: (row) => nameInstruments(answer, toText(row[column])),
          key,
          small: (row) => symbolsBelow(answer, toText(row[column])),
        };
      if (column === 'matchedWith')
        return { label, text: (row) => sayMatches(toText(row[column]), currencyOf(row), look), isLong: true };
      if (column === 'country') return { label, text: (row) => formatCountry(toText(row[column]) ?? '', look), key };
      if (known.some((text) => dayShape.test(text)))
        return {
          label,
          text: (row) => (dayShape.test(key(row) ?? '') ? formatDay(key(row), look) : sayCode(key(row))),
          key,
        };
      if (isAll(/^-?\d+\.\d\d$/)) {
        const format = column === 'gain' ? formatSignedMoney : formatMoney;
        return {
          label,
          text: (row) => (key(row) === undefined ? '' : format(toDecimal(row[column]), currencyOf(row), look)),
          key,
          isNumber: true,
          look: (row) => (column === 'gain' ? signClass(toDecimal(row[column])) : ''),
        };
      }
      if (isAll(/^-?\d+(\.\d+)?$/))
        return {
          label,
          text: (row) => (key(row) === undefined ? '' : formatNumber(toDecimal(row[column]), look)),
          key,
          isNumber: true,
        };
      return { label, text: (row) => sayCode(key(row)), key, isLong: isAll(/.{40,}/) };
    });
}

/** A code of the service or of this program as words; any other text as it is. */
const sayCode = (text: string | undefined): string =>
  text === undefined
    ? ''
    : /^[A-Z]{4,}(?:_[A-Z]+)*$|^[A-Z]+(?:_[A-Z]+)+$|^[a-z]+(?:_[a-z0-9]+)*$/.test(text)
      ? formatConstant(text).replace(/\b(?:us|uk)\b/g, (code) => code.toUpperCase())
      : text;

const splitTickers = (text: string | undefined): readonly string[] => text?.split(', ') ?? [];

const nameInstruments = (answer: Fields, text: string | undefined): string =>
  splitTickers(text)
    .map((ticker) => readName(answer, ticker) ?? formatTicker(ticker))
    .join(', ');

/** The symbols of instruments whose names are shown. */
function symbolsBelow(answer: Fields, text: string | undefined): string | undefined {
  const named = splitTickers(text).filter((ticker) => readName(answer, ticker) !== undefined);
  return named.length === 0 ? undefined : named.map(formatTicker).join(', ');
}

function readFigure([name, amount]: readonly unknown[]): Figure[] {
  const [term, text] = [toText(name), toText(amount)];
  return term !== undefined && text !== undefined ? [[term, text]] : [];
}
