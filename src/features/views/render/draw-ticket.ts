/**
 * Draws an order ticket: what the order is, and until when a person can approve it elsewhere. It shows one result, so
 * it claims nothing about later events such as an approval.
 */

import type { orderStatuses } from '../../../core/endpoints/orders.ts';
import type { OutcomeName } from '../../../core/orders/intent/outcome.ts';
import { formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp, type OutcomeTone, orderSentences, orderTitles } from '../../../core/text/outcome-sentences.ts';
import type { TicketModel } from '../model/read-ticket.ts';
import { type FormatOptions, formatMoney, formatNumber, formatPrice, formatTimestamp } from './format-values.ts';
import { approvalWays, environmentBadge, hero, section, sideMark } from './section.ts';

const orderTypeLabels: Readonly<Record<string, string>> = {
  MARKET: 'Market order',
  LIMIT: 'Limit order',
  STOP: 'Stop order',
  STOP_LIMIT: 'Stop limit order',
};

const validityLabels: Readonly<Record<string, string>> = {
  DAY: 'until midnight at the exchange',
  GOOD_TILL_CANCEL: 'until it is filled or cancelled',
};

/** Returns the full seconds until the approval expires; undefined when it does not expire. */
export const secondsLeft = ({ approval }: TicketModel, now: number): number | undefined =>
  approval?.expiresAt === undefined ? undefined : Math.max(0, Math.ceil((approval.expiresAt - now) / 1000));

export const countdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function drawTicket(ticket: TicketModel, look: FormatOptions & { readonly now: number }): Markup {
  const left = secondsLeft(ticket, look.now);
  const { title, tone } = left === 0 ? expired : describeState(ticket);
  const isWaiting = left !== undefined && left > 0;
  // Warnings say when the order can be filled, which belongs to the decision, and to what became of it.
  const isPlaced = getPlacedStatus(ticket) !== undefined;
  const state = html`<div class="state ${tone}"${left === 0 && html` role="status"`}><p class="title">${title}${ticket.orderId !== undefined && !ticket.isRepeated && html` <small>order ${ticket.orderId}</small>`}${isWaiting && html` <small class="left"><span class="clock" id="clock" role="timer">${countdown(left)}</span> left</small>`}</p>
${left === undefined ? result(ticket, look) : left === 0 ? over(ticket, look) : waits(ticket)}${isPlaced && drawWarnings(ticket)}</div>`;
  const order = html`<div class="ticket${ticket.isPreview && ' preview'}">
<h3>${headline(ticket, look)}</h3>
${subtitle(ticket, look)}
${orderFigures(ticket, look)}
${!isPlaced && !isWaiting && drawWarnings(ticket)}
${ticket.facts.map((text) => html`<p class="soft">${text}</p>`)}
</div>`;
  const body = html`${[state, order]}`;
  return section(
    { id: 'ticket', title: 'Order ticket', frame: ticket.frame, badge: environmentBadge(ticket.frame), body },
    look,
  );
}

interface State {
  readonly title: string;
  readonly tone: OutcomeTone;
}

const expired: State = { title: 'Approval expired', tone: 'bad' };

function describeState(ticket: TicketModel): State {
  const { isPreview, outcome, status } = ticket;
  if (isPreview)
    return isRefused(ticket)
      ? { title: 'Preview: would be refused now', tone: 'bad' }
      : { title: 'Preview: not sent', tone: 'calm' };
  const placed = getPlacedStatus(ticket);
  if (placed !== undefined) return { title: `Placed, ${formatStatus(placed).toLowerCase()}`, tone: 'good' };
  const known = lookUp(orderTitles, outcome);
  // The reason that a rule gives says nothing of whether the order was sent.
  if (known && outcome === 'refused' && ticket.reason !== undefined)
    return { ...known, title: `${known.title}, not sent` };
  return known ?? { title: status === undefined ? 'Order' : formatStatus(status), tone: 'calm' };
}

const isRefused = ({ rule, problems }: TicketModel): boolean => rule !== undefined || problems.length > 0;

/** What the broker says of a placed order, which is in the title and nowhere else. */
const getPlacedStatus = ({ outcome, status }: TicketModel): string | undefined =>
  outcome === 'placed' ? status : undefined;

/** What is bought or sold, by its name where the result has one. */
function headline({ order, instrument }: TicketModel, look: FormatOptions): Markup {
  const { side, quantity, ticker } = order;
  const what = instrument.name ?? (ticker === undefined ? undefined : formatTicker(ticker));
  const parts = [quantity === undefined ? undefined : `${formatNumber(quantity, look)} ×`, what];
  return html`${side !== undefined && html`${sideMark(side)} `}${parts.filter((part) => part !== undefined).join(' ') || 'An order'}`;
}

/** The symbol, the kind of order and its validity in one line, and its prices in the next. */
function subtitle({ order, instrument }: TicketModel, look: FormatOptions): Markup {
  const { type, ticker, limitPrice, stopPrice, timeValidity, extendedHours } = order;
  const price = (word: string, decimal: string | undefined) =>
    decimal !== undefined && html`<span>${word} <b>${formatPrice(decimal, instrument.currency, look)}</b></span>`;
  const prices = [price('Stop', stopPrice), price('Limit', limitPrice)].filter(Boolean);
  const parts = [
    instrument.name !== undefined && ticker !== undefined && formatTicker(ticker),
    type !== undefined && (orderTypeLabels[type] ?? formatConstant(type)),
    timeValidity !== undefined && (validityLabels[timeValidity] ?? formatConstant(timeValidity).toLowerCase()),
    extendedHours && 'also outside regular hours',
  ].filter(Boolean);
  return html`${parts.length > 0 && html`<p class="soft">${parts.join(' · ')}</p>`}${prices.length > 0 && html`<p class="prices">${prices}</p>`}`;
}

