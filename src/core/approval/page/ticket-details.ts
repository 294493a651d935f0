/** An order as its person sees it on a page: what it is called, its figures, and the orders that are pending beside it. */

import type { Ticket as OrderTicket } from '../../orders/intent/approval-port.ts';
import type { LegTicket as Ticket } from '../../orders/intent/draft-approval.ts';
import { countOf, formatConstant } from '../../text/count-of.ts';
import { formatTicker } from '../../text/format-money.ts';
import {
  boundFacts,
  cashFact,
  estimatedValue,
  type Fact,
  getPlainName,
  instrumentFacts,
  joinNote,
  lastPriceFact,
  listWarnings,
  orderFacts,
  positionFact,
  price,
  priceFacts,
  shareFacts,
} from '../ticket-facts.ts';
import { drawNumber, drawValue, factList, figureList } from './draw-facts.ts';
import { type Html, html } from './html.ts';

/**
 * Warnings are first, because the decision covers the end of a small page. The service's text about the instrument is
 * last, so that a long or false text displaces nothing.
 * Warnings and pending orders are those of the moment of the question, so a decided order does not show them.
 */
export const ticketDetails = (ticket: OrderTicket, isOpen: boolean): Html => html`
${isOpen && warningBox(listWarnings(ticket))}
<section class="card" aria-labelledby="cost">
<h2 id="cost" class="unseen">${ticket.order.side === 'BUY' ? 'Cost' : 'Proceeds'}</h2>
${ticketFigures(ticket, cashFact(ticket))}
${factList([...lesserFacts(ticket), positionFact(ticket), ...(isOpen ? noPending(ticket) : [])], 'lesser')}
</section>
${
  isOpen &&
  ticket.pendingOnTicker.length > 0 &&
  html`<section class="card" aria-labelledby="pending">${pendingTitle(ticket)}${pendingTable(ticket)}</section>`
}
<section aria-labelledby="instrument"><h2 id="instrument" class="unseen">Instrument</h2>${identityList(ticket)}</section>`;

/** What a person decides by: the value, the price beside the last one, and what `third` says. */
export const ticketFigures = (ticket: Ticket, third: Fact): Html =>
  figureList([estimatedValue(ticket), ...priceFigures(ticket), third]);

/** The prices of the order; the last price is a note on them, and takes their place where the order has none. */
function priceFigures(ticket: Ticket): readonly Fact[] {
  const prices = priceFacts(ticket.order, ticket.instrument.currency);
  const last = lastPriceFact(ticket);
  if (prices.length === 0) return [last];
  const note = [last.label, ...joinNote(last)];
  return prices.map((fact, index) => (index === prices.length - 1 ? { ...fact, note } : fact));
}

/** The other facts of the order, of a lower rank. */
export const lesserFacts = (ticket: Ticket): readonly Fact[] => [...boundFacts(ticket), ...shareFacts(ticket)];

/** `2 pending orders on it`, for the head of the order: the decision can cover the list of them. */
export function describePending({ pendingOnTicker, morePending = 0 }: Ticket): string | undefined {
  const count = pendingOnTicker.length + morePending;
  return count === 0 ? undefined : `${countOf(count, 'pending order')} on it`;
}

const noPending = ({ pendingOnTicker }: Ticket): readonly Fact[] =>
  pendingOnTicker.length === 0 ? [{ label: 'Pending orders', value: ['None'] }] : [];

/** The type of the order in one line, below its title. */
export const typeLine = (ticket: Ticket): Html => factList(orderFacts(ticket).slice(0, 1), 'sum type');

/** What the instrument is at the broker, in small type. */
export const identityList = (ticket: Ticket): Html => factList(instrumentFacts(ticket), 'identity');

/** Side, quantity and instrument: its name, then its symbol. A name that could be read as a fact is not in a title. */
export function orderTitle(
  { side, quantity, ticker }: Pick<Ticket['order'], 'side' | 'quantity' | 'ticker'>,
  instrument: Pick<Ticket['instrument'], 'name'>,
): Html {
  const name = getPlainName(instrument);
  return html`<span class="side ${side === 'BUY' ? 'buy' : 'sell'}">${side}</span> <bdi>${drawNumber(
    quantity,
  )}</bdi> <span class="times">×</span> ${name !== undefined && html`<bdi class="name">${name}</bdi> `}<bdi class="ticker">${formatTicker(ticker)}</bdi>`;
}

/** The same for the title of a window. */
export const writeTitle = ({ order: { side, quantity, ticker }, instrument }: Ticket): string =>
  `${side} ${drawNumber(quantity)} × ${getPlainName(instrument) ?? formatTicker(ticker)}`;

/** Nothing for an order that is the first of its kind. */
export const repetitionBox = ({ isRepetition }: Ticket): Html | false =>
  isRepetition &&
  html`<p class="repetition"><strong>SECOND IDENTICAL ORDER</strong> An order exactly like this one was placed before.</p>`;

/** What a person is warned of, before the figures. */
export const warningBox = (texts: readonly string[]): Html | false =>
  texts.length > 0 &&
  html`<ul class="notes" aria-label="${texts.length === 1 ? 'Warning' : 'Warnings'}">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;

const pendingTitle = ({ order }: Ticket): Html =>
  html`<h2 id="pending">Pending orders on <bdi>${formatTicker(order.ticker)}</bdi></h2>`;

/** The same below the facts of an order of a draft; false where none is pending. */
export const pendingOrders = (ticket: Ticket): Html | false =>
  ticket.pendingOnTicker.length > 0 &&
  html`<h4>Pending orders on <bdi>${formatTicker(ticket.order.ticker)}</bdi></h4>${pendingTable(ticket)}`;

/** The orders that are pending on the ticker, and how many more there are. */
const pendingTable = ({
  pendingOnTicker: orders,
  morePending = 0,
  instrument,
}: Pick<Ticket, 'pendingOnTicker' | 'morePending' | 'instrument'>): Html => html`
<table>
<caption class="unseen">${countPending(orders.length, morePending)}</caption>
<thead><tr><th scope="col">Side</th><th scope="col" class="number">Quantity</th><th scope="col">Order</th></tr></thead>
<tbody>${orders.map((order) => pendingRow(order, instrument.currency))}</tbody>
</table>`;

const countPending = (shown: number, more: number): string =>
  more > 0 ? `${shown} of ${shown + more} orders` : shown === 1 ? 'One order' : `${shown} orders`;

const pendingRow = (
  { side, type, quantity, limitPrice, stopPrice }: Ticket['pendingOnTicker'][number],
  currency: string | undefined,
): Html => {
  const priceAt = (name: string, value: string | undefined) =>
    value !== undefined && html` <span class="price">${name} ${drawValue(price(value, currency))}</span>`;
  // With one price, the type of the order already shows which one it is.
  const names = stopPrice !== undefined && limitPrice !== undefined ? ['with stop', 'and limit'] : ['at', 'at'];
  return html`<tr><th scope="row">${side}</th><td class="number">${drawNumber(quantity)}</td
><td>${formatConstant(type)}${priceAt(names[0] ?? '', stopPrice)}${priceAt(names[1] ?? '', limitPrice)}</td></tr>`;
};
