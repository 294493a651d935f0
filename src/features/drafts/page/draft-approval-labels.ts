/** The texts of a draft's page: what became of it, written for the person who decides. */

import { type Html, html } from '../../../core/approval/page/html.ts';
import type { AlertLevel } from '../../../core/approval/page/labels.ts';
import { draftSentences } from '../draft-sentences.ts';
import { isBeingSent, type LegReport, openOutcomes, type SubmissionReport } from '../submission/describe-submission.ts';
import type { ShownDraftTicket } from '../submission/draft-approvals.ts';
import type { SubmissionOutcome } from '../submission/submission.ts';
import { unsentTexts } from '../submission/submission-steps.ts';

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

const legLabels: Record<LegReport['outcome'], string> = {
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

/** What became of one order. The next one waits for its turn at the broker, and nothing of it has left. */
export function legLabel({ outcome, intentId, inFlight, unsentBecause }: LegReport): string {
  if (inFlight) return 'Being sent';
  if (outcome === 'waiting' && intentId !== undefined) return 'Next';
  return unsentBecause ? `Not sent (${unsentTexts[unsentBecause]})` : legLabels[outcome];
}

const resultTones: Partial<Record<LegReport['outcome'], AlertLevel>> = {
  placed: 'good',
  rejected: 'bad',
  unknown: 'care',
};

/** The label in its colour. */
export const drawLegLabel = (leg: LegReport): Html =>
  html`<b class="result ${resultTones[leg.outcome] ?? 'wait'}">${legLabel(leg)}</b>`;

/** Without the results of the orders, which change. */
export const outcomeMessages: Record<SubmissionOutcome, string> = {
  pending_approval: 'The orders are waiting for your decision; nothing has been sent.',
  declined: 'Nothing was sent.',
  expired: 'The orders were not approved in time; nothing was sent.',
  refused: 'Nothing was sent.',
  sending: draftSentences.sending,
  waiting_for_fills: 'The remaining buys are sent when the sells that pay for them are filled.',
  done: draftSentences.done,
  stopped: 'Orders that were placed stay.',
};

/** Whether nothing of it will change any more. An unknown order is searched for, so it may become known. */
export const isSubmissionDone = ({ outcome, legs }: SubmissionReport): boolean =>
  !openOutcomes.has(outcome) && legs.every((leg) => leg.outcome !== 'unknown');

/** What has happened so far. It changes with the outcome of each leg, because the page reloads when it changes. */
export function describeProgress({ report }: Pick<ShownDraftTicket, 'report'>): string {
  const { outcome } = report;
  const message = outcomeMessages[outcome];
  if (outcome === 'stopped') return `${describeResults(report)} ${message}`;
  return isBeingSent(report) ? `${message} ${describeResults(report)}` : message;
}

const unsent = new Set<LegReport['outcome']>(['not_sent', 'refused', 'expired', 'declined']);

/** How many orders ended in which way, and the version that holds the others. */
export function describeResults({
  legs,
  remainingVersion,
}: Pick<SubmissionReport, 'legs' | 'remainingVersion'>): string {
  const count = (belongs: (leg: LegReport) => unknown) => legs.filter(belongs).length;
  const left = count(({ outcome }) => unsent.has(outcome));
  const counts = [
    [count(({ outcome }) => outcome === 'placed'), 'placed'],
    [count(({ inFlight }) => inFlight), 'being sent'],
    [count(({ outcome, inFlight }) => outcome === 'unknown' && !inFlight), 'unknown, which may be live'],
    [count(({ outcome }) => outcome === 'rejected'), 'rejected by the broker'],
    [count(({ outcome }) => outcome === 'waiting'), 'waiting'],
    [left, 'not sent'],
  ] as const;
  const shown = counts.filter(([number], index) => number > 0 || index === 0);
  const held = left === 1 ? 'it' : `these ${left}`;
  const version =
    remainingVersion === undefined || left === 0 ? '' : ` Version ${remainingVersion} of the draft has ${held}.`;
  return `${shown.map(([number, what]) => `${number} ${what}`).join(', ')}.${version}`;
}
