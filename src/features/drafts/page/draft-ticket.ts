/** The orders of a draft on a page: each with the facts of a ticket, then one line for each, and the totals. */
import Big from 'big.js';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { amount, groupThousands, price } from '../../../core/approval/page/labels.ts';
import {
  costFacts,
  type Fact,
  factList,
  instrumentFacts,
  orderFacts,
  orderTitle,
  pendingTable,
  share,
} from '../../../core/approval/page/ticket-details.ts';
import type { DraftLegTicket, DraftTicket, LegTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { describeSharedText, findSharedTexts } from '../../../core/text/shared-texts.ts';
import { listMarks } from '../leg-marks.ts';

type Priced = Pick<DraftLegTicket, 'priceThen' | 'priceNow' | 'isPriceAssumed'>;

/** All orders in the sequence in which they are sent, each as a card. A warning that several have is above them. */
export function ticketLegs({ legs }: Pick<DraftTicket, 'legs'>): Html {
  const shared = findSharedTexts(legs.map(({ ticket }, index) => ({ number: index + 1, texts: ticket.warnings })));
  const above = new Set(shared.map(({ text }) => text));
  return html`${
    shared.length > 0 &&
    html`<section class="card"><ul class="notes">${shared.map((one) => html`<li>${describeSharedText(one, legs.length)}</li>`)}</ul></section>`
  }${legs.map((leg, index) => legCard(leg, index + 1, legs.length, above))}`;
}

/** What is unusual comes before the facts, and the service's text about the instrument last. */
function legCard(leg: DraftLegTicket, place: number, count: number, above: ReadonlySet<string>): Html {
  const { number, ticket } = leg;
  const { before, after } = ticket.position;
  const notes = listNotes(leg).filter((text) => !above.has(text));
  return html`
<section class="card leg" aria-labelledby="leg-${number}">
<h2 id="leg-${number}">${orderTitle(ticket.order)} <span class="place">${place} of ${count}</span></h2>
${
  ticket.isRepetition &&
  html`<p class="repetition"><strong>SECOND IDENTICAL ORDER</strong> An order exactly like this one was placed before.</p>`
}
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
<div class="halves">
<div>${factList([
    ...orderFacts(ticket),
    ...costFacts(ticket),
    ...priceMoveFacts(leg, ticket.instrument.currency),
    ['Position', html`<b>${groupThousands(before)}</b> → <b>${groupThousands(after)}</b>`],
  ])}</div>
<div>${factList(instrumentFacts(ticket))}
${ticket.pendingOnTicker.length > 0 && html`<h3>Pending orders on <bdi>${ticket.order.ticker}</bdi></h3>${pendingTable(ticket)}`}</div>
</div>
</section>`;
}

const listNotes = (leg: DraftLegTicket): readonly string[] => [
  ...listMarks(leg).map(({ note }) => note),
  ...leg.ticket.warnings,
];

function priceMoveFacts(
  { priceThen, priceNow, isPriceAssumed }: Priced,
  currency: string | undefined,
): readonly Fact[] {
  const assumed = isPriceAssumed && html` <strong class="flag">assumed</strong>`;
  return [
    ['When drafted', priceThen === undefined ? 'price unknown' : html`${price(priceThen, currency)}${assumed}`],
    [
      'Known now',
      priceNow === undefined
        ? 'price unknown'
        : html`${price(priceNow, currency)}${priceThen !== undefined && html`, ${describeMove(priceThen, priceNow)}`}`,
    ],
  ];
}

function describeMove(then: string, now: string): string {
  if (new Big(then).eq(0)) return 'cannot be compared';
  const percent = new Big(now).div(then).minus(1).times(100);
  if (percent.round(2).eq(0)) return 'unchanged';
  return `${percent.gt(0) ? '+' : '−'}${percent.abs().toFixed(2)} %`;
}

/** What became of an order, by the number of its leg. */
export type LegResults = ReadonlyMap<number, Html>;

/** One line for each order, with what became of it when `results` has that. */
export const ticketList = ({ legs, totals }: DraftTicket, results?: LegResults): Html => html`
<table class="lines">
<caption>${legs.length === 1 ? 'One order' : `${legs.length} orders`}, sent in this sequence</caption>
<thead><tr><th scope="col">Order</th>${
  results && html`<th scope="col">Result</th>`
}<th scope="col" class="number">${totals.currency ?? 'Value'}, % of account</th></tr></thead>
<tbody>${legs.map((leg, index) => legLine(leg, index + 1, results))}</tbody>
</table>`;

function legLine(leg: DraftLegTicket, place: number, results: LegResults | undefined): Html {
  const { order, estimate, isRepetition } = leg.ticket;
  const { assumed, value = assumed?.value, percentOfAccount: percent } = estimate;
  const warnings = leg.ticket.warnings.length;
  const marks = [
    ...(isRepetition ? ['second identical order'] : []),
    ...listMarks(leg).map(({ mark }) => mark),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
  ];
  return html`<tr><th scope="row"><a href="#leg-${leg.number}">${place}</a> <span class="direction ${
    order.side === 'BUY' ? 'buy' : 'sell'
  }">${order.side}</span> ${groupThousands(order.quantity)} × <bdi>${order.ticker}</bdi> <span class="terms">${terms(
    order,
  )}</span>${marks.map((mark) => html` <span class="flag">${mark}</span>`)}</th>${
    results && html`<td>${results.get(leg.number) ?? 'waiting'}</td>`
  }<td class="number">${
    value === undefined
      ? html`<b class="unknown">unknown</b>`
      : html`<b>${groupThousands(value)}</b> <span class="terms">${percent === undefined ? 'unknown %' : `${percent} %`}</span>`
  }</td></tr>`;
}

/** Type and prices. */
const terms = ({ type, limitPrice, stopPrice }: LegTicket['order']): string =>
  stopPrice === undefined && limitPrice === undefined
    ? formatConstant(type)
    : [stopPrice && `stop ${groupThousands(stopPrice)}`, limitPrice && `limit ${groupThousands(limitPrice)}`]
        .filter(Boolean)
        .join(', ');

/** What the orders come to together. A figure that leaves orders out says so. */
export function ticketTotals({ totals }: Pick<DraftTicket, 'totals'>): Html {
  const { bought, sold, worst, charges, currency, unknownValues, largestPercent, largestShare } = totals;
  const known = (value: Html) => (unknownValues === 0 ? value : html`at least ${value}`);
  return factList([
    ['Buys', known(amount(bought, currency))],
    ['Buys, worst case', known(amount(worst, currency))],
    ['Sells', known(amount(sold, currency))],
    ['Charges', charges === undefined ? 'unknown' : html`${amount(charges, currency)}, estimated`],
    ['Largest order', largestPercent === undefined ? 'unknown' : known(html`${share(largestPercent)} of the account`)],
    [
      'Largest ticker',
      largestShare === undefined
        ? 'unknown'
        : known(html`${share(largestShare.percent)} of the account, <bdi>${largestShare.ticker}</bdi>`),
    ],
    unknownValues === 0
      ? undefined
      : ['Value unknown', html`<b class="unknown">${countOf(unknownValues, 'order')}</b>`],
  ]);
}
