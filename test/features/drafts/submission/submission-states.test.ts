/**
 * Every state of an attempt to send a draft, with everything that can happen to it: the state after it, what the service
 * received, and what is left of the draft, as docs/drafts.md says.
 */
import { describe, expect, test } from 'vitest';
import { setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { getFormTotal } from '../../../../src/features/drafts/submission/announce-approval.ts';
import { discardDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { Submission, SubmissionState } from '../../../../src/features/drafts/submission/submission.ts';
import { createOrderPath, type OrderPath } from '../../../core/orders/risk/order-path.ts';

const approvalMs = 120_000;
const sendingMs = 15 * 60_000;
const leg = { type: 'LIMIT', ticker: 'A_EQ', side: 'BUY', quantity: '1', timeValidity: 'DAY' } as const;
const legs: readonly OrderRequest[] = [
  { ...leg, limitPrice: '9.5' },
  { ...leg, limitPrice: '9.6' },
];

interface Attempt {
  readonly path: OrderPath;
  readonly draftId: string;
  readonly submission: Submission;
}

const nonce = ({ submission }: Attempt) => submission.approval?.nonce ?? '';
const round = ({ path }: Attempt) => path.clock.run(path.submissions.tick()).then(() => path.clock.advance(60_000));
const confirm = async (attempt: Attempt, confirmLegs: number): Promise<unknown> => {
  const { ticket } = attempt.submission.approval ?? {};
  return attempt.path.approvals.confirm({
    nonce: nonce(attempt),
    confirmLegs,
    confirmTotal: ticket && getFormTotal(ticket),
  });
};

/** What can happen. The rounds are those of a server that sends what is approved. */
const events = {
  'is approved': (attempt) => confirm(attempt, legs.length),
  'is approved with a wrong number': (attempt) => confirm(attempt, legs.length + 1),
  'is declined in the form': (attempt) => attempt.path.approvals.declineForm(nonce(attempt)),
  'is rejected': ({ path, submission }) => path.approvals.reject({ submissionId: submission.id, channel: 'page' }),
  'is stopped': ({ path, submission }) => path.approvals.stop({ submissionId: submission.id, channel: 'page' }),
  'has its draft discarded': ({ path, draftId }) => discardDraft(path.drafts, draftId),
  'gets a round': round,
  'gets a round in which the first leg is lost': (attempt) => {
    attempt.path.service.onAttempt = () => 'lost on the way';
    return round(attempt);
  },
  'gets a round in which the second leg is refused': (attempt) => {
    attempt.path.service.onAttempt = ({ price }) => (price === 960 ? 'refused' : 'accepted');
    return round(attempt);
  },
  'gets a round in which nothing connects': (attempt) => {
    attempt.path.service.onAttempt = () => 'not connected';
    return round(attempt);
  },
  'gets a round after a halt': async (attempt) => {
    const { journal, clock } = attempt.path;
    await journal.change((tx) => setHalt(tx, { at: clock.now(), by: 'command', reason: 'A test.' }));
    return round(attempt);
  },
  'gets a round after its time': async (attempt) => {
    await attempt.path.clock.advance(attempt.submission.state === 'sending' ? sendingMs : approvalMs);
    return round(attempt);
  },
} satisfies Record<string, (attempt: Attempt) => Promise<unknown>>;
type Event = keyof typeof events;

/** The state, the requests that left, and the draft with the number of its version and of its legs. */
type After = readonly [state: SubmissionState, sent: number, draft: `${string} ${number}/${number}`];

const waits: After = ['awaiting_approval', 0, 'open 1/2'];
const approved: After = ['sending', 0, 'open 1/2'];
const stoppedUnsent: After = ['stopped', 0, 'open 1/2'];
const placed: After = ['done', 2, 'sent 1/2'];
const declined: After = ['declined', 0, 'open 1/2'];
const expired: After = ['expired', 0, 'open 1/2'];

/** An attempt that has ended stays as it is, and only its draft can be discarded while it is open. */
const nothingBut = (after: After, discarded: After[2]): Record<Event, After> => ({
  ...(Object.fromEntries(Object.keys(events).map((event) => [event, after])) as Record<Event, After>),
  'has its draft discarded': [after[0], after[1], discarded],
});

const expected: Record<SubmissionState, Record<Event, After>> = {
  awaiting_approval: {
    ...nothingBut(waits, 'discarded 1/2'),
    'is approved': approved,
    'is declined in the form': declined,
    'is rejected': declined,
    'has its draft discarded': ['declined', 0, 'discarded 1/2'],
    'gets a round after its time': expired,
  },
  sending: {
    ...nothingBut(approved, 'discarded 1/2'),
    'is stopped': stoppedUnsent,
    'has its draft discarded': ['stopped', 0, 'discarded 1/2'],
    'gets a round': placed,
    // The lost leg may be live, so only the other one is left.
    'gets a round in which the first leg is lost': ['stopped', 1, 'open 2/1'],
    'gets a round in which the second leg is refused': ['stopped', 2, 'sent 1/2'],
    'gets a round in which nothing connects': stoppedUnsent,
    'gets a round after a halt': stoppedUnsent,
    'gets a round after its time': stoppedUnsent,
  },
  done: nothingBut(placed, 'sent 1/2'),
  stopped: nothingBut(stoppedUnsent, 'discarded 1/2'),
  declined: nothingBut(declined, 'discarded 1/2'),
  expired: nothingBut(expired, 'discarded 1/2'),
};

/** The events that lead from a new attempt to each state. */
const ways: Record<SubmissionState, readonly Event[]> = {
  awaiting_approval: [],
  sending: ['is approved'],
  done: ['is approved', 'gets a round'],
  stopped: ['is approved', 'is stopped'],
  declined: ['is declined in the form'],
  expired: ['gets a round after its time'],
};

async function create(path: OrderPath): Promise<Attempt> {
  const { draftId } = await path.saveDraft(legs);
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  const submitted = await path.submissions.create({ draftId, version: 1 }, context);
  if (submitted.kind !== 'new') throw new Error('The draft was not submitted.');
  return { path, draftId, submission: submitted.submission };
}

const read = ({ path, draftId, submission: { id } }: Attempt) =>
  path.drafts.store.read(async (tx) => {
    const draft = await tx.findDraft(draftId);
    const versions = await tx.listVersions(draftId);
    return {
      submission: (await tx.findSubmission(id)) as Submission,
      draft: `${draft?.state} ${draft?.version}/${versions.at(-1)?.legs.length}`,
    };
  });

describe.each(Object.keys(expected) as SubmissionState[])('an attempt that is %s', (state) => {
  test.each(Object.keys(events) as Event[])('%s', async (event) => {
    const path = await createOrderPath({ tickers: ['A_EQ'], limits: {}, isApproved: true, delayMs: 0 });
    let attempt = await create(path);
    const happen = async (one: Event) => {
      await events[one](attempt);
      const { submission, draft } = await read(attempt);
      attempt = { ...attempt, submission };
      return [submission.state, path.service.log.length, draft];
    };
    for (const one of ways[state]) await happen(one);
    expect(attempt.submission.state).toBe(state);
    expect(await happen(event)).toEqual(expected[state][event]);
    await path.submissions.stop();
    await path.close();
  });
});
