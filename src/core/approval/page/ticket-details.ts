/** The facts of the order that the person has to know, each as a term and its value. */

import type { LegTicket as Ticket } from '../../orders/intent/draft-approval.ts';
import { formatConstant } from '../../text/count-of.ts';
import { isPence } from '../../text/currency-units.ts';
import { foreignName } from '../../text/sanitize-text.ts';
import { type Html, html } from './html.ts';
import { amount, groupThousands, orderTypeLabels, price, priceSourceLabel, validityLabels } from './labels.ts';

export type Fact = readonly [term: string, value: Html | string];
export type Facts = readonly (Fact | undefined)[];

/** The facts as a list of terms and values. */
export const factList = (facts: Facts): Html =>
  html`<dl>${facts.flatMap((fact) => (fact ? [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`] : []))}</dl>`;

export const list = (id: string, title: string, facts: Facts): Html => html`
<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${factList(facts)}
</section>`;

/**
 * The order is first and the service's text about the instrument last, so that a long or false name displaces
 * nothing. Warnings and pending orders are those of the moment of the question, so a decided order does not show them.
 */
export const ticketDetails = (ticket: Ticket, isOpen: boolean): Html => html`
<div class="cards">
<div>${list('order', 'Order', orderFacts(ticket))}</div>
<div>${list('cost', ticket.order.side === 'BUY' ? 'Cost' : 'Proceeds', costFacts(ticket))}${list(
  'position',
  'Position',
  positionFacts(ticket),
)}</div>
</div>
${isOpen && warnings(ticket.warnings)}
${isOpen && pending(ticket)}
${list('instrument', 'Instrument', instrumentFacts(ticket))}`;

/** Side, quantity and ticker. */
export const orderTitle = ({ side, quantity, ticker }: Pick<Ticket['order'], 'side' | 'quantity' | 'ticker'>): Html =>
  html`<span class="side ${side === 'BUY' ? 'buy' : 'sell'}">${side}</span> <bdi>${groupThousands(
    quantity,
  )}</bdi> <span class="times">×</span> <bdi class="ticker">${ticker}</bdi>`;

export const orderFacts = ({ order, instrument, estimate }: Ticket): Facts => [
  ['Type', orderTypeLabels[order.type] ?? formatConstant(order.type)],
  ...priceFacts(order, (value) => price(value, instrument.currency)),
  worstCase(order, estimate),
  order.timeValidity === undefined ? undefined : ['Valid', validityLabels[order.timeValidity] ?? order.timeValidity],
  extendedHours(order),
];

/** The prices that the order names. */
export const priceFacts = (
  { limitPrice, stopPrice }: Pick<Ticket['order'], 'limitPrice' | 'stopPrice'>,
  show: (value: string) => Html | string,
): Facts => [
  limitPrice === undefined ? undefined : ['Limit price', show(limitPrice)],
  stopPrice === undefined ? undefined : ['Stop price', show(stopPrice)],
];

/** The worst case, and whether a market order can be filled outside regular hours. */
export const boundFacts = ({ order, estimate }: Ticket): Facts => [worstCase(order, estimate), extendedHours(order)];

const extendedHours = ({ type, extendedHours: isExtended }: Ticket['order']): Fact | undefined =>
  type === 'MARKET'
    ? ['Extended hours', isExtended ? 'Yes, also outside regular hours' : 'No, regular hours only']
    : undefined;

/** For a sale this is the estimate, and calling it the worst case would promise too much. */
function worstCase(
  { side, type }: Pick<Ticket['order'], 'side' | 'type'>,
  { value, worst, currency }: Ticket['estimate'],
): Fact | undefined {
  const isBuy = side === 'BUY';
  if (worst === undefined) return ['Worst case', html`<b class="unknown">Value unknown</b>`];
  if (!isBuy && worst === value) return undefined;
  if (!isBuy) return ['Worst case', amount(worst, currency)];
  // The price of a limit order is bound, so what can be added is charges and the exchange rate.
  const hasBound = type === 'LIMIT' || type === 'STOP_LIMIT';
  return [
    'Worst case',
    html`${amount(worst, currency)}, with 2\u202f% for ${hasBound ? 'charges and exchange' : 'the price, charges and exchange'}`,
  ];
}

export const costFacts = (ticket: Ticket): Facts => [estimatedValue(ticket), ...estimateFacts(ticket)];

export const estimatedValue = ({ order, estimate, instrument }: Ticket): Fact => [
  order.side === 'BUY' ? 'Estimated cost' : 'Estimated proceeds',
  estimate.assumed
    ? html`${amount(estimate.assumed.value, estimate.currency)} at an assumed price of ${price(estimate.assumed.price, instrument.currency)}`
    : estimate.value === undefined
      ? html`<b class="unknown">Value unknown</b>`
      : amount(estimate.value, estimate.currency),
];

/** What the estimated value rests on. */
export function estimateFacts({ estimate, instrument }: Ticket): Facts {
  const { value, assumed, percentOfAccount: percent } = estimate;
  if (assumed) return [];
  if (value === undefined) return [['Why', 'The price, or the exchange rate to the account’s currency, is unknown.']];
  return [
    ['Of the account', percent === undefined ? 'unknown' : share(percent)],
    estimate.price === undefined
      ? undefined
      : [
          'Price used',
          html`${price(estimate.price, instrument.currency)}${
            estimate.priceFrom !== undefined && html`, ${priceSourceLabel(estimate.priceFrom)}`
          }`,
        ],
  ];
}

export const instrumentFacts = (ticket: Ticket): Facts => [
  ['Ticker', html`<code>${ticket.order.ticker}</code>`],
  ...identityFacts(ticket),
];

/** What the service says of the instrument; its name comes last. */
export function identityFacts({ instrument }: Ticket): Facts {
  const { name, isin, type, currency } = instrument;
  const shownName = foreignName(name);
  return [
    ['ISIN', isin === undefined ? 'unknown' : html`<code>${isin}</code>`],
    ['Type', type ?? 'unknown'],
    [
      'Currency',
      html`${currency ?? 'unknown'}${
        isPence(currency) && html` <strong class="flag">prices in pence</strong> <span>100 GBX are 1 GBP</span>`
      }`,
    ],
    ['Name', shownName === undefined ? 'unknown' : html`“<bdi>${shownName}</bdi>”`],
  ];
}

const positionFacts = ({ position: { before, after } }: Ticket): Facts => [
  ['Now', html`<b>${groupThousands(before)}</b>`],
  ['After this order', html`<b>${groupThousands(after)}</b>`],
];

const warnings = (texts: readonly string[]): Html | false =>
  texts.length > 0 &&
  html`
