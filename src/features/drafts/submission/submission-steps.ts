/** What to do after an attempt to send a draft, for the reader of its report. */
import type { Intent } from '../../../core/orders/intent/intent.ts';
import { toOutcome } from '../../../core/orders/intent/outcome.ts';
import type { LegState } from './next-step.ts';
import type { SubmissionOutcome, UnsentCause } from './submission.ts';

/** Why a leg was not sent, for the person who can have stopped it. */
export const unsentTexts: Record<UnsentCause, string> = {
  stopped: 'you stopped',
  discarded: 'the draft was discarded',
  halted: 'trading was halted',
  time: 'its time was over',
};

/** A model calls tools; a person types commands and has the broker’s own app. */
export type Reader = 'model' | 'person';

/** What the steps depend on. `remaining` is the version with the legs that were not sent; undefined when there is none. */
export interface StepFacts {
  readonly draftId: string;
  readonly outcome: SubmissionOutcome;
  readonly legs: readonly LegState[];
  readonly remaining: number | undefined;
  readonly now: number;
  /** It is being sent, but no process does so now. */
  readonly isSenderGone?: boolean | undefined;
  readonly isFormDeclined?: boolean | undefined;
}

/** The next step, in one sentence or a few. */
export function getNextStepFor(reader: Reader, facts: StepFacts): string {
  const { outcome, draftId } = facts;
  if (facts.isSenderGone)
    return `${reader === 'model' ? carryOn : ''}“brokerage-mcp drafts submit ${draftId}” in a terminal carries on; “brokerage-mcp drafts discard ${draftId}” stops the rest.`;
  if (facts.isFormDeclined && reader === 'model') return afterDeclinedForm(draftId);
  if (outcome === 'stopped') return afterStop(reader, facts);
  return (reader === 'model' ? modelSteps : getPersonSteps(draftId))[outcome];
}

/** A host that declines forms automatically does so with each one. */
const afterDeclinedForm = (draftId: string): string =>
  `Ask the user. If they saw no form, the owner can run “brokerage-mcp drafts submit ${draftId}” in a terminal; submit_draft sends the form again.`;

type PlainOutcome = Exclude<SubmissionOutcome, 'stopped'>;

const readState = 'Call submit_draft with the same arguments, or list_drafts, for the state.';

const carryOn = 'Call submit_draft with the same arguments to carry on, or tell the user: ';

const modelSteps: Record<PlainOutcome, string> = {
  done: 'Follow each order to its fill with get_order.',
  pending_approval:
    'Ask the user to approve or reject it, then call submit_draft with the same arguments for the state. The legs are sent automatically once approved.',
  declined: 'Ask the user what to do instead.',
  expired: 'Submit the draft again if the user still wants it.',
  refused: readState,
  sending: readState,
  waiting_for_fills: readState,
};

function getPersonSteps(draftId: string): Record<PlainOutcome, string> {
  const state = `“brokerage-mcp drafts show ${draftId}” shows the state; “brokerage-mcp drafts discard ${draftId}” stops the rest.`;
  const again = `“brokerage-mcp drafts submit ${draftId}” submits it again if you still want it.`;
  return {
    done: 'Your broker shows when the orders are filled.',
    pending_approval: `Approve it with “brokerage-mcp drafts submit ${draftId}”, or reject it with “brokerage-mcp drafts discard ${draftId}”.`,
    declined: again,
    expired: again,
    refused: again,
    sending: state,
    waiting_for_fills: state,
  };
}

function afterStop(reader: Reader, { draftId, legs, remaining, now }: StepFacts): string {
  const text = reader === 'model' ? modelTexts : personTexts;
  const steps: string[] = [];
  const unknown = legs.find(({ intent }) => intent && toOutcome(intent, now).outcome === 'unknown');
  if (unknown) steps.push(text.unknown(unknown.leg.number, unknown.intent?.id));
  const sells = listPlacedSells(legs);
  if (sells.length > 0 && remaining !== undefined) steps.push(text.sells(sells.join(', ')));
  if (remaining !== undefined) steps.push(text.remaining(remaining, draftId));
  const rejected = legs.find(({ intent }) => intent?.state === 'REJECTED');
  if (rejected) steps.push(text.rejected(rejected.leg.number));
  return steps.join(' ') || text.otherwise;
}

interface StopTexts {
  unknown(leg: number, intentId: string | undefined): string;
  sells(orderIds: string): string;
  remaining(version: number, draftId: string): string;
  rejected(leg: number): string;
  readonly otherwise: string;
}

const modelTexts: StopTexts = {
  unknown: (_, intentId) => `Call get_order with intentId ${intentId}: that order MAY be live.`,
  sells: (ids) => `Sells that may still be pending can be cancelled with cancel_order: ${ids}.`,
  remaining: (version) =>
    `Version ${version} of the draft holds the legs that were not sent; submit it if the user wants them.`,
  rejected: (leg) =>
    `The broker rejected leg ${leg}, which no later version holds. Correct what its reason says in a new draft, or plan again.`,
  otherwise: 'Tell the user why it stopped. For what was not placed, plan again or make a new draft.',
};

const personTexts: StopTexts = {
  unknown: (leg) => `Check with your broker whether leg ${leg} was placed: it MAY be live. Do not place it again.`,
  sells: (ids) => `Sells that may still be pending can be cancelled with your broker: ${ids}.`,
  remaining: (version, draftId) =>
    `Version ${version} of the draft holds the legs that were not sent; “brokerage-mcp drafts submit ${draftId}” sends them.`,
  rejected: (leg) => `The broker rejected leg ${leg}, which no later version holds.`,
  otherwise: 'For what was not placed, ask for a new draft.',
};

const listPlacedSells = (legs: readonly LegState[]): readonly string[] =>
  legs.flatMap(({ intent }) => (isPlacedSell(intent) ? (intent?.orderId ?? []) : []));

const isPlacedSell = (intent: Intent | undefined): boolean =>
  intent?.state === 'PLACED' && intent.request.side === 'SELL' && intent.endedAs === undefined;
