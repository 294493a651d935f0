/** The form of a host for a draft: all facts in one text, and what a person types to approve. */
import Big from 'big.js';
import { instrumentLines, maxFormLength, writeForm } from '../../../core/approval/ticket-lines.ts';
import type { DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf } from '../../../core/text/count-of.ts';

/** More legs than this need the page or the terminal, because a form is too short to read them. */
const maxLegs = 10;

/**
 * Whether a form can show every fact of a draft, with what was wrong with the form before, and its total is that of
 * every leg.
 */
export const canUseForm = (ticket: DraftTicket, problem = ''): boolean =>
  ticket.legs.length <= maxLegs &&
  ticket.totals.unknownValues === 0 &&
  [problem, ...listFacts(ticket)].join('\n').trim().length <= maxFormLength;

/**
 * Describes a draft in a form: facts first, and text from other sources last, where it may be cut. Only for a draft
 * that a form can show. `problem` is what was wrong with the form before.
 */
export function writeDraftForm(ticket: DraftTicket, problem = ''): string {
  const names = ticket.legs.map(({ ticket: leg }) =>
    [leg.order.ticker, ...instrumentLines(leg).map(([, value]) => value)].join(', '),
  );
  return writeForm([problem, ...listFacts(ticket), ...names]);
}

/** Buys plus sells, as a person types it. */
export const getFormTotal = ({ totals: { bought, sold } }: DraftTicket): string =>
  new Big(bought).plus(sold).toFixed(2);

function listFacts(ticket: DraftTicket): readonly string[] {
  const { environment, legs, totals } = ticket;
  const { bought, sold, worst, currency = '', largestPercent, largestShare } = totals;
  return [
    `${environment.toUpperCase()}, ${countOf(legs.length, 'order').toUpperCase()}`,
    ...legs.map((leg, index) => `${index + 1}: ${describeLeg(leg)}`),
    `Buys ${bought} ${currency}, at worst ${worst}`,
    `Sells ${sold} ${currency}`,
    `Total ${getFormTotal(ticket)}`,
    `Largest order ${largestPercent ?? 'unknown'} % of the account`,
    ...(largestShare ? [`Largest ticker ${largestShare.ticker}, ${largestShare.percent} %`] : []),
    ...listWarnings(legs),
    'Type the number of orders and the total to approve',
  ];
}

/** In the order of a ticket: side, quantity and ticker, type, prices, worst case, validity. */
function describeLeg({ ticket, isPriceAssumed, isDependent }: DraftLegTicket): string {
  const { order, instrument, estimate } = ticket;
  const { limitPrice, stopPrice } = order;
  return [
    ticket.isRepetition && 'SECOND IDENTICAL ORDER:',
    `${order.side} ${order.quantity} × ${order.ticker}`,
    order.type,
    stopPrice !== undefined && `stop ${stopPrice}`,
    limitPrice !== undefined && `limit ${limitPrice}`,
    (stopPrice ?? limitPrice) !== undefined && (instrument.currency ?? '(currency unknown)'),
    `${order.side === 'BUY' ? 'at worst' : 'about'} ${estimate.worst ?? 'UNKNOWN'}`,
    order.timeValidity,
    order.extendedHours && 'extended hours',
    isPriceAssumed && 'price assumed',
    isDependent && 'after the sells',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Each warning once, with the orders that it is about. */
function listWarnings(legs: readonly DraftLegTicket[]): readonly string[] {
  const places = new Map<string, number[]>();
  for (const [index, { ticket }] of legs.entries())
    for (const text of ticket.warnings) places.set(text, [...(places.get(text) ?? []), index + 1]);
  return [...places].map(([text, numbers]) => `${numbers.join(', ')}: ${text}`);
}
