/** The facts of a ticket as lines of text, in the order in which every channel shows them. */

import type { PassphraseRefusal, TicketView, WrongPassphrases } from '../orders/intent/approval-port.ts';
import type { LegTicket } from '../orders/intent/draft-approval.ts';
import { isPence } from '../text/currency-units.ts';
import type { SayMoment } from '../text/format-moment.ts';
import { foreignName, removeUnseen, sanitizeText } from '../text/sanitize-text.ts';

/** Maximum characters of a form's message; hosts cut longer ones. */
export const maxFormLength = 1_000;

/** The message of a form, a fact on each line. No text from outside can begin a line of its own. */
export function writeForm(lines: readonly string[]): string {
  const text = lines.flatMap((line) => sanitizeText(line, maxFormLength) ?? []).join('\n');
  const characters = [...text];
  return characters.length > maxFormLength ? `${characters.slice(0, maxFormLength - 1).join('')}…` : text;
}

type Line = readonly [name: string, value: string];

/** What is approved: side, quantity and ticker, type, prices, worst case, validity. None of it is free text. */
export function orderLines({ order, instrument, estimate }: LegTicket): readonly Line[] {
  const unit = isPence(instrument.currency) ? 'GBX (pence)' : (instrument.currency ?? '(currency unknown)');
  const share = estimate.percentOfAccount === undefined ? '' : `, ${estimate.percentOfAccount} % of the account`;
  const worst =
    estimate.worst === undefined ? 'VALUE UNKNOWN' : `${[estimate.worst, estimate.currency].join(' ').trim()}${share}`;
  const lines: readonly (Line | undefined)[] = [
    ['Order', `${order.side} ${order.quantity} × ${order.ticker}`],
    ['Type', `${order.type}${order.extendedHours ? ', extended hours' : ''}`],
    order.limitPrice === undefined ? undefined : ['Limit price', `${order.limitPrice} ${unit}`],
    order.stopPrice === undefined ? undefined : ['Stop price', `${order.stopPrice} ${unit}`],
    // For a sale this is the estimate, and "at worst" would promise too much.
    [order.side === 'BUY' ? 'At worst' : 'Brings about', worst],
    order.timeValidity === undefined ? undefined : ['Valid', order.timeValidity],
  ];
  return lines.filter((line) => line !== undefined);
}

/** The orders that are pending on the ticker, a line each, and how many more there are. */
export const pendingLines = ({ pendingOnTicker, morePending }: LegTicket): readonly Line[] => [
  ...pendingOnTicker.map(
    ({ side, quantity, type, limitPrice, stopPrice }): Line => [
      'Pending',
      [side, quantity, type, limitPrice, stopPrice].filter(Boolean).join(' '),
    ],
  ),
  ...(morePending === undefined ? [] : [['Pending', `and ${morePending} more`] as const]),
];

/**
 * What the service reports about the instrument, for the end of a ticket. The name is quoted, so that it is not
 * read as a fact.
 */
export function instrumentLines({ instrument }: Pick<LegTicket, 'instrument'>): readonly Line[] {
  const name = foreignName(instrument.name);
  return [
    ['Name', name === undefined ? 'unknown' : `“${name}”`],
    ['ISIN', instrument.isin ?? 'unknown'],
    ['Kind', instrument.type ?? 'unknown'],
  ];
}

// Renders the ticket as lines of text, with the same facts as the page.

/** What the owner must know before typing the passphrase again. */
export function wrongPassphrasesText({ count, lastAt, isPageLocked }: WrongPassphrases, sayMoment: SayMoment): string {
  const typed = count === 1 ? '1 wrong passphrase was' : `${count} wrong passphrases were`;
  const attempts = count === 0 ? '' : `${typed} typed since you last approved, the last ${sayMoment(lastAt)}. `;
  const locked = isPageLocked
    ? 'The approval page is locked; entering the correct passphrase in a terminal unlocks it. '
    : '';
  return `ATTENTION: ${attempts}${locked}If that was not you, find out who has access.`;
}

/** Why a passphrase did not approve or unlock anything. */
export function passphraseRefusalText(refusal: PassphraseRefusal): string {
  switch (refusal.kind) {
    case 'wrong_passphrase':
      return `Wrong passphrase; the next attempt is possible in ${refusal.retryAfterSeconds} s.`;
    case 'too_soon':
      return `Too soon after a wrong passphrase; try again in ${refusal.retryAfterSeconds} s.`;
    case 'locked':
      return 'The passphrase is locked here; run brokerage-mcp resume.';
    case 'not_enrolled':
      return 'No passphrase is enrolled; run brokerage-mcp enroll.';
  }
}

const estimateLine = ({ value, currency }: TicketView['ticket']['estimate']): readonly [string, string] => [
  'Estimate',
  value === undefined ? 'VALUE UNKNOWN' : [value, currency].join(' ').trim(),
];

/** The ticket as text, with a banner of the environment and without invisible characters. */
export function ticketText({ ticket, secondsLeft, wrongPassphrases }: TicketView, sayMoment: SayMoment): string {
  const { order, estimate, position } = ticket;
  const lines: (readonly [name: string, value: string])[] = [
    ...orderLines(ticket),
    ...(order.side === 'BUY' ? [estimateLine(estimate)] : []),
    ['Position', `${position.before} → ${position.after}`],
    ...pendingLines(ticket),
    ...ticket.warnings.map((warning): [string, string] => ['Note', warning]),
    ['Time left', `${secondsLeft} s`],
    ['Intent', ticket.intentId],
    ...instrumentLines(ticket),
  ];
  const banner = `${ticket.environment.toUpperCase()}${ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`;
  const wrong = wrongPassphrases && [wrongPassphrasesText(wrongPassphrases, sayMoment)];
  return [
    `=== ${banner} ===`,
    ...(wrong ?? []),
    ...lines.map(([name, value]) => `  ${name.padEnd(12)} ${removeUnseen(value)}`),
  ].join('\n');
}
