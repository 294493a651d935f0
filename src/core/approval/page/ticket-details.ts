/** An order as its person sees it on a page: what it is called, its cards, and the orders that are pending beside it. */

import type { LegTicket as Ticket } from '../../orders/intent/draft-approval.ts';
import { formatConstant } from '../../text/count-of.ts';
import { isPence } from '../../text/currency-units.ts';
import { costFacts, estimatedValue, instrumentFacts, orderFacts, percentValue, positionFact } from '../ticket-facts.ts';
import { drawValue, factCard, groupThousands } from './draw-facts.ts';
import { type Html, html } from './html.ts';

/**
 * The order is first and the service's text about the instrument last, so that a long or false name displaces
 * nothing. Warnings and pending orders are those of the moment of the question, so a decided order does not show them.
 */
export const ticketDetails = (ticket: Ticket, isOpen: boolean): Html => html`
<div class="cards">
<div>${factCard('order', 'Order', orderFacts(ticket))}</div>
<div>${factCard('cost', ticket.order.side === 'BUY' ? 'Cost' : 'Proceeds', [...costFacts(ticket), positionFact(ticket)])}</div>
</div>
${isOpen && warnings(ticket.warnings)}
${isOpen && pending(ticket)}
${factCard('instrument', 'Instrument', instrumentFacts(ticket))}`;

/** Side, quantity and ticker. */
export const orderTitle = ({ side, quantity, ticker }: Pick<Ticket['order'], 'side' | 'quantity' | 'ticker'>): Html =>
  html`<span class="side ${side === 'BUY' ? 'buy' : 'sell'}">${side}</span> <bdi>${groupThousands(
    quantity,
  )}</bdi> <span class="times">×</span> <bdi class="ticker">${ticker}</bdi>`;

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

/** The estimated amount in one line, for the top of the page. */
export function costLine(ticket: Ticket): Html {
  const { percentOfAccount } = ticket.estimate;
  const { label, value } = estimatedValue(ticket);
  return html`${label}: ${drawValue(value)}${percentOfAccount !== undefined && html`, ${drawValue(percentValue(percentOfAccount, 'of the account'))}`}`;
}
