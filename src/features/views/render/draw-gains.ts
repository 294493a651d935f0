/** Draws realised gains and losses: totals, by instrument, and by sale. */

import { countOf } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import type { DisposalModel, Gains, TotalsModel, UnmatchedModel } from '../model/read-gains.ts';
import {
  type FormatOptions,
  formatDay,
  formatMoney,
  formatNumber,
  formatRange,
  formatShares,
  formatSignedMoney,
  getSign,
  negate,
  toNumber,
  unknown,
} from './format-values.ts';
import { listMatches, nameMethod, sayPool } from './say-matches.ts';
import { type Column, empty, figures, fold, hero, section, signClass, table } from './section.ts';

/** More sales of one instrument than these are folded. */
const maxOpen = 10;

export function drawGains(gains: Gains, given: FormatOptions): Markup {
  // A tax year has days of two years, so each has its own.
  const look = gains.taxYear === undefined ? given : { ...given, now: undefined };
  const { frame, currency, method, taxYear, totals, reportableIncome, disposals, byTicker } = gains;
  const range =
    taxYear === undefined ? formatRange(gains.since, gains.until, { ...look, ...zoneOf(gains) }) : undefined;
  const period = taxYear === undefined ? `Sales ${range ?? 'of all time'}` : `Tax year ${taxYear}`;
  const how = [period, method && `by ${nameMethod(method)}`];
  const hasSeveral = totals.length > 1;
  // Without a sale every total is zero.
  const hasSales = disposals.length > 0 || totals.some(({ proceeds }) => getSign(proceeds) !== 0);
  const sales =
    disposals.length === 0
      ? empty(frame, taxYear === undefined ? 'No sales in this period.' : 'No sales in this tax year.')
      : drawSales(gains, look);
  const hasInstruments = byTicker.length > 1;
  const body = html`<p class="soft">${how.filter(Boolean).join(', ')}</p>
${hasSales && totals.map((sums) => html`${hasSeveral && html`<h3>${sums.currency ?? 'Unknown currency'}</h3>`}${drawTotals(sums, look)}`)}
${
  reportableIncome !== undefined &&
  figures([['Excess reportable income', formatMoney(reportableIncome, currency, look), undefined]])
}
${drawUnmatched(gains, look)}
${
  // What made the result is first; the list of every sale is long.
  drawYears(gains, look)
}${
  hasInstruments && drawTickers(gains, look)
}${hasInstruments || disposals.length > maxOpen ? fold(nameSales(gains), sales) : sales}`;
  // A view says what it lacks beside its rows.
  const rows = look.isPart ? { rows: { shown: disposals.length, what: 'sales' } } : {};
  const title = look.isPart ? 'Realised gains and losses' : 'Realised gains';
  return section({ id: 'gains', title, frame, ...rows, body }, given);
}

/** The zone of the result's days, where it names one. */
const zoneOf = ({ timeZone }: Gains) => (timeZone === undefined ? {} : { timeZone });

/** The sales of the totals, or those that are listed where no total counts them. */
const countSales = ({ totals, disposals }: Gains): number =>
  Math.max(
    disposals.length,
    totals.reduce((sum, one) => sum + toNumber(one.disposals), 0),
  );

function nameSales(gains: Gains): string {
  const [shown, count] = [gains.disposals.length, countSales(gains)];
  return shown === count ? `Sale by sale (${count})` : `Sale by sale: the newest ${shown} of ${count}`;
}

/** The newest first, and the sums of all, also of those that the result has no row of. */
function drawSales(gains: Gains, look: FormatOptions): Markup {
  const { totals, disposals } = gains;
  const sales = [...disposals].sort((a, b) => ((a.soldOn ?? '') < (b.soldOn ?? '') ? 1 : -1));
  const count = countSales(gains);
  const columns = saleColumns(gains, look);
  const sums = totals.filter(({ gain }) => gain !== undefined).map(toTotalRow);
  const caption =
    sales.length === count
      ? count === 1
        ? '1 sale'
        : `${countOf(count, 'sale')}, the newest first`
      : `The ${sales.length === 1 ? '' : `${sales.length} `}newest of ${count} sales`;
  return html`${table(caption, columns, sales, count > 1 ? sums : [])}${gains.frame.cut && !look.isPart && html`<p class="below">${sayMissing(sales.length, gains.frame.cut.of)}</p>`}`;
}

/** True of each part of a list, also of the last. */
const sayMissing = (shown: number, of: number | undefined): string =>
  `${of === undefined ? 'More sales' : `${of - shown} of ${of} sales`} are not in this part; the sums include them. Ask for the others, or for one instrument.`;

