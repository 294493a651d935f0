/** Draws realised gains and losses: totals, by instrument, and by sale. */

import { html, type Markup } from '../../../core/text/html-template.ts';
import type { DisposalModel, Gains, TotalsModel, UnmatchedModel } from '../model/read-gains.ts';
import {
  type FormatOptions,
  formatDay,
  formatMoney,
  formatNumber,
  formatSignedMoney,
  getSign,
} from './format-values.ts';
import { type Column, empty, figures, section, signClass, table } from './section.ts';

const methods: Readonly<Record<string, string>> = {
  broker: 'The broker’s own figures',
  fifo: 'First in, first out',
  average: 'Average cost',
  uk_section_104: 'UK share matching: same day, thirty days, section 104 pool',
};

export function drawGains(gains: Gains, look: FormatOptions): Markup {
  const { frame, currency, method, taxYear, totals, reportableIncome, disposals, byTicker } = gains;
  const how = [method === undefined ? undefined : (methods[method] ?? method), taxYear && `tax year ${taxYear}`];
  const hasSeveral = totals.length > 1;
  const unit = hasSeveral ? 'in the currency of each row' : `in ${currency ?? 'the account’s currency'}`;
  const body = html`<p class="soft">${how.filter(Boolean).join(', ')}</p>
${totals.map((sums) => html`${hasSeveral && html`<h3>${sums.currency ?? 'Unknown currency'}</h3>`}${drawTotals(sums, look)}`)}
${
  reportableIncome !== undefined &&
  figures([['Excess reportable income', formatMoney(reportableIncome, currency, look), undefined]])
}
${drawUnmatched(gains, unit, look)}
${byTicker.length > 1 && html`<h3>By instrument</h3>${table(`${describeTickers(gains)}Amounts ${unit}`, tickerColumns(look), byTicker)}`}
${
  disposals.length === 0
    ? empty(frame, 'No sales in this range.')
    : html`${byTicker.length > 1 && html`<h3>Sale by sale</h3>`}${table(
        `${disposals.length === 1 ? 'One sale' : `${disposals.length} sales`}, amounts ${unit}`,
        saleColumns(disposals, look),
        disposals,
      )}`
}`;
  const rows = { shown: disposals.length, what: 'sales' };
  return section({ id: 'gains', title: 'Realised gains and losses', frame, rows, body }, look);
}

const drawTotals = ({ currency, ...totals }: TotalsModel, look: FormatOptions): Markup =>
  figures([
    totals.gain !== undefined && [
      getSign(totals.gain) < 0 ? 'Net loss' : 'Net gain',
      formatSignedMoney(totals.gain, currency, look),
      totals.gain,
    ],
    totals.gains !== undefined && ['Gains', formatMoney(totals.gains, currency, look)],
    totals.losses !== undefined && ['Losses', formatMoney(totals.losses, currency, look)],
    totals.proceeds !== undefined && ['Proceeds', formatMoney(totals.proceeds, currency, look)],
    totals.cost !== undefined && ['Cost', formatMoney(totals.cost, currency, look)],
    totals.disposals !== undefined && ['Sales', formatNumber(totals.disposals, look)],
  ]);

/** The rows that no figure includes, with what completes them. */
const drawUnmatched = ({ unmatched, unmatchedCount }: Gains, unit: string, look: FormatOptions): Markup =>
  html`${unmatchedCount > 0 && html`<p class="notes">${describeUnmatched(unmatchedCount, unmatched.length)}</p>`}${
    unmatched.length > 0 && table(`Not in the totals, amounts ${unit}`, unmatchedColumns(look), unmatched)
  }`;

const describeUnmatched = (count: number, listed: number): string =>
  count === 1
    ? 'The cost of one row is not known; totals exclude it.'
    : `The cost of ${count} rows is not known; totals exclude them.${listed < count && listed > 0 ? ` Showing ${listed} of them.` : ''}`;

const describeTickers = ({ tickerCount, byTicker }: Gains): string =>
  tickerCount === undefined
    ? ''
    : `The ${byTicker.length} of ${tickerCount} instruments with the largest gains or losses. `;

const unmatchedColumns = (look: FormatOptions): readonly Column<UnmatchedModel>[] => [
  { label: 'Date', text: ({ at }) => formatDay(at, look), key: ({ at }) => at },
  { label: 'Ticker', text: ({ ticker }) => ticker ?? 'unknown' },
  amount('Quantity', ({ quantity }) => quantity, look),
  {
    ...amount<UnmatchedModel>('Proceeds', ({ proceeds }) => proceeds, look),
    text: ({ proceeds }) => (proceeds === undefined ? '' : formatNumber(proceeds, look)),
  },
  { label: 'Reason', text: ({ reason }) => reason ?? 'unknown', small: ({ next }) => next, isLong: true },
];

type Money = Pick<DisposalModel, 'ticker' | 'proceeds' | 'cost' | 'gain'>;

const amount = <Row>(label: string, pick: (row: Row) => string | undefined, look: FormatOptions): Column<Row> => ({
  label,
  text: (row) => formatNumber(pick(row), look),
  key: pick,
  isNumber: true,
});

/** Sign and text show gain or loss; colour only in addition. */
const gainColumn = <Row extends Money>(look: FormatOptions): Column<Row> => ({
  label: 'Gain or loss',
  text: ({ gain }) =>
    gain === undefined
      ? 'unknown'
      : `${formatSignedMoney(gain, undefined, look)} ${['loss', 'even', 'gain'][getSign(gain) + 1]}`,
  key: ({ gain }) => gain,
  isNumber: true,
  look: ({ gain }) => signClass(gain),
});

const tickerColumns = (look: FormatOptions): readonly Column<Gains['byTicker'][number]>[] => [
  { label: 'Ticker', text: ({ ticker }) => ticker ?? 'unknown', small: ({ currency }) => currency },
  amount('Sales', ({ disposals }) => disposals, look),
  amount('Proceeds', ({ proceeds }) => proceeds, look),
  amount('Cost', ({ cost }) => cost, look),
  gainColumn(look),
];

const saleColumns = (disposals: readonly DisposalModel[], look: FormatOptions): readonly Column<DisposalModel>[] => [
  { label: 'Sold on', text: ({ soldOn }) => formatDay(soldOn, look), key: ({ soldOn }) => soldOn },
  { label: 'Ticker', text: ({ ticker }) => ticker ?? 'unknown', small: ({ currency }) => currency },
  amount('Quantity', ({ quantity }) => quantity, look),
  amount('Proceeds', ({ proceeds }) => proceeds, look),
  amount('Cost', ({ cost }) => cost, look),
  gainColumn(look),
  ...(disposals.some(({ charges }) => charges !== undefined)
    ? [amount<DisposalModel>('Charges', ({ charges }) => charges, look)]
    : []),
  {
    label: 'Matched by',
    // `same_day 10, section_104 5` with spaces.
    text: ({ matches, rules }) => (matches ?? rules)?.replace(/_/g, ' ') ?? 'unknown',
    small: ({ poolAfter }) => poolAfter && `Pool after: ${poolAfter}`,
    isLong: true,
  },
];
