/** Draws the orders of a draft: each once, with its terms, its value, what it would realise, and what became of it. */

import { formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp, orderTitles, ruleTitles } from '../../../core/text/outcome-sentences.ts';
import { type Fields, toDecimal, toText, toTexts } from '../model/read-answer.ts';
import {
  type FormatOptions,
  formatMoney,
  formatNumber,
  formatPrice,
  formatSignedMoney,
  unknown,
} from './format-values.ts';
import { sideMark, signClass } from './section.ts';

interface OrdersProps {
  readonly currency: string | undefined;
  /** What the check of an order says, where it differs from that of the others. */
  sayCheck(row: Fields): string;
  /** Warnings that are said above the orders. */
  readonly shared: ReadonlySet<string>;
  /** Of the sells: what each would realise. */
  readonly sales: readonly Fields[];
  /** What became of each order, by its number. */
  readonly results: ReadonlyMap<string, Fields>;
}

export const drawOrders = (rows: readonly Fields[], props: OrdersProps, look: FormatOptions): Markup =>
  html`<ol class="orders">${rows.map((row) => drawOrder(row, props, look))}</ol>`;

function drawOrder(
  row: Fields,
  { currency, sayCheck, shared, sales, results }: OrdersProps,
  look: FormatOptions,
): Markup {
  const number = toText(row.leg) ?? '';
  const gain = toDecimal(sales.find(({ ticker }) => ticker === row.ticker)?.gain);
  const result = results.get(number);
  const value = toDecimal(row.value);
  const said = sayCheck(row);
  const notes = [said, ...remarks(row, shared)].filter(Boolean);
  const charges = formatCharges(row.charges, currency, look);
  const symbol = toText(row.name) && toText(row.ticker) && formatTicker(String(row.ticker));
  return html`<li><span class="soft">${number}.</span><div>
<p><b class="name">${drawTitle(row, look)}</b></p>
<p class="soft">${[symbol, describeTerms(row, look), charges].filter(Boolean).join(' · ')}${gain !== undefined && html` · <span class="${signClass(gain)}">realises ${formatSignedMoney(gain, currency, look)}</span>`}</p>
${notes.length > 0 && html`<p class="${toText(row.rule) ? 'refusal' : 'soft'}">${notes.join(' ')}</p>`}
${drawResult(result)}</div>
<p class="worth">${'value' in row && (value !== undefined || !result) && html`<b>${formatMoney(value, currency, look)}</b>`}</p></li>`;
}

/** The side, and what is traded; text of another form as it is. */
const drawTitle = (row: Fields, look: FormatOptions): Markup =>
  row.side === undefined
    ? html`${toText(row.order) ?? unknown}`
    : html`${sideMark(toText(row.side))} ${formatNumber(toDecimal(row.quantity), look)} × ${nameInstrument(row)}`;

/** By its name, where the row has one. */
export function nameInstrument({ name, ticker }: Fields): string {
  const symbol = toText(ticker);
  return toText(name) ?? (symbol === undefined ? unknown : formatTicker(symbol));
}

/** An order that was not sent, or not yet, needs no attention. */
const calm = ['not_sent', 'declined', 'expired', 'waiting'];

function drawResult(result: Fields | undefined): Markup | false {
  if (!result) return false;
  const outcome = toText(result.outcome) ?? '';
  const tone = result.inFlight || calm.includes(outcome) ? 'calm' : lookUp(orderTitles, outcome)?.tone;
  const reason = toText(result.reason) ?? (toText(result.rule) && formatRule(String(result.rule)));
  return html`<p><span class="badge ${tone}">${result.inFlight ? 'Being sent now' : formatLegOutcome(outcome)}</span> <small>${
    toText(result.orderId) && `Order ${result.orderId}`
  }${reason}</small></p>`;
}

const formatLegOutcome = (outcome: string): string =>
  outcome === '' ? unknown : (lookUp(orderTitles, outcome)?.title ?? formatConstant(outcome));

export const formatRule = (rule: string): string => lookUp(ruleTitles, rule) ?? formatConstant(rule).toLowerCase();

function describeTerms(row: Fields, look: FormatOptions): string {
  const price = (value: unknown) => toText(value) && formatPrice(toDecimal(value), toText(row.priceCurrency), look);
  const [stop, limit] = [price(row.stopPrice), price(row.limitPrice)];
  const name = toText(row.type) === undefined ? '' : formatConstant(String(row.type));
  const terms = [
    stop && limit ? `${name}, stop ${stop}, limit ${limit}` : [name, stop ?? limit].filter(Boolean).join(' '),
    lookUp(validities, toText(row.timeValidity)),
    row.dependsOnSells === true && 'after the sells',
  ];
  return terms.filter(Boolean).join(', ');
}

const validities: Readonly<Record<string, string>> = { DAY: 'today only', GOOD_TILL_CANCEL: 'until it is cancelled' };

/** `STAMP_DUTY 0.50 (3 fills)` with its amount as money. Empty text means that own fills show no charges. */
const formatCharges = (charges: unknown, currency: string | undefined, look: FormatOptions): string | undefined => {
  if (charges === undefined || charges === '') return undefined;
  return (
    toText(charges)
      ?.split(', ')
      .map((charge) => {
        const [, kind, amount] = /^([A-Z_]+) (-?[\d.]+) \(\d+ fills?\)$/.exec(charge) ?? [];
        return kind === undefined ? charge : `${formatConstant(kind)} ${formatMoney(amount, currency, look)}`;
      })
      .join(', ') ?? 'charges unknown'
  );
};

const remarks = (row: Fields, shared: ReadonlySet<string>): readonly (string | false | undefined)[] => [
  toText(row.problem),
  toText(row.largestQuantity) && `Up to ${row.largestQuantity} shares would pass.`,
  (row.priceFrom === 'assumed' || row.priceAssumed === true) && 'Its price was assumed.',
  row.extendedHours === true && 'Also outside regular hours.',
  ...toTexts(row.warnings).filter((text) => !shared.has(text)),
];
