/** What `approve` and `reject` share: which order is meant, and what a decision is called. */
import { stateLabels } from '../core/approval/page/labels.ts';
import { passphraseRefusalText } from '../core/approval/ticket-text.ts';
import { UsageError } from '../core/errors.ts';
import type { Approvals, Decision, TicketView } from '../core/orders/intent/approval-port.ts';
import type { Tty } from '../core/process/terminal.ts';

/** Shows a ticket, its banner in a colour of its own: red for real money. */
export function sayTicket(tty: Tty, text: string, environment: string): void {
  const [banner = '', ...lines] = text.split('\n');
  tty.say(banner, environment === 'live' ? 'bad' : 'strong');
  tty.say(lines.join('\n'));
}

/**
 * The pending order with this intent, or the only one when none is named. Throws a UsageError when it is not pending, or
 * when several are.
 */
export async function chooseOrder(
  approvals: Approvals,
  intentId: string | undefined,
  command: string,
): Promise<TicketView> {
  if (intentId !== undefined) {
    const view = await approvals.view(intentId);
    if (!view) throw new UsageError(`no order with the intent ${intentId} is in this store.`);
    if (view.secondsLeft === 0) throw new UsageError(`${intentId} is no longer waiting for approval: ${view.message}`);
    return view;
  }
  const [first, ...others] = await approvals.waiting();
  if (!first) throw new UsageError('no order in this store is waiting for approval.');
  if (others.length > 0) {
    const list = [first, ...others].map(
      ({ ticket: { intentId, order } }) => `  ${intentId}  ${order.side} ${order.quantity} ${order.ticker}`,
    );
    throw new UsageError(`several orders are waiting; name one: ${command} INTENT\n${list.join('\n')}`);
  }
  return first;
}

export function explainDecision(decision: Decision): string {
  switch (decision.kind) {
    case 'wrong_passphrase':
    case 'too_soon':
    case 'locked':
    case 'not_enrolled':
    case 'passkey_refused':
      return passphraseRefusalText(decision);
    case 'changed':
      return 'The order has changed since it was shown; check it again.';
    case 'not_waiting':
      return `The order is no longer waiting for approval${decision.state ? ` (${stateLabels[decision.state].title})` : ''}.`;
    case 'approved':
      return 'Approved.';
    case 'rejected':
      return 'Rejected.';
  }
}