<section class="card warnings" aria-labelledby="warnings">
<h2 id="warnings">${texts.length === 1 ? 'Warning' : `${texts.length} warnings`}</h2>
<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>
</section>`;

function pending(ticket: Ticket): Html {
  const { pendingOnTicker: orders, order } = ticket;
  const title = html`<h2 id="pending">Pending orders on <bdi>${order.ticker}</bdi></h2>`;
  if (orders.length === 0) {
    return html`<section class="card" aria-labelledby="pending">${title}<p class="soft">None.</p></section>`;
  }
  return html`<section class="card" aria-labelledby="pending">${title}${pendingTable(ticket)}</section>`;
}

/** The orders that are pending on the ticker, and how many more there are. */
export function pendingTable({
  pendingOnTicker: orders,
  morePending = 0,
  instrument,
}: Pick<Ticket, 'pendingOnTicker' | 'morePending' | 'instrument'>): Html {
  const unit = html`${instrument.currency ?? 'an unknown currency'}${isPence(instrument.currency) && html` (pence)`}`;
  return html`
<table>
<caption>${countPending(orders.length, morePending)}, prices in ${unit}</caption>
<thead><tr><th scope="col">Side</th><th scope="col" class="number">Quantity</th><th scope="col">Order</th></tr></thead>
<tbody>${orders.map(pendingRow)}</tbody>
</table>`;
}

const countPending = (shown: number, more: number): string =>
  more > 0 ? `${shown} of ${shown + more} orders` : shown === 1 ? 'One order' : `${shown} orders`;

const pendingRow = ({ side, type, quantity, limitPrice, stopPrice }: Ticket['pendingOnTicker'][number]): Html => {
  const priceAt = (name: string, value: string | undefined) =>
    value !== undefined && html` <span class="price">${name} <b>${groupThousands(value)}</b></span>`;
  // With one price, the type of the order already shows which one it is.
  const names = stopPrice !== undefined && limitPrice !== undefined ? ['stop at', 'limit at'] : ['at', 'at'];
  return html`<tr><th scope="row">${side}</th><td class="number">${groupThousands(quantity)}</td
><td>${formatConstant(type)}${priceAt(names[0] ?? '', stopPrice)}${priceAt(names[1] ?? '', limitPrice)}</td></tr>`;
};

/** The amount in one line, for the top of the page. */
export function costLine({ order, estimate }: Ticket): Html {
  const { value, currency, percentOfAccount: percent } = estimate;
  const what = order.side === 'BUY' ? 'Estimated cost' : 'Estimated proceeds';
  if (value === undefined) return html`${what}: <b class="unknown">value unknown</b>`;
  return html`${what} ${amount(value, currency)}${percent !== undefined && html`, ${share(percent)} of the account`}`;
}

export const share = (percent: string): Html => html`<b>${percent.replace(/\s*%$/, '')}</b>&nbsp;%`;
