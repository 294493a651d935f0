/**
 * Draws an order ticket: what the order is, and until when a person can approve it elsewhere. It shows one result, so
 * it claims nothing about later events such as an approval.
 */

import { formatConstant } from '../../format-constant.ts';
import { html, type Markup } from '../../html-template.ts';
import type { TicketModel } from '../model/ticket.ts';
import { type FormatOptions, formatMoney, formatNumber, formatPrice, formatTimestamp } from './format-values.ts';
import { section } from './section.ts';

const orderTypeLabels: Readonly<Record<string, string>> = {
  MARKET: 'Market order',
  LIMIT: 'Limit order',
  STOP: 'Stop order',
  STOP_LIMIT: 'Stop-limit order',
};

const validityLabels: Readonly<Record<string, string>> = {
  DAY: 'Until midnight at the exchange',
  GOOD_TILL_CANCEL: 'Until it is filled or cancelled',
};

export const outcomeTitles: Readonly<Record<string, string>> = {
  pending_approval: 'Waiting for approval',
  placed: 'Placed',
  declined: 'Rejected by the human',
  expired: 'Expired',
  refused: 'Refused here',
  rejected: 'Rejected by the broker',
  not_sent: 'Not sent',
  unknown: 'Unknown: the order may be live',
};

/** Returns the full seconds until the approval expires; undefined when it does not expire. */
export const secondsLeft = ({ approval }: TicketModel, now: number): number | undefined =>
  approval?.expiresAt === undefined ? undefined : Math.max(0, Math.ceil((approval.expiresAt - now) / 1000));

export const countdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function drawTicket(ticket: TicketModel, look: FormatOptions & { readonly now: number }): Markup {
  const left = secondsLeft(ticket, look.now);
  const title =
    left === 0 ? 'Approval expired' : (outcomeTitles[ticket.outcome ?? ''] ?? formatConstant(ticket.status ?? 'Order'));
  const body = html`<div class="ticket">
<p><span class="badge${left === 0 && ' care'}">${title}</span></p>
<h3>${headline(ticket, look)}</h3>
${orderFigures(ticket, look)}
${ticket.warnings.length > 0 && html`<ul class="notes" aria-label="Warnings">${ticket.warnings.map((text) => html`<li>${text}</li>`)}</ul>`}
${left === undefined ? messageSection(ticket) : left === 0 ? over(ticket, look) : waits(ticket, left, look)}
${ticket.instrument.name !== undefined && html`<p class="soft">Name: “${ticket.instrument.name}”</p>`}
</div>`;
  return section({ id: 'ticket', title: 'Order ticket', frame: ticket.frame, body }, look);
}

const headline = ({ order }: TicketModel, look: FormatOptions): string =>
  [order.side, order.quantity === undefined ? undefined : `${formatNumber(order.quantity, look)} ×`, order.ticker]
    .filter((part) => part !== undefined)
    .join(' ') || 'An order';

function orderFigures(
  { order, instrument, estimate, status, orderId, intentId }: TicketModel,
  look: FormatOptions,
): Markup {
  const { type, side, timeValidity, filledQuantity } = order;
  const { currency } = estimate;
  const isBuy = side !== 'SELL';
  const list: readonly (readonly [string, string] | false)[] = [
    type !== undefined && ['Type', orderTypeLabels[type] ?? formatConstant(type)],
    side !== undefined && ['Side', formatConstant(side)],
    order.quantity !== undefined && ['Quantity', formatNumber(order.quantity, look)],
    filledQuantity !== undefined && ['Filled', formatNumber(filledQuantity, look)],
    order.limitPrice !== undefined && ['Limit price', formatPrice(order.limitPrice, instrument.currency, look)],
    order.stopPrice !== undefined && ['Stop price', formatPrice(order.stopPrice, instrument.currency, look)],
    timeValidity !== undefined && ['Valid', validityLabels[timeValidity] ?? formatConstant(timeValidity)],
    order.extendedHours !== undefined && ['Extended hours', order.extendedHours ? 'Yes' : 'No'],
    estimate.value !== undefined && [
      isBuy ? 'Estimated cost' : 'Estimated proceeds',
      formatMoney(estimate.value, currency, look),
    ],
    // For a sale, estimate and worst case are equal, and "At worst" would promise too much.
    isBuy && estimate.worst !== undefined && ['At worst', formatMoney(estimate.worst, currency, look)],
    status !== undefined && ['Status', formatConstant(status)],
    orderId !== undefined && ['Order id', orderId],
    intentId !== undefined && ['Intent id', intentId],
  ];
  return html`<dl class="facts">${list
    .filter((fact) => fact !== false)
    .map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>`;
}

function waits({ approval, message, next }: TicketModel, left: number, look: FormatOptions): Markup {
  const { how, address, expiresAt } = approval ?? {};
  return html`<div class="say"><p>${message}</p>
<p>Time left: <span class="clock" id="clock" role="timer">${countdown(left)}</span>
<span class="soft">until ${expiresAt !== undefined && formatTimestamp(expiresAt, look, true)}</span></p>
<p class="unseen" id="moments" aria-live="polite"></p></div>
<div class="say"><p><b>You cannot approve the order here.</b> ${how}</p>
${address !== undefined && html`<p><code>${address}</code></p>`}
${next !== undefined && html`<p>${next}</p>`}</div>`;
}

function over({ approval }: TicketModel, look: FormatOptions): Markup {
  const end = approval?.expiresAt;
  return html`<div class="say over" role="status"><p><b>Expired.</b> The time to approve ended${
    end !== undefined && ` at ${formatTimestamp(end, look, true)}`
  }. If the order was not approved before, nothing was sent.</p>
<p>This ticket does not follow the order: call get_order with the intent id to see its state.</p></div>`;
}

const messageSection = ({ message, reason, next, approval }: TicketModel): Markup => {
  const lines = [message, reason, approval?.how, approval?.address, next].filter((text) => text !== undefined);
  return html`${lines.length > 0 && html`<div class="say">${lines.map((text) => html`<p>${text}</p>`)}</div>`}`;
};
