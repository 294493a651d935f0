/** The ticket as lines of text, with the same facts as the page. */
import type { TicketView } from '../../orders/approval-port.ts';

/** Control characters could move the cursor and show another order than the one that is approved. */
const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

export function ticketText({ ticket, secondsLeft }: TicketView): string {
  const { order, instrument, estimate, position } = ticket;
  const unit = instrument.currency === 'GBX' ? 'GBX (pence)' : (instrument.currency ?? 'currency unknown');
  const account = estimate.currency ?? '';
  const lines: [string, string | undefined][] = [
    ['Order', `${order.side} ${order.quantity} × ${order.ticker}`],
    ['Instrument', [instrument.name, instrument.isin, instrument.type].filter(Boolean).join(', ') || 'unknown'],
    ['Type', [order.type, order.timeValidity, order.extendedHours ? 'extended hours' : ''].filter(Boolean).join(', ')],
    ['Limit price', order.limitPrice && `${order.limitPrice} ${unit}`],
    ['Stop price', order.stopPrice && `${order.stopPrice} ${unit}`],
    ['Estimate', estimate.value === undefined ? 'VALUE UNKNOWN' : `${estimate.value} ${account}`],
    [
      'At worst',
      estimate.worst &&
        `${estimate.worst} ${account}${estimate.percentOfAccount ? `, ${estimate.percentOfAccount} % of the account` : ''}`,
    ],
    ['Position', `${position.before} → ${position.after}`],
    ...ticket.pendingOnTicker.map((pending): [string, string] => [
      'Pending',
      [pending.side, pending.quantity, pending.type, pending.limitPrice, pending.stopPrice].filter(Boolean).join(' '),
    ]),
    ...ticket.warnings.map((warning): [string, string] => ['Note', warning]),
    ['Time left', `${secondsLeft} s`],
    ['Intent', ticket.intentId],
  ];
  const banner = `${ticket.environment.toUpperCase()}${ticket.isRepetition ? ' · SECOND IDENTICAL ORDER' : ''}`;
  const body = lines.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(12)} ${plain(value ?? '')}`);
  return [`=== ${banner} ===`, ...body].join('\n');
}
