/** All orders of a draft on the approval page. Only this file decides on drafts. */
import type { PlanApprovals, ShownPlan } from '../../drafting/submission/plan-approvals.ts';
import { alertFor, planUnlockHint } from './labels.ts';
import { describeProgress, isPlanDone } from './plan-labels.ts';
import { hasPlanForm, planPage } from './plan-page.ts';
import type { Subject } from './subject.ts';

export type PlanDecisions = Pick<PlanApprovals, 'viewByHandle' | 'approve' | 'reject' | 'stop'>;

export function planSubject(plans: PlanDecisions, plan: ShownPlan): Subject {
  const { report, digest, secondsLeft, ticket } = plan;
  const { submissionId } = ticket;
  return {
    digest,
    hasForm: hasPlanForm(plan),
    status: { state: report.outcome, message: describeProgress(plan), secondsLeft, done: isPlanDone(report) },
    actions: ['approve', 'reject', 'stop'],
    render: (answering) => planPage(plan, answering),
    decide: (action, { digest: shown, passphrase, seen }) => {
      if (action === 'approve')
        return plans.approve({ submissionId, digest: shown, passphrase, channel: 'page', seen });
      return action === 'stop'
        ? plans.stop({ submissionId, channel: 'page' })
        : plans.reject({ submissionId, channel: 'page' });
    },
    describeRefusal: (refusal) => alertFor(refusal, planUnlockHint(ticket.draftId)),
  };
}
