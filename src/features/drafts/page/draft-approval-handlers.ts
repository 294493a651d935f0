/** All orders of a draft on the approval page. Only this file decides on drafts. */

import { alertFor, draftUnlockHint } from '../../../core/approval/page/labels.ts';
import type { FindSubject, Subject } from '../../../core/approval/page/subject.ts';
import type { DraftApprovals, ShownDraftTicket } from '../submission/draft-approvals.ts';
import { describeProgress, isSubmissionDone } from './draft-approval-labels.ts';
import { draftApprovalPage, hasDraftForm } from './draft-approval-page.ts';

export type DraftDecisions = Pick<DraftApprovals, 'viewByHandle' | 'approve' | 'reject' | 'stop'>;

/** Finds the tickets of drafts. */
export const findDrafts =
  (drafts: DraftDecisions): FindSubject =>
  async (handle) => {
    const draft = await drafts.viewByHandle(handle);
    return draft && draftSubject(drafts, draft);
  };

export function draftSubject(drafts: DraftDecisions, draft: ShownDraftTicket): Subject {
  const { report, digest, secondsLeft, ticket } = draft;
  const { submissionId } = ticket;
  return {
    digest,
    hasForm: hasDraftForm(draft),
    status: { state: report.outcome, message: describeProgress(draft), secondsLeft, done: isSubmissionDone(report) },
    actions: ['approve', 'reject', 'stop'],
    render: (answering) => draftApprovalPage(draft, answering),
    decide: (action, { digest: shown, passphrase, seen }) => {
      if (action === 'approve')
        return drafts.approve({ submissionId, digest: shown, passphrase, channel: 'page', seen });
      return action === 'stop'
        ? drafts.stop({ submissionId, channel: 'page' })
        : drafts.reject({ submissionId, channel: 'page' });
    },
    describeRefusal: (refusal) => alertFor(refusal, draftUnlockHint(ticket.draftId)),
  };
}
