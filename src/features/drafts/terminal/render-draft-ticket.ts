/**
 * Renders a draft that waits for approval as lines of text: every leg with the facts of a ticket, then one line for each
 * and the totals, so that the end of a long draft shows all of it.
 */

import { instrumentLines, orderLines, pendingLines, wrongPassphrasesText } from '../../../core/approval/ticket-text.ts';
import type { DraftLegTicket, DraftTicket } from '../../../core/orders/intent/draft-approval.ts';
import { countOf } from '../../../core/text/count-of.ts';
import type { SayMoment } from '../../../core/text/format-moment.ts';
import { removeUnseen } from '../../../core/text/sanitize-text.ts';
import { listMarks } from '../leg-marks.ts';
import type { DraftTicketView } from '../submission/approve-draft.ts';

type Line = readonly [name: string, value: string];

/** The draft as text, with a banner of the environment and without invisible characters. */
export function draftTicketText(
  { ticket, secondsLeft, wrongPassphrases }: DraftTicketView,
  sayMoment: SayMoment,
): string {
  const { environment, draftId, version, legs } = ticket;
  const lines = [
    `=== ${environment.toUpperCase()} · ${countOf(legs.length, 'order').toUpperCase()} ===`,
    ...(wrongPassphrases ? [wrongPassphrasesText(wrongPassphrases, sayMoment)] : []),
    ...legs.flatMap((leg, index) => [
      `--- ${index + 1} of ${legs.length}${leg.ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`,
      ...legLines(leg).map(formatLine),
    ]),
    '--- All orders, sent in this sequence',
    ...legs.map((leg, index) => summaryLine(leg, index + 1)),
    '--- Together',
    ...totalLines(ticket).map(formatLine),
    formatLine(['Time left', `${secondsLeft} s; after the approval the orders are sent within 15 minutes`]),
    formatLine(['Draft', `${draftId}, version ${version}`]),
  ];
  return lines.map(removeUnseen).join('\n');
}

const formatLine = ([name, value]: Line): string => `  ${name.padEnd(12)} ${value}`;

function legLines(leg: DraftLegTicket): readonly Line[] {
  const { ticket, priceThen, priceNow } = leg;
  const unit = ticket.instrument.currency ?? '';
  const then = priceThen === undefined ? 'unknown' : `${priceThen} ${unit}`;
  return [
    ...orderLines(ticket),
    ['Price', `${priceNow === undefined ? 'unknown' : `${priceNow} ${unit}`}; when drafted ${then}`],
    ['Position', `${ticket.position.before} → ${ticket.position.after}`],
    ...pendingLines(ticket),
    ...[...listMarks(leg).map(({ note }) => note), ...ticket.warnings].map((note): Line => ['Note', note]),
    ...instrumentLines(ticket),
  ];
}

function summaryLine(leg: DraftLegTicket, place: number): string {
  const { order, estimate, warnings, isRepetition } = leg.ticket;
  const { assumed, value = assumed?.value, currency = '', percentOfAccount } = estimate;
  const parts = [
    `${order.side} ${order.quantity} × ${order.ticker}`,
    [order.type, order.stopPrice, order.limitPrice].filter(Boolean).join(' '),
    value === undefined ? 'VALUE UNKNOWN' : `${value} ${currency}`.trim(),
    percentOfAccount && `${percentOfAccount} %`,
    isRepetition && 'SECOND IDENTICAL ORDER',
    ...listMarks(leg).map(({ mark }) => mark),
    warnings.length > 0 && countOf(warnings.length, 'warning'),
  ];
  return `  ${String(place).padStart(2)}. ${parts.filter(Boolean).join(' · ')}`;
}

function totalLines({ totals }: DraftTicket): readonly Line[] {
  const { bought, sold, worst, charges, currency = '', unknownValues, largestPercent, largestShare } = totals;
  // A sum that leaves orders out is a lower bound.
  const known = (text: string) => (unknownValues === 0 ? text : `at least ${text}`);
  return [
    ['Buys', known(`${bought} ${currency}, at worst ${worst} ${currency}`)],
    ['Sells', known(`${sold} ${currency}`)],
    ['Charges', charges === undefined ? 'unknown' : `${charges} ${currency}, estimated`],
    ['Largest', largestPercent === undefined ? 'unknown' : known(`${largestPercent} % of the account in one order`)],
    [
      'By ticker',
      largestShare === undefined
        ? 'unknown'
        : known(`${largestShare.percent} % of the account in ${largestShare.ticker}`),
    ],
    ...(unknownValues === 0 ? [] : [['VALUE UNKNOWN', `for ${countOf(unknownValues, 'order')}`] as const]),
  ];
}
