/** Renders the ticket as lines of text, with the same facts as the page. */

import type { PassphraseRefusal, TicketView, WrongPassphrases } from '../../orders/intent/approval-port.ts';
import { removeUnseen } from '../../text/sanitize-text.ts';
import type { SayMoment } from '../../text/say-moment.ts';
import { instrumentLines, orderLines, pendingLines } from '../ticket-lines.ts';

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
