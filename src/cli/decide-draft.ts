/** What a person decides at the terminal about a draft that waits for approval. */

import { passphraseRefusalText } from '../core/approval/terminal/render-ticket.ts';
import type { Tty } from '../core/process/terminal.ts';
import type { SayMoment } from '../core/text/say-moment.ts';
import type { DraftTicketView } from '../features/drafts/submission/approve-draft.ts';
import type { DraftApprovals, DraftDecision } from '../features/drafts/submission/draft-approvals.ts';
import { draftTicketText } from '../features/drafts/terminal/render-draft-ticket.ts';
import { askPassphrase } from './ask-passphrase.ts';
import { sayTicket } from './choose-order.ts';

/** Shows the draft and asks for the passphrase; returns whether it was approved. `view` is undefined when it no longer waits. */
export async function decideDraft(
  tty: Tty,
  view: DraftTicketView | undefined,
  approvals: Pick<DraftApprovals, 'approve'>,
  sayMoment: SayMoment,
): Promise<boolean> {
  if (!view) return tell(tty, 'The draft is not waiting for approval any more.');
  const { ticket, digest, wrongPassphrases } = view;
  sayTicket(tty, draftTicketText(view, sayMoment), ticket.environment);
  const { submissionId } = ticket;
  const decision = await askPassphrase(
    tty,
    'Passphrase to approve all of them (press Enter to leave the draft waiting): ',
    wrongPassphrases?.count ?? 0,
    (passphrase, seen) => approvals.approve({ submissionId, digest, passphrase, channel: 'terminal', seen }),
  );
  if (!decision) return tell(tty, 'The draft is still waiting. Reject it with: brokerage-mcp drafts discard ID');
  if (decision.kind !== 'approved') return tell(tty, explainDraftDecision(decision));
  tty.say('Approved.', 'good');
  return true;
}

function tell(tty: Tty, line: string): false {
  tty.say(line);
  return false;
}

function explainDraftDecision(decision: Exclude<DraftDecision, { readonly kind: 'approved' }>): string {
  switch (decision.kind) {
    case 'changed':
      return 'The draft has changed since it was shown; check it again.';
    case 'not_waiting':
      return 'The draft is no longer waiting for approval.';
    case 'rejected':
      return 'Rejected.';
    default:
      return passphraseRefusalText(decision);
  }
}
