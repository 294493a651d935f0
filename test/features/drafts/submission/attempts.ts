/** Attempts to send drafts, in a store in memory. */
import { onTestFinished } from 'vitest';
import type { DraftApproval } from '../../../../src/core/orders/intent/draft-approval.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { WriteIntent } from '../../../../src/core/orders/intent/journal-port.ts';
import { createAuditTrail } from '../../../../src/core/store/audit-table.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import type { Draft, DraftVersion } from '../../../../src/features/drafts/book/draft.ts';
import type {
  Submission,
  SubmissionLeg,
  SubmissionStore,
} from '../../../../src/features/drafts/submission/submission.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

export interface Stored {
  readonly submissions?: readonly Submission[];
  readonly legs?: readonly SubmissionLeg[];
  readonly intents?: readonly Intent[];
  /** The drafts of the attempts are there without being named. */
  readonly drafts?: readonly Draft[];
  readonly versions?: readonly DraftVersion[];
}

/** A store with these rows. An intent that is a leg has its attempt, without being named. */
export async function openStore(now: () => number, stored: Stored = {}) {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  const journal = createJournal<Intent, WriteIntent, Draft, DraftVersion, Submission, SubmissionLeg>(engine, { now });
  const store = journal as unknown as SubmissionStore;
  const { submissions = [], legs = [], intents = [], drafts = [], versions = [] } = stored;
  const taken = intents.flatMap(({ leg }) => leg ?? []);
  const ofTaken = [...new Set(taken.map(({ submissionId }) => submissionId))].map((id) =>
    attempt(id, now(), { approval: undefined }),
  );
  const known = new Map([...ofTaken, ...submissions].map((one) => [one.id, one]));
  const ofAttempts = [...known.values()].map(({ draftId }) => draft({ id: draftId }));
  await store.change(async (tx) => {
    for (const one of new Map([...ofAttempts, ...drafts].map((each) => [each.id, each])).values())
      await tx.insertDraft(one);
    for (const version of versions) await tx.insertVersion(version);
    for (const submission of known.values()) {
      const own = [...taken.map((leg) => waitingLeg(leg)), ...legs];
      await tx.insertSubmission(submission, [
        ...new Map(own.filter((leg) => leg.submissionId === submission.id).map((leg) => [leg.number, leg])).values(),
      ]);
    }
    for (const intent of intents) await tx.insert(intent);
  });
  return { ...store, audit: createAuditTrail(engine) };
}

/** Version 1 of an open draft. */
export const draft = (change: Partial<Draft> = {}): Draft => ({
  id: 'd1',
  accountKey: 'account',
  environment: 'sandbox',
  name: undefined,
  version: 1,
  state: 'open',
  source: 'test',
  createdAt: 0,
  expiresAt: 8e12,
  ...change,
});

/** A leg whose turn has not come. */
export const waitingLeg = (change: Partial<SubmissionLeg> = {}): SubmissionLeg => ({
  submissionId: 's1',
  number: 1,
  position: 0,
  state: 'waiting',
  isDependent: false,
  ...change,
});

/** An attempt that ended without an approval, although a person was asked. */
export const attempt = (id: string, createdAt: number, change: Partial<Submission> = {}): Submission => ({
  id,
  draftId: 'd1',
  version: 1,
  accountKey: 'account',
  environment: 'sandbox',
  state: 'expired',
  createdAt,
  endsAt: createdAt,
  haltCount: 0,
  approval: { handle: `handle-${id}`, nonce: `nonce-${id}` } as DraftApproval,
  ...change,
});
