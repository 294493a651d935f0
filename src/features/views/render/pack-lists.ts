/** The lists behind the figures of a tax pack, which only its page has: matches, kinds of charges and sums. */
import { html, type Markup } from '../../../core/text/html-template.ts';
import { type Fields, toDecimal, toFields, toList, toText } from '../model/read-answer.ts';
import { drawPackTable, listTotals, type PackLists } from './draw-pack-section.ts';
import { type FormatOptions, formatMoney, formatNumber, unknown } from './format-values.ts';
import { allBoxes, findBox, foreign, nameBox } from './pack-boxes.ts';
import { createNumberFormat, type NumberFormat, sayCode, sayUnknown } from './pack-columns.ts';
import { type Match, readMatches } from './say-matches.ts';
import { type Column, type Figure, figures, table } from './section.ts';

const notes: Readonly<Record<string, string>> = {
  disposals:
    'Proceeds are before charges: the gain is proceeds − charges − cost. Shares have four decimals here, and all in the file.',
  dividends:
    'Gross is the quantity times the amount per share; withheld is that less what was paid. Where a payment came without an exchange rate, the gross amount is in the currency of the instrument, and the tax is unknown.',
};

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

/** The three parts of a match, each below that of the match before. */
const drawMatch =
  (write: NumberFormat) =>
  ({ quantity, source, cost }: Match): Markup =>
    html`<span class="match"><span>${quantity && write(quantity)}</span> <span>${source}</span> <span>${cost}</span></span>`;

const matchHead = html`<span class="match"><span>Shares</span> <span>Matched with</span> <span>Its cost</span></span>`;

function createMatchColumn(rows: readonly Fields[], answer: Fields, look: FormatOptions): Column<Fields> {
  const key = (row: Fields) => toText(row.matchedWith);
  const read = (row: Fields) => readMatches(key(row), toText(row.currency) ?? toText(answer.currency), look);
  const write = createNumberFormat(
    rows.flatMap(read).flatMap(({ quantity }) => quantity ?? []),
    look,
  );
  const before = (row: Fields) => (row.total === undefined ? html`${read(row).map(drawMatch(write))}` : undefined);
  return { label: 'Matched with', head: matchHead, text: () => '', key, before, isLong: true };
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
        isResult: true,
        text: ({ amount, currency }) => formatMoney(toDecimal(amount), toText(currency ?? answer.currency), look),
        key: ({ amount }) => toDecimal(amount),
        isNumber: true,
      },
    ],
    kinds,
    listTotals(part, 'costs').map((row) => ({ ...row, charges: row.payments })),
  );
}

/** What was paid for each box, and the tax that was withheld; each in its currency, unknown where a part is. */
function drawBoxSums(part: Fields, answer: Fields, look: FormatOptions): Markup {
  const sums = toList(part.paidSums).map(toFields);
  const own = sums.map(
    (sum): Fields => ({ ...sum, country: sum.isUk === undefined ? unknown : sum.isUk ? 'GB' : foreign }),
  );
  const toFigure = (term: string, { paid, currency }: Fields): Figure => [
    term,
    formatMoney(toDecimal(paid), toText(currency ?? answer.currency), look),
  ];
  const paid = [
    ...allBoxes.flatMap((box) => own.filter((row) => findBox(row) === box).map((row) => toFigure(box.term, row))),
    ...own
      .filter((row) => nameBox(row) === unknown)
      .map((row) => toFigure(`${sayCode(toText(row.treatment))}, box unknown`, row)),
  ];
  const withheld = listTotals(part, 'dividends-by-country').map((total): Figure => {
    const currency = toText(total.currency ?? answer.currency);
    return ['Tax withheld', formatMoney(toDecimal(total.withheld), currency, look), undefined, sayUnknown(total, true)];
  });
  return html`${figures([...paid, ...withheld], 'boxes')}`;
}

export const packLists: PackLists = { notes, joinMatches, createMatchColumn, drawBoxSums };

/** Narrow tables: with more rows than `maxUnsplit`, they have two columns on paper. */
const narrow = new Set(['section-104-pools', 'interest', 'costs']);
const maxUnsplit = 20;

/** The tables behind the figures as one list, each to open. */
export function drawPackRows(parts: readonly Fields[], answer: Fields, look: FormatOptions): Markup | undefined {
  if (parts.length === 0) return undefined;
  return html`<section class="rows"><h2>Row by row</h2>${parts.map((part) => {
    const name = toText(part.name) ?? '';
    const { title, count, counted, note, rows, markup } = drawPackTable(part, answer, look, packLists);
    const list = narrow.has(name) ? html`<div class="narrow ${count > maxUnsplit && 'split'}">${markup}</div>` : markup;
    return html`<details><summary><h3>${title}</h3> <span class="soft">${counted}</span> <span class="soft">${name}.csv</span></summary>
${note !== undefined && html`<p class="soft">${note}</p>`}
${name === 'costs' && drawKinds(part, rows, answer, look)}
${list}</details>`;
  })}</section>`;
}

/** The tables that have no row, as one list; undefined where there is none. */
export const sayEmpty = (parts: readonly Fields[]): Markup | undefined =>
  parts.length === 0
    ? undefined
    : html`<section><h2>Nothing in this year</h2><ul class="soft">${parts.map(({ name, title }) => html`<li>${toText(title) ?? 'Table'} (${toText(name)}.csv)</li>`)}</ul></section>`;