/** The sums of a currency as the last row of the table. */
const toTotalRow = ({ disposals, proceeds, cost, gain, currency }: TotalsModel): SaleRow => ({
  ...{ proceeds, cost, gain, currency },
  name: disposals === undefined ? 'Total' : `All ${countOf(disposals, 'sale')}`,
  soldOn: '',
});

const drawTotals = ({ currency, ...totals }: TotalsModel, look: FormatOptions): Markup => {
  const money = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, formatMoney(decimal, currency, look)] as const);
  const losses = totals.losses?.replace('-', '');
  const net =
    totals.gain !== undefined &&
    ([
      getSign(totals.gain) < 0 ? 'Net loss' : 'Net gain',
      formatSignedMoney(totals.gain, currency, look),
      totals.gain,
    ] as const);
  // The row of a single sale has the others.
  if (toNumber(totals.disposals) === 1) return hero(net, []);
  return hero(
    net,
    [
      totals.gains !== undefined && ['Gains', formatSignedMoney(totals.gains, currency, look), totals.gains],
      losses !== undefined && ['Losses', formatSignedMoney(negate(losses), currency, look), negate(losses)],
    ],
    [
      money('Proceeds', totals.proceeds),
      money('Cost', totals.cost),
      totals.disposals !== undefined && ['Sales', formatNumber(totals.disposals, look)],
    ],
  );
};

/** The rows that no figure includes, with what completes them. */
const drawUnmatched = ({ unmatched, unmatchedCount, ...gains }: Gains, look: FormatOptions): Markup =>
  html`${unmatchedCount > 0 && html`<p class="cares">${describeUnmatched(unmatchedCount, unmatched.length)}</p>`}${
    unmatched.length > 0 && table('Not in the totals', unmatchedColumns(gains, look), unmatched)
  }`;

const describeUnmatched = (count: number, listed: number): string =>
  count === 1
    ? 'The cost of one row is not known; totals exclude it.'
    : `The cost of ${count} rows is not known; totals exclude them.${listed < count && listed > 0 ? ` Showing ${listed} of them.` : ''}`;

/** A document has more instruments than these folded. */
const maxInstruments = 7;
/** The instruments that a view has open. */
const maxOpenInstruments = 8;

/** The largest gains and losses first; a document has every instrument in one table, with their sums. */
function drawTickers(gains: Gains, look: FormatOptions): Markup {
  const sorted = [...gains.byTicker].sort((a, b) => Math.abs(toNumber(b.gain)) - Math.abs(toNumber(a.gain)));
  const columns = tickerColumns(gains, look);
  const title = describeTickers(gains);
  if (look.isPart) {
    const isAll = gains.tickerCount === undefined;
    const sums = gains.totals.filter(({ gain }) => isAll && gain !== undefined).map(toTotalRow);
    const all = table(title, columns, sorted, sums);
    return sorted.length > maxInstruments ? fold(`By instrument (${sorted.length})`, all) : all;
  }
  const open = sorted.length > maxOpenInstruments + 2 ? maxOpenInstruments : sorted.length;
  const rest = sorted.slice(open);
  return html`${table(title, columns, sorted.slice(0, open))}${
    rest.length > 0 && fold(countOf(rest.length, 'more instrument'), table('Smaller gains and losses', columns, rest))
  }`;
}

/** What there is of gains and losses. */
const nameKinds = (rows: Gains['byTicker']): string => {
  const signs = new Set(rows.map(({ gain }) => getSign(gain)));
  return signs.has(1) && signs.has(-1) ? 'gains and losses' : signs.has(-1) ? 'losses' : 'gains';
};

const describeTickers = ({ tickerCount, byTicker }: Pick<Gains, 'tickerCount' | 'byTicker'>): string =>
  tickerCount === undefined
    ? `The largest ${nameKinds(byTicker)} first`
    : `The ${byTicker.length} of ${tickerCount} instruments with the largest gains or losses`;

/** The sums of each year, where the sales are of several; the newest first. */
function drawYears(gains: Gains, look: FormatOptions): Markup | false {
  const { byYear } = gains;
  if (new Set(byYear.map(({ year }) => year)).size < 2) return false;
  return table(
    'By year',
    [
      {
        label: 'Year',
        text: ({ year }) => year ?? unknown,
        small: ({ disposals }) => disposals && countOf(disposals, 'sale'),
      },
      money('Proceeds', 'proceeds', gains, look),
      money('Cost', 'cost', gains, look),
      gainColumn(gains, look),
    ] satisfies readonly Column<Gains['byYear'][number]>[],
    byYear.toReversed(),
  );
}

