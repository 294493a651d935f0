import { ticketText } from '../approval/terminal/render-ticket.ts';
import { systemClock } from '../clock.ts';
import { reportSubmission } from '../drafting/submission/describe-submission.ts';
import { UsageError } from '../errors.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { Tty } from '../process/terminal.ts';
import { chooseOrder, explainDecision } from './choose-order.ts';
import type { Command } from './command.ts';
import { approveDraftInTerminal } from './submit-draft.ts';
import { requireOwnersTty, withApp } from './with-app.ts';

/** How long (ms) the command waits for the result: another server, which holds the pending order, sends it. */
const followMs = 15_000;

/** Shows a pending order, or the draft of a submission, and approves it with the passphrase. */
export const approveCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async (parts) => {
    const { approvals, drafts } = parts.services;
    const submission = words[0] === undefined ? undefined : await reportSubmission(drafts, words[0], 'person');
    if (submission?.outcome === 'pending_approval') return approveDraftInTerminal(parts, submission, terminal);
    if (submission) throw new UsageError(`${words[0]} is no longer waiting for approval: ${submission.message}`);
    const tty = requireOwnersTty(terminal, 'approve');
    try {
      const view = await chooseOrder(approvals, words[0], 'approve');
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
      if (decision.kind !== 'approved') return said(tty, explainDecision(decision), 1);
      tty.say('Approved.');
      return await follow(tty, approvals, intentId);
    } finally {
      tty.close();
    }
  });

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

function said(tty: Tty, line: string, code: number): number {
  tty.say(line);
  return code;
}
