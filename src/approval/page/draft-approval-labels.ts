/** The texts of a draft's page: what became of it, written for the person who decides. */
import { type LegReport, openOutcomes, type SubmissionReport } from '../../drafting/submission/describe-submission.ts';
import type { ShownDraftTicket } from '../../drafting/submission/draft-approvals.ts';
import type { SubmissionOutcome } from '../../drafting/submission/submission.ts';
import type { AlertLevel } from './labels.ts';

export const outcomeLabels: Record<SubmissionOutcome, { readonly title: string; readonly tone: AlertLevel }> = {
  pending_approval: { title: 'Waiting for your decision', tone: 'wait' },
  declined: { title: 'Rejected', tone: 'bad' },
  expired: { title: 'Expired', tone: 'bad' },
  refused: { title: 'Refused by a rule', tone: 'bad' },
  sending: { title: 'Being sent', tone: 'wait' },
  waiting_for_fills: { title: 'Waiting for the sells to be filled', tone: 'wait' },
  done: { title: 'All orders placed', tone: 'good' },
  stopped: { title: 'Stopped', tone: 'bad' },
};

export const legLabels: Record<LegReport['outcome'], string> = {
  waiting: 'Waiting',
  placed: 'Placed',
  pending_approval: 'Being prepared',
  declined: 'Rejected',
  expired: 'Expired, not sent',
  refused: 'Refused by a rule, not sent',
  rejected: 'Rejected by the broker',
  not_sent: 'Not sent',
  unknown: 'Unknown: the order may be live',
};

const messages: Record<SubmissionOutcome, string> = {
  pending_approval: 'The orders are waiting for your decision; nothing has been sent.',
  declined: 'Nothing was sent.',
  expired: 'The orders were not approved in time; nothing was sent.',
  refused: 'Nothing was sent.',
  sending: 'The orders are sent one after the other.',
  waiting_for_fills: 'The remaining buys are sent when the sells that pay for them are filled.',
  done: 'The broker accepted every order.',
  stopped: 'Orders that were not sent will not be sent any more. Orders that were placed stay.',
};

/** Whether nothing of it will change any more. An unknown order is searched for, so it may become known. */
export const isSubmissionDone = ({ outcome, legs }: SubmissionReport): boolean =>
  !openOutcomes.has(outcome) && legs.every((leg) => leg.outcome !== 'unknown');

/** What has happened so far. It changes with the outcome of each leg, because the page reloads when it changes. */
export function describeProgress({ report: { outcome, legs } }: Pick<ShownDraftTicket, 'report'>): string {
  const message = messages[outcome];
  if (outcome !== 'sending' && outcome !== 'waiting_for_fills' && outcome !== 'stopped') return message;
  const count = (wanted: LegReport['outcome']) => legs.filter((leg) => leg.outcome === wanted).length;
  const unknown = count('unknown');
  const uncertain = unknown === 0 ? '' : `, ${unknown} being sent or unknown`;
  return `${message} ${count('placed')} of ${legs.length} placed${uncertain}.`;
}