type Context = Pick<Gains, 'currency'>;

/** A sale, or the sum of all. */
type SaleRow = Partial<DisposalModel>;

type Instrument = Pick<SaleRow, 'ticker' | 'name'>;

/** The name of an instrument where the result has it, with its symbol below. */
const instrumentColumn: Column<Instrument> = {
  label: 'Instrument',
  text: ({ name, ticker }) => name ?? (ticker === undefined ? unknown : formatTicker(ticker)),
  small: ({ name, ticker }) => (name === undefined || ticker === undefined ? undefined : formatTicker(ticker)),
};

const unmatchedColumns = (context: Context, look: FormatOptions): readonly Column<UnmatchedModel>[] => [
  instrumentColumn,
  { label: 'Date', text: ({ at }) => formatDay(at, look), key: ({ at }) => at },
  quantityColumn(look),
  {
    label: 'Proceeds',
    text: ({ proceeds }) => (proceeds === undefined ? '' : formatMoney(proceeds, context.currency, look)),
    key: ({ proceeds }) => proceeds,
    isNumber: true,
    isResult: true,
  },
  { label: 'Reason', text: ({ reason }) => reason ?? unknown, small: ({ next }) => next, isLong: true },
];

const quantityColumn = <Row extends { readonly quantity: string | undefined }>(look: FormatOptions): Column<Row> => ({
  label: 'Quantity',
  text: ({ quantity }) => formatShares(quantity, look),
  key: ({ quantity }) => quantity,
  isNumber: true,
});

type Money = Pick<SaleRow, 'proceeds' | 'cost' | 'gain' | 'currency'>;

const money = <Row extends Money>(
  label: string,
  name: 'proceeds' | 'cost',
  { currency }: Context,
  look: FormatOptions,
): Column<Row> => ({
  label,
  text: (row) => formatMoney(row[name], row.currency ?? currency, look),
  key: (row) => row[name],
  isNumber: true,
});

/** Sign and colour show gain or loss; the sign is enough. */
const gainColumn = <Row extends Money>({ currency }: Context, look: FormatOptions): Column<Row> => ({
  label: 'Gain or loss',
  isResult: true,
  text: ({ gain, currency: own = currency }) => formatSignedMoney(gain, own, look),
  key: ({ gain }) => gain,
  isNumber: true,
  look: ({ gain }) => signClass(gain),
});

const tickerColumns = (
  gains: Context,
  look: FormatOptions,
): readonly Column<Instrument & Money & { readonly disposals?: string | undefined }>[] => [
  {
    ...instrumentColumn,
    small: ({ disposals, ...row }) =>
      [instrumentColumn.small?.(row), disposals && countOf(disposals, 'sale')].filter(Boolean).join(' · ') || undefined,
  },
  money('Proceeds', 'proceeds', gains, look),
  money('Cost', 'cost', gains, look),
  gainColumn(gains, look),
];

const saleColumns = (gains: Context, look: FormatOptions): readonly Column<SaleRow>[] => [
  {
    ...instrumentColumn,
    label: 'Sale',
    small: (sale) =>
      [instrumentColumn.small?.(sale), sale.quantity && `${formatShares(sale.quantity, look)} shares`]
        .filter(Boolean)
        .join(' · ') || undefined,
    detail: (sale) => describeSale(sale, gains, look),
  },
  { label: 'Date', text: ({ soldOn }) => formatDay(soldOn, look), key: ({ soldOn }) => soldOn, look: () => 'day' },
  money('Proceeds', 'proceeds', gains, look),
  money('Cost', 'cost', gains, look),
  gainColumn(gains, look),
];

/** The charges of a sale and what it was matched with; undefined where the result has neither, as by the broker’s figures. */
function describeSale(
  { charges, matches, rules, poolAfter, currency: own }: SaleRow,
  gains: Context,
  look: FormatOptions,
): Markup | undefined {
  const currency = own ?? gains.currency;
  const matched = matches ?? (rules?.startsWith('broker') ? undefined : rules);
  const lines = [
    charges !== undefined && `Charges: ${formatMoney(charges, currency, look)}`,
    matched !== undefined && `Matched: ${listMatches(matched, currency, look).join('; ')}`,
    poolAfter !== undefined && `Pool after: ${sayPool(poolAfter, currency, look)}`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? undefined : html`${lines.map((line) => html`<p>${line}</p>`)}`;
}
