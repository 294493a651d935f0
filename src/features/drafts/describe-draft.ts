/** Says in a sentence what a draft is now, and what comes next. */

import { countOf } from '../../core/text/count-of.ts';
import { ruleTitles } from '../../core/text/outcome-sentences.ts';
import type { DraftAssessment } from './assess-draft.ts';
import type { Draft, DraftState } from './book/draft.ts';
import { describeSending, type Sender } from './describe-plan.ts';
import { openOutcomes, type SubmissionReport } from './submission/describe-submission.ts';
import type { SubmissionOutcome } from './submission/submission.ts';

/** A sentence, a next step, and the seconds after which the state can be another, where it waits for something. */
interface DraftMessage {
  readonly message: string;
  readonly next: string;
  readonly retryAfterSeconds?: number | undefined;
}

const newDraft = 'Make one with plan_orders or save_draft.';

/** For the list of open drafts. */
export const describeDraftList = (open: number): DraftMessage =>
  open === 0
    ? { message: 'No draft is open.', next: newDraft }
    : {
        message: `${countOf(open, 'draft')} can be sent or edited.`,
        next: 'Call list_drafts with a draftId for its legs, estimates and checks.',
      };

/** A draft as it is read: `review` is undefined for a draft that is not checked. */
export interface ReadDraft {
  readonly draft: Pick<Draft, 'id' | 'version' | 'expiresAt'>;
  readonly state: DraftState | SubmissionOutcome;
  readonly legs: number;
  readonly review: DraftAssessment | undefined;
  /** The newest attempt to send it. */
  readonly submission: SubmissionReport | undefined;
}

/** For one draft. While it is being sent or waits for a person, the sentence is that of the submission. */
export function describeDraft(read: ReadDraft, sender: Sender): DraftMessage {
  const { draft, state, submission } = read;
  if (submission && (state === 'sent' || openOutcomes.has(submission.outcome)))
    return { message: submission.message, next: submission.next, retryAfterSeconds: submission.retryAfterSeconds };
  if (state === 'open') return describeOpen(read, sender);
  if (state === 'expired')
    return { message: `The draft expired on ${toIso(draft.expiresAt)}; it cannot be sent any more.`, next: newDraft };
  return { message: `The draft was ${state}; it cannot be sent any more.`, next: newDraft };
}

const toIso = (at: number): string => new Date(at).toISOString();

function describeOpen({ draft, legs, review, submission }: ReadDraft, sender: Sender): DraftMessage {
  const sent =
    submission === undefined ? 'Nothing of it was sent.' : `Version ${submission.version} was submitted before.`;
  const message = `The draft is open with ${countOf(legs, 'order')}. ${sent}`;
  if (review?.problem !== undefined) {
    const { retryAfterSeconds } = review;
    const again = retryAfterSeconds === undefined ? 'later' : `in ${retryAfterSeconds} s`;
    return {
      message: `${message} The legs could not all be checked: ${review.problem}`,
      next: `Call list_drafts with this draftId again ${again}.`,
      retryAfterSeconds,
    };
  }
  if (review?.refused) {
    const { leg, rule, next, retryAfterSeconds } = review.refused;
    const what = leg === undefined ? 'It breaks' : `Leg ${leg} breaks`;
    return {
      message: `${message} ${what} a rule, so the draft would be refused now: ${ruleTitles[rule]}.`,
      next,
      retryAfterSeconds,
    };
  }
  const refused = (review?.legs ?? []).flatMap(({ refusal }, index) => (refusal ? [index + 1] : []));
  if (refused.length === 0 && submission?.formDeclined && sender === 'tool') return { message, next: submission.next };
  if (refused.length === 0)
    return { message, next: describeSending({ draftId: draft.id, version: draft.version }, sender) };
  return {
    message: `${message} ${refused.length === 1 ? `Leg ${refused[0]} breaks` : `Legs ${refused.join(', ')} break`} a rule now.`,
    next: 'Tell the user what problem says of these legs, and save other legs with save_draft, or plan again.',
  };
}

/** After a draft was closed. */
export function describeDiscarded(
  { state }: Pick<Draft, 'state'>,
  submission: SubmissionReport | undefined,
): DraftMessage {
  const placed = submission?.legs.filter(({ outcome }) => outcome === 'placed' || outcome === 'unknown') ?? [];
  const leaving = placed.filter(({ inFlight }) => inFlight).length;
  const unknown = placed.filter(({ outcome }) => outcome === 'unknown').length - leaving;
  const left = placed.length - leaving - unknown;
  const orders =
    placed.length === 0
      ? 'Nothing of it was sent.'
      : [
          ...(left > 0
            ? [`${countOf(left, 'order')} of it had left before, and ${left === 1 ? 'stays' : 'stay'}.`]
            : []),
          ...(leaving > 0 ? [`${countOf(leaving, 'order')} ${leaving === 1 ? 'is' : 'are'} being sent now.`] : []),
          ...(unknown > 0 ? [`The outcome of ${countOf(unknown, 'order')} is unknown: it MAY be live.`] : []),
        ].join(' ');
  return {
    message: `${state === 'sent' ? 'The draft was sent before, so it was not discarded.' : 'The draft is discarded.'} ${orders}`,
    next:
      placed.length === 0
        ? newDraft
        : `Follow the orders with get_order; cancel_order cancels one that is pending: ${placed.map(({ orderId, intentId }) => orderId ?? `intent ${intentId}`).join(', ')}.`,
  };
}
