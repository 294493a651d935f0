import { ticketText } from '../approval/terminal/render-ticket.ts';
import { systemClock } from '../clock.ts';
import { reportSubmission } from '../drafting/submission/describe-submission.ts';
import { UsageError } from '../errors.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { Tty } from '../process/terminal.ts';
import { createSayMoment } from '../say-moment.ts';
import { chooseOrder, explainDecision, sayTicket } from './choose-order.ts';
import type { Command } from './command.ts';
import { approveDraftInTerminal } from './submit-draft.ts';
import { askPassphrase, requireOwnersTty, withNamedStore } from './with-app.ts';

/** How long (ms) the command waits for the result: another server, which holds the pending order, sends it. */
const followMs = 15_000;

/** Shows a pending order, or the draft of a submission, and approves it with the passphrase. */
export const approveCommand: Command = ({ words, flags }, terminal) =>
  withNamedStore(flags, terminal, async (parts) => {
    const { approvals, drafts } = parts.services;
    const submission = words[0] === undefined ? undefined : await reportSubmission(drafts, words[0], 'person');
    if (submission?.outcome === 'pending_approval') return approveDraftInTerminal(parts, submission, terminal);
    if (submission) throw new UsageError(`${words[0]} is no longer waiting for approval: ${submission.message}`);
    const tty = requireOwnersTty(terminal, 'approve');
    try {
      const view = await chooseOrder(approvals, words[0], 'approve');
      const { ticket, digest, wrongPassphrases } = view;
      sayTicket(tty, ticketText(view, createSayMoment(terminal.zone(), systemClock)), ticket.environment);
      const { intentId } = ticket;
      const prompt = 'Passphrase to approve (press Enter to leave the order pending): ';
      const decision = await askPassphrase(tty, prompt, wrongPassphrases?.count ?? 0, (passphrase, seen) =>
        approvals.approve({ intentId, digest, passphrase, channel: 'terminal', seen }),
      );
      if (!decision) {
        tty.say('The order is still pending.');
        return 1;
      }
      tty.say(explainDecision(decision), decision.kind === 'approved' ? 'good' : 'bad');
      return decision.kind === 'approved' ? await follow(tty, approvals, intentId) : 1;
    } finally {
      tty.close();
    }
  });

async function follow(tty: Tty, approvals: Approvals, intentId: string): Promise<number> {
  const until = systemClock.now() + followMs;
  while (systemClock.now() < until) {
    const view = await approvals.view(intentId);
    if (view && view.state !== 'APPROVED' && view.state !== 'SENDING') {
      const isPlaced = view.state === 'PLACED';
      const order = view.orderId === undefined ? '' : ` Order ${view.orderId}.`;
      tty.say(`${view.state}: ${view.message}${order}`, isPlaced ? 'good' : 'bad');
      return isPlaced ? 0 : 1;
    }
    await systemClock.sleep(250);
  }
  tty.say('No server that may trade has sent the order yet; one can until the approval expires.');
  return 1;
}
