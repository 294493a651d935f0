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
  formatSignedMoney,
  getSign,
  toNumber,
  unknown,
} from './format-values.ts';
import { sayMatches, sayPool } from './say-matches.ts';
import { type Column, empty, figures, fold, hero, section, signClass, table } from './section.ts';

const methods: Readonly<Record<string, string>> = {
  broker: 'the broker’s own figures',
  fifo: 'first in, first out',
  average: 'average cost',
  uk_section_104: 'UK rules: same day, thirty days, section 104 pool',
};

export function drawGains(gains: Gains, look: FormatOptions): Markup {
  const { frame, currency, method, taxYear, totals, reportableIncome, disposals, byTicker } = gains;
  const how = [taxYear && `Tax year ${taxYear}`, method && `by ${methods[method] ?? method}`];
  const hasSeveral = totals.length > 1;
  const isFolded = byTicker.length > 1;
  const sales = [...disposals].sort((a, b) => ((a.soldOn ?? '') < (b.soldOn ?? '') ? 1 : -1));
  const count = totals.reduce((sum, one) => sum + toNumber(one.disposals), 0);
  const shown = count > sales.length ? `${sales.length} of ${count}` : `${sales.length}`;
  const bySale = table(`${shown} ${sales.length === 1 ? 'sale' : 'sales'}`, saleColumns(sales, gains, look), sales);
  const body = html`<p class="soft">${how.filter(Boolean).join(', ')}</p>
${totals.map((sums) => html`${hasSeveral && html`<h3>${sums.currency ?? 'Unknown currency'}</h3>`}${drawTotals(sums, look)}`)}
${
  reportableIncome !== undefined &&
  figures([['Excess reportable income', formatMoney(reportableIncome, currency, look), undefined]])
}
${drawUnmatched(gains, look)}
${isFolded && drawTickers(gains, look)}
${disposals.length === 0 ? empty(frame, 'No sales in this range.') : isFolded ? fold(`Sale by sale (${shown})`, bySale) : bySale}`;
  const rows = { shown: disposals.length, what: 'sales' };
  return section({ id: 'gains', title: 'Realised gains and losses', frame, rows, body }, look);
}

const drawTotals = ({ currency, ...totals }: TotalsModel, look: FormatOptions): Markup => {
  const money = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, formatMoney(decimal, currency, look)] as const);
  const signed = (term: string, decimal: string | undefined) =>
    decimal !== undefined && ([term, formatSignedMoney(decimal, currency, look), decimal] as const);
  return hero(
    totals.gain !== undefined && [
      getSign(totals.gain) < 0 ? 'Net loss' : 'Net gain',
      formatSignedMoney(totals.gain, currency, look),
      totals.gain,
    ],
    [signed('Gains', totals.gains), signed('Losses', totals.losses && `-${totals.losses.replace('-', '')}`)],
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

/** More rows than these are folded: a reader of a chat wants the largest. */
const maxOpen = 8;

/** The largest gains and losses first. */
function drawTickers(gains: Gains, look: FormatOptions): Markup {
  const sorted = [...gains.byTicker].sort((a, b) => Math.abs(toNumber(b.gain)) - Math.abs(toNumber(a.gain)));
  const [first, rest] = [sorted.slice(0, maxOpen), sorted.slice(maxOpen)];
  const columns = tickerColumns(gains, look);
  return html`${table(describeTickers(gains), columns, first)}${
    rest.length > 0 &&
    fold(`${countOf(rest.length, 'more instrument')}`, table('Smaller gains and losses', columns, rest))
  }`;
}

const describeTickers = ({ tickerCount, byTicker }: Pick<Gains, 'tickerCount' | 'byTicker'>): string =>
  tickerCount === undefined
    ? 'By instrument, the largest first'
    : `The ${byTicker.length} of ${tickerCount} instruments with the largest gains or losses`;

type Context = Pick<Gains, 'currency'>;

interface Instrument {
  readonly ticker: string | undefined;
  readonly name: string | undefined;
}

/** The name of an instrument where the result has it, with its symbol below. */
const instrumentColumn: Column<Instrument> = {
  label: 'Instrument',
  text: ({ name, ticker }) => name ?? (ticker === undefined ? unknown : formatTicker(ticker)),
  small: ({ name, ticker }) => (name === undefined || ticker === undefined ? undefined : formatTicker(ticker)),
  isName: true,
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
  },
  { label: 'Reason', text: ({ reason }) => reason ?? unknown, small: ({ next }) => next, isLong: true },
];

const quantityColumn = <Row extends { readonly quantity: string | undefined }>(look: FormatOptions): Column<Row> => ({
  label: 'Quantity',
  text: ({ quantity }) => formatNumber(quantity, look),
  key: ({ quantity }) => quantity,
  isNumber: true,
});

type Money = Pick<DisposalModel, 'ticker' | 'proceeds' | 'cost' | 'gain' | 'currency'>;

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
  text: ({ gain, currency: own = currency }) => formatSignedMoney(gain, own, look),
  key: ({ gain }) => gain,
  isNumber: true,
  look: ({ gain }) => signClass(gain),
});

const tickerColumns = (gains: Context, look: FormatOptions): readonly Column<Gains['byTicker'][number]>[] => [
  {
    ...instrumentColumn,
    small: ({ disposals, ...row }) =>
      [instrumentColumn.small?.(row), disposals && countOf(disposals, 'sale')].filter(Boolean).join(' · ') || undefined,
  },
  money('Proceeds', 'proceeds', gains, look),
  money('Cost', 'cost', gains, look),
  gainColumn(gains, look),
];

const saleColumns = (
  disposals: readonly DisposalModel[],
  gains: Context,
  look: FormatOptions,
): readonly Column<DisposalModel>[] => [
  { label: 'Sold on', text: ({ soldOn }) => formatDay(soldOn, look), key: ({ soldOn }) => soldOn },
  instrumentColumn,
  quantityColumn(look),
  money('Proceeds', 'proceeds', gains, look),
  money('Cost', 'cost', gains, look),
  gainColumn(gains, look),
  ...(disposals.some(({ charges }) => charges !== undefined)
    ? [
        {
          label: 'Charges',
          text: ({ charges, currency = gains.currency }: DisposalModel) => formatMoney(charges, currency, look),
          key: ({ charges }: DisposalModel) => charges,
          isNumber: true,
        },
      ]
    : []),
  ...(disposals.some(({ matches, rules }) => matches !== undefined || !rules?.startsWith('broker'))
    ? [matchColumn(gains, look)]
    : []),
];

/** The broker’s figures do not say with what they matched. */
const matchColumn = (gains: Context, look: FormatOptions): Column<DisposalModel> => ({
  label: 'Matched with',
  text: ({ matches, rules, currency = gains.currency }) => sayMatches(matches ?? rules, currency, look),
  small: ({ poolAfter, currency = gains.currency }) => poolAfter && `Pool after: ${sayPool(poolAfter, currency, look)}`,
  isLong: true,
});
