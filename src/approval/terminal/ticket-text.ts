/** The ticket as lines of text, with the same facts as the page. */
import type { TicketView } from '../../orders/approval-port.ts';
import { instrumentFacts, orderFacts } from '../../orders/ticket-facts.ts';

/** Control characters could move the cursor and show another order than the one that is approved. */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

export function ticketText({ ticket, secondsLeft }: TicketView): string {
  const { estimate, position } = ticket;
  const lines: (readonly [name: string, value: string])[] = [
    ...orderFacts(ticket),
    ['Estimate', estimate.value === undefined ? 'VALUE UNKNOWN' : [estimate.value, estimate.currency].join(' ').trim()],
    ['Position', `${position.before} → ${position.after}`],
    ...ticket.pendingOnTicker.map((pending): [string, string] => [
      'Pending',
      [pending.side, pending.quantity, pending.type, pending.limitPrice, pending.stopPrice].filter(Boolean).join(' '),
    ]),
    ...ticket.warnings.map((warning): [string, string] => ['Note', warning]),
    ['Time left', `${secondsLeft} s`],
    ['Intent', ticket.intentId],
    ...instrumentFacts(ticket),
  ];
  const banner = `${ticket.environment.toUpperCase()}${ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`;
  return [`=== ${banner} ===`, ...lines.map(([name, value]) => `  ${name.padEnd(12)} ${plain(value)}`)].join('\n');
}
