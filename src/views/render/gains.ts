/** Draws realised gains and losses: totals, by instrument, and by sale. */

import { html, type Markup } from '../../html-template.ts';
import type { DisposalModel, Gains } from '../model/gains.ts';
import {
  type FormatOptions,
  formatDay,
  formatMoney,
  formatNumber,
  formatSignedMoney,
  getSign,
} from './format-values.ts';
import { empty, figures, section, signClass } from './section.ts';
import { type Column, table } from './table.ts';

const methods: Readonly<Record<string, string>> = {
  broker: 'The broker’s own figures',
  fifo: 'First in, first out',
  average: 'Average cost',
  uk_section_104: 'UK share matching: same day, thirty days, section 104 pool',
};

export function drawGains(gains: Gains, look: FormatOptions): Markup {
  const { frame, currency, method, taxYear, totals, unmatched, disposals, byTicker } = gains;
  const how = [method === undefined ? undefined : (methods[method] ?? method), taxYear && `tax year ${taxYear}`];
  const unit = `in ${currency ?? 'the account’s currency'}`;
  const body = html`<p class="soft">${how.filter(Boolean).join(', ')}</p>
${figures([
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
])}
${unmatched > 0 && html`<p class="notes">${describeUnmatched(unmatched)}</p>`}
${byTicker.length > 1 && html`<h3>By instrument</h3>${table(`Amounts ${unit}`, tickerColumns(look), byTicker)}`}
${
  disposals.length === 0
    ? empty(frame, 'No sales in this range.')
    : html`${byTicker.length > 1 && html`<h3>Sale by sale</h3>`}${table(`${disposals.length === 1 ? 'One sale' : `${disposals.length} sales`}, amounts ${unit}`, saleColumns(look), disposals)}`
}`;
  return section({ id: 'gains', title: 'Realised gains and losses', frame, body }, look);
}

const describeUnmatched = (count: number): string =>
  count === 1
    ? 'One sale could not be matched with its purchase; totals exclude it.'
    : `${count} sales could not be matched with their purchases; totals exclude them.`;

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
  { label: 'Ticker', text: ({ ticker }) => ticker ?? 'unknown' },
  amount('Sales', ({ disposals }) => disposals, look),
  amount('Proceeds', ({ proceeds }) => proceeds, look),
  amount('Cost', ({ cost }) => cost, look),
  gainColumn(look),
];

const saleColumns = (look: FormatOptions): readonly Column<DisposalModel>[] => [
  { label: 'Sold on', text: ({ soldOn }) => formatDay(soldOn, look), key: ({ soldOn }) => soldOn },
  { label: 'Ticker', text: ({ ticker }) => ticker ?? 'unknown' },
  amount('Quantity', ({ quantity }) => quantity, look),
  amount('Proceeds', ({ proceeds }) => proceeds, look),
  amount('Cost', ({ cost }) => cost, look),
  gainColumn(look),
  {
    label: 'Matched by',
    // `same_day 10, section_104 5` with spaces.
    text: ({ rules }) => rules?.replace(/_/g, ' ') ?? 'unknown',
    isLong: true,
  },
];