/** Outcomes after which the order does not exist. */
const ended = new Set<string>(['declined', 'expired', 'refused', 'rejected', 'not_sent'] satisfies OutcomeName[]);

/** An order that does not happen needs no warning. Beside the colour of a state, a warning has none of its own. */
const hasWarnings = ({ warnings, outcome }: TicketModel): boolean => warnings.length > 0 && !ended.has(outcome ?? '');

const drawWarnings = (ticket: TicketModel): Markup =>
  html`${hasWarnings(ticket) && html`<ul class="${ticket.isPreview ? 'cares' : 'said'}" aria-label="Warnings">${ticket.warnings.map((text) => html`<li>${text}</li>`)}</ul>`}`;

/** What the broker says of an order, where its code says too little. */
const statusWords: Readonly<Partial<Record<(typeof orderStatuses)[number], string>>> = {
  LOCAL: 'Not at the market yet',
  UNCONFIRMED: 'Not at the market yet',
  CONFIRMED: 'Confirmed by the broker',
  NEW: 'Waiting to be filled',
  CANCELLING: 'Being cancelled',
  PARTIALLY_FILLED: 'Partly filled',
  REPLACING: 'Being changed',
  REPLACED: 'Changed',
};

/** Statuses of an order that can still be cancelled. */
const pending = new Set<string>([
  'LOCAL',
  'UNCONFIRMED',
  'CONFIRMED',
  'NEW',
  'PARTIALLY_FILLED',
] satisfies (typeof orderStatuses)[number][]);

const formatStatus = (status: string): string => lookUp(statusWords, status) ?? formatConstant(status);

function orderFigures(
  { order, estimate, charges, cashAfter, status, outcome, rule }: TicketModel,
  look: FormatOptions,
): Markup {
  const { side, filledQuantity, limitPrice } = order;
  const { currency } = estimate;
  const isBuy = side !== 'SELL';
  const isEnded = ended.has(outcome ?? '');
  const money = (term: string, decimal: string | undefined, below: string) =>
    decimal !== undefined && ([term, formatMoney(decimal, currency, look), undefined, below] as const);
  return hero(money(isBuy ? 'Estimated cost' : 'Estimated proceeds', estimate.value, 'before charges'), [
    // The margin is that of the checks (`costMargin`). For a sale, estimate and worst case are equal.
    isBuy &&
      money(
        'Worst case',
        estimate.worst,
        limitPrice === undefined ? 'with 2% for price and charges' : 'with 2% for charges',
      ),
    // Of an order that does not happen there are no charges, and no cash after it.
    !isEnded &&
      charges !== undefined && [
        'Estimated charges',
        charges === 'unknown' ? charges : formatMoney(charges, currency, look),
      ],
    rule === undefined && !isEnded && money('Cash after', cashAfter, 'before charges'),
    filledQuantity !== undefined && ['Filled', formatNumber(filledQuantity, look)],
    status !== undefined && outcome !== 'placed' && ['Status', formatStatus(status)],
  ]);
}

function waits(ticket: TicketModel): Markup {
  return html`<p>${orderSentences.pending_approval}</p>
<p class="unseen" id="moments" aria-live="polite"></p>
${drawWarnings(ticket)}
${approvalWays(ticket.approval ?? {}, 'brokerage-mcp approve')}`;
}

function over({ approval }: TicketModel, look: FormatOptions): Markup {
  const end = approval?.expiresAt;
  return html`<p>The time to approve ended${
    end !== undefined && html` ${formatTimestamp(end, look)}`
  }. If the order was not approved before, nothing was sent.</p>
<p>This ticket does not follow the order: ask for its state in the conversation.</p>`;
}

/** Why the order does not pass, what would, and what became of it. */
function result(ticket: TicketModel, look: FormatOptions): Markup {
  const { isPreview, isRepeated, orderId, outcome, reason, largestQuantity, problems } = ticket;
  const lines = [
    reason,
    ...problems,
    largestQuantity !== undefined &&
      html`<b>At most ${formatNumber(largestQuantity, look)} shares would pass.</b> To order them, say so in the conversation.`,
    isPreview && (isRefused(ticket) ? 'Nothing was sent.' : 'This shows what the order would be.'),
    isRepeated && `Nothing new was sent: this is the earlier order${orderId === undefined ? '' : ` ${orderId}`}.`,
    !isRepeated &&
      (pending.has(getPlacedStatus(ticket) ?? '')
        ? 'To cancel it, say so in the conversation.'
        : reason !== undefined && ended.has(outcome ?? '')
          ? outcome !== 'refused' && `${outcome === 'rejected' ? 'No order exists' : 'Nothing was sent'}.`
          : lookUp(orderSentences, outcome)),
  ].filter(Boolean);
  return html`${lines.map((text) => html`<p>${text}</p>`)}`;
}
