import { passphraseRefusalText, ticketText } from '../approval/terminal/render-ticket.ts';
import { systemClock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import type { Approvals, Decision, TicketView } from '../orders/intent/approval-port.ts';
import type { Tty } from '../process/terminal.ts';
import type { Command } from './command.ts';
import { requireOwnersTty, withApp } from './with-app.ts';

/** How long (ms) the command waits for the result: another server, which holds the pending order, sends it. */
const followMs = 15_000;

/** Shows a pending order, and approves it with the passphrase. */
export const approveCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async ({ services: { approvals } }) => {
    const tty = requireOwnersTty(terminal, 'approve');
    try {
      const view = await choose(approvals, words[0], 'approve');
      tty.say(ticketText(view));
      const passphrase = await tty.askSecret('Passphrase to approve (press Enter to leave the order pending): ');
      if (passphrase === '') return said(tty, 'The order is still pending.', 1);
      const { intentId } = view.ticket;
      const seen = view.wrongPassphrases?.count;
      const decision = await approvals.approve({
        intentId,
        digest: view.digest,
        passphrase,
        channel: 'terminal',
        seen,
      });
      if (decision.kind !== 'approved') return said(tty, explain(decision), 1);
      tty.say('Approved.');
      return await follow(tty, approvals, intentId);
    } finally {
      tty.close();
    }
  });

/** Rejecting can only prevent an order, so it needs no passphrase. */
export const rejectCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async ({ services: { approvals } }) => {
    const view = await choose(approvals, words[0], 'reject');
    const decision = await approvals.reject({ intentId: view.ticket.intentId, channel: 'terminal' });
    terminal.print(decision.kind === 'rejected' ? `Rejected: ${view.ticket.intentId}` : explain(decision));
    return decision.kind === 'rejected' ? 0 : 1;
  });

async function choose(approvals: Approvals, intentId: string | undefined, command: string): Promise<TicketView> {
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

async function follow(tty: Tty, approvals: Approvals, intentId: string): Promise<number> {
  const until = systemClock.now() + followMs;
  while (systemClock.now() < until) {
    const view = await approvals.view(intentId);
    if (view && view.state !== 'APPROVED' && view.state !== 'SENDING') {
      const order = view.orderId === undefined ? '' : ` Order ${view.orderId}.`;
      return said(tty, `${view.state}: ${view.message}${order}`, view.state === 'PLACED' ? 0 : 1);
    }
    await systemClock.sleep(250);
  }
  return said(tty, 'No server that may trade has sent the order yet; one can until the approval expires.', 1);
}

function explain(decision: Decision): string {
  switch (decision.kind) {
    case 'wrong_passphrase':
    case 'too_soon':
    case 'locked':
    case 'not_enrolled':
      return passphraseRefusalText(decision);
    case 'changed':
      return 'The order has changed since it was shown; check it again.';
    case 'not_waiting':
      return `The order is no longer waiting for approval${decision.state ? ` (${decision.state})` : ''}.`;
    case 'approved':
      return 'Approved.';
    case 'rejected':
      return 'Rejected.';
  }
}

function said(tty: Tty, line: string, code: number): number {
  tty.say(line);
  return code;
}
