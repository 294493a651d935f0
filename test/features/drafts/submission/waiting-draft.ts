/** A draft that waits for a person: leg 1 buys 10 shares of A_EQ, and leg 2 sells 5 of B_EQ first, at 20 pounds each. */

import type { ApprovalMethod } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { DraftApproval } from '../../../../src/core/orders/intent/draft-approval.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import type { LegToCheck } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { createDraftApproval } from '../../../../src/features/drafts/submission/request-approval.ts';
import type { Submission } from '../../../../src/features/drafts/submission/submission.ts';
import { paper } from '../../../core/orders/risk/example-account.ts';
import { draft, type Stored, waitingLeg } from './attempts.ts';
import { draftLeg, now, toCheck } from './legs-to-check.ts';

export const startAt = now;
/** A person has 120 seconds. */
export const expiresAt = startAt + 120_000;
/** Buys and sells together. */
export const total = '300.00';

export const twoLegs: readonly DraftLeg[] = [
  draftLeg({ ticker: 'A_EQ' }),
  draftLeg({ ticker: 'B_EQ', side: 'SELL', quantity: '5' }),
];

export interface WaitingOptions {
  readonly id?: string;
  readonly draftId?: string;
  /** The approval that was required when the person was asked. */
  readonly method?: ApprovalMethod;
  readonly environment?: string;
  /** Other facts of the account of each leg. */
  readonly facts?: object;
  /** The intents that the legs repeat. */
  readonly repeats?: ReadonlyMap<number, string>;
  readonly repeatOf?: string;
  /** What is changed after the request was made, as no process does it. */
  readonly change?: (submission: Submission & { readonly approval: DraftApproval }) => Partial<Submission>;
}

export function waitingDraft({
  id = 's1',
  draftId = 'd1',
  method = 'page',
  environment = 'sandbox',
  facts = {},
  repeats = new Map(),
  repeatOf,
  change = () => ({}),
}: WaitingOptions = {}): Required<Pick<Stored, 'submissions' | 'legs' | 'drafts' | 'versions'>> & {
  submission: Submission & { readonly approval: DraftApproval };
} {
  const numbered = twoLegs.map((leg, index) => toCheck(leg, { number: index + 1, facts }));
  const sequence = numbered.toReversed() as readonly LegToCheck[];
  const attempt = {
    id,
    draftId,
    version: 1,
    accountKey: 'account',
    environment,
    createdAt: startAt,
    haltCount: 0,
    repeatOf,
  };
  const known = { legs: sequence, exchanges: [], own: [], limits: paper, cash: undefined };
  const input = { facts: known, charges: [], repeats, method, now: startAt };
  const approval = createDraftApproval(attempt, input);
  const submission = { ...attempt, state: 'awaiting_approval', endsAt: approval.expiresAt, approval } as const;
  return {
    submission,
    submissions: [{ ...submission, ...change(submission) }],
    legs: sequence.map(({ number }, position) =>
      waitingLeg({ submissionId: id, number, position, repeatOf: repeats.get(number) }),
    ),
    drafts: [draft({ id: draftId, environment })],
    versions: [{ draftId, version: 1, createdAt: startAt, channel: 'tool', legs: twoLegs }],
  };
}
