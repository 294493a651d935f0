import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { reportSubmission } from '../features/drafts/submission/describe-submission.ts';
import { approveOrder } from './approve-order.ts';
import type { Command } from './command.ts';
import { approveDraftInTerminal } from './submit-draft.ts';
import { requireOwnersTty, withNamedStore } from './with-app.ts';

/** Shows a pending order, or the draft of a submission, and approves it with the passphrase. */
export const approveCommand: Command = ({ words, flags }, terminal) =>
  withNamedStore(flags, terminal, async (parts) => {
    const { approvals, drafts } = parts.services;
    const submission = words[0] === undefined ? undefined : await reportSubmission(drafts, words[0], 'person');
    if (submission?.outcome === 'pending_approval') return approveDraftInTerminal(parts, submission, terminal);
    if (submission) throw new UsageError(`${words[0]} is no longer waiting for approval: ${submission.message}`);
    const tty = requireOwnersTty(terminal, 'approve');
    try {
      return await approveOrder(tty, approvals, words[0], { clock: systemClock, zone: terminal.zone() });
    } finally {
      tty.close();
    }
  });
