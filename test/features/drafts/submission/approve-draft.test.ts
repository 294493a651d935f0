/** Whether a draft waits for a person as it was shown, and how its time ends. */
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import {
  endOverdue,
  expireWaiting,
  isPastApproval,
  toDraftTicketView,
  viewDraftTicket,
} from '../../../../src/features/drafts/submission/approve-draft.ts';
import { toWaiting } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import type { Submission, SubmissionView } from '../../../../src/features/drafts/submission/submission.ts';
import { makeIntent } from '../../../core/orders/risk/example-account.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { attempt, draft, openStore, type Stored, waitingLeg } from './attempts.ts';
import { draftLeg } from './legs-to-check.ts';
import { expiresAt, startAt, twoLegs, type WaitingOptions, waitingDraft } from './waiting-draft.ts';

/** Whether a draft could be approved by whoever was shown this digest; undefined where none was shown. */
async function checkWaiting(
  tx: SubmissionView,
  submission: Submission | undefined,
  shown: string | undefined,
  now: number,
) {
  const found = toWaiting(tx, submission, now, () => ({}));
  if (found.kind !== 'waiting') return found;
  return { kind: (await found.isAsShown(shown)) ? 'waiting' : 'changed' };
}

const inState = (state: Submission['state'], change: Partial<Submission> = {}): WaitingOptions => ({
  change: () => ({ state, ...change }),
});
const withoutApproval: WaitingOptions = { change: () => ({ approval: undefined }) };
const notWaiting = (['sending', 'done', 'stopped', 'declined', 'expired'] as const).map(
  (state): [string, WaitingOptions] => [state, inState(state)],
);

describe('an approval can no longer be given', () => {
  const { submission } = waitingDraft();

  // A clock that was set back by more than 5 seconds must not make it last longer.
  test.each([
    [startAt - 5_001, true],
    [startAt - 5_000, false],
    [startAt, false],
    [expiresAt - 1, false],
    [expiresAt, true],
  ])('when its time is over: %i, %s', (now, isOver) => {
    expect(isPastApproval(submission, now)).toBe(isOver);
  });

  test('where no person is asked', () => {
    expect(isPastApproval({}, startAt)).toBe(true);
  });
});

/** The draft in a store, with what is changed in it. */
async function open(options: WaitingOptions = {}, stored: Stored = {}) {
  const waiting = waitingDraft(options);
  const store = await openStore(() => startAt, { ...waiting, ...stored });
  const find = async (id = 's1') => (await store.read((tx) => tx.findSubmission(id))) as Submission;
  return { store, submission: waiting.submission, find };
}

describe('what would be approved', () => {
  const { digest } = waitingDraft().submission.approval;
  /** With the digest of what was shown; by default it is the one that is stored. */
  async function check(
    options: WaitingOptions = {},
    stored: Stored = {},
    shown?: string,
    change: Partial<Submission> = {},
  ) {
    const { store, find } = await open(options, stored);
    const submission = { ...(await find()), ...change };
    return { submission, result: await store.read((tx) => checkWaiting(tx, submission, shown, startAt)) };
  }
  const kindOf = async (...given: Parameters<typeof check>) => (await check(...given)).result.kind;

  test('is what was shown and what is stored', async () => {
    const { store, submission, find } = await open();
    const found = await find();
    const result = await store.read((tx) => checkWaiting(tx, found, submission.approval.digest, startAt));
    expect(result).toEqual({ kind: 'waiting' });
  });

  test('is what is stored, where the caller was shown no digest', async () => {
    expect(await kindOf()).toBe('waiting');
  });

  test('is another one than was shown', async () => {
    expect(await kindOf({}, {}, digest)).toBe('changed');
  });

  test('changed, because the row has another digest than was shown, although the orders are the same', async () => {
    const { store, submission, find } = await open();
    const { digest: shown, ...rest } = submission.approval;
    const altered = { ...(await find()), approval: { ...rest, digest } };
    expect(await store.read((tx) => checkWaiting(tx, altered, shown, startAt))).toEqual({ kind: 'changed' });
    expect(await store.read((tx) => checkWaiting(tx, altered, digest, startAt))).toEqual({ kind: 'changed' });
  });

  test.each<[string, WaitingOptions]>([...notWaiting, ['without an approval', withoutApproval]])(
    'does not wait: %s',
    async (_, options) => {
      expect(await kindOf(options)).toBe('not_waiting');
    },
  );

  test('does not wait when its time is over, and when there is none', async () => {
    const { store, find } = await open();
    const submission = await find();
    expect(await store.read((tx) => checkWaiting(tx, submission, undefined, expiresAt))).toEqual({
      kind: 'not_waiting',
    });
    expect(await store.read((tx) => checkWaiting(tx, undefined, undefined, startAt))).toEqual({ kind: 'not_waiting' });
  });

  const version = (legs: readonly object[]): Stored => ({
    versions: [{ draftId: 'd1', version: 1, createdAt: startAt, channel: 'tool', legs: legs as typeof twoLegs }],
  });
  const leg = (number: number, position: number, repeatOf?: string) => waitingLeg({ number, position, repeatOf });

  test.each<[string, Stored]>([
    ['the draft was discarded', { drafts: [draft({ state: 'discarded' })] }],
    ['the draft was sent', { drafts: [draft({ state: 'sent' })] }],
    ['the draft has a newer version', { drafts: [draft({ version: 2 })] }],
    ['the version is missing', { versions: [] }],
    ['a leg has another order', version([draftLeg({ ticker: 'A_EQ', quantity: '11' }), ...twoLegs.slice(1)])],
    ['the legs of the version have another order', version(twoLegs.toReversed())],
    ['the version has another leg', version([...twoLegs, draftLeg({ ticker: 'C_EQ' })])],
    ['the version has a leg less', version(twoLegs.slice(0, 1))],
    ['the attempt has another leg', { legs: [leg(2, 0), leg(1, 1), leg(3, 2)] }],
    ['the attempt has a leg less', { legs: [leg(2, 0)] }],
    ['the legs are sent in another sequence', { legs: [leg(1, 0), leg(2, 1)] }],
    ['a leg repeats an order', { legs: [leg(2, 0, 'i1'), leg(1, 1)] }],
    ['a leg has a number that the version has not', { legs: [leg(2, 0), leg(3, 1)] }],
  ])('changed, because %s', async (_, stored) => {
    expect(await kindOf({}, stored)).toBe('changed');
  });

  test('is the same when only a text of the model in the version changed', async () => {
    expect(await kindOf({}, version(twoLegs.map((one) => ({ ...one, reason: 'Another text.' }))))).toBe('waiting');
  });

  test.each<[string, Partial<Submission>]>([
    ['another attempt', { id: 's2' }],
    ['another account', { accountKey: 'other' }],
    ['another environment', { environment: 'demo' }],
    ['a draft that does not exist', { draftId: 'd9' }],
    ['a draft to repeat that does not exist', { draftId: 'd9', repeatOf: 's0' }],
    ['another version', { version: 2 }],
  ])('changed, because the row is of %s', async (_, change) => {
    expect(await kindOf({}, {}, undefined, change)).toBe('changed');
  });

  describe('of a repetition', () => {
    const repeats = new Map([
      [1, 'i1'],
      [2, 'i2'],
    ]);
    const repetition: WaitingOptions = { repeatOf: 's0', repeats };

    test.each<['open' | 'sent' | 'discarded', string]>([
      ['sent', 'waiting'],
      ['open', 'waiting'],
      ['discarded', 'changed'],
    ])('is a version whose draft is %s: %s', async (state, kind) => {
      expect(await kindOf(repetition, { drafts: [draft({ state })] })).toBe(kind);
    });
  });
});

describe('a person is shown', () => {
  const view = async (options: WaitingOptions = {}, now = startAt) => {
    const { store, find } = await open(options);
    await store.change((tx) => tx.set('security', { wrong: { count: 2, lastAt: startAt - 1 } }));
    const submission = await find();
    return store.read((tx) => toDraftTicketView(tx, submission, now));
  };

  test('the ticket with its digest, the time that is left, and wrong passphrases since the last time', async () => {
    const { approval } = waitingDraft().submission;
    expect(await view()).toEqual({
      ticket: JSON.parse(JSON.stringify({ ...approval.ticket })),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      secondsLeft: 120,
      wrongPassphrases: { count: 2, lastAt: startAt - 1, locked: [] },
    });
  });

  test.each([
    [0, 120],
    [1, 120],
    [1_000, 119],
    [119_999, 1],
    [120_000, 0],
  ])('after %i ms that %i seconds are left', async (ms, seconds) => {
    expect((await view({}, startAt + ms))?.secondsLeft).toBe(seconds);
  });

  test.each<[string, WaitingOptions]>(notWaiting)('that it no longer waits: %s', async (_, options) => {
    expect(await view(options)).toMatchObject({ secondsLeft: 0, wrongPassphrases: undefined });
  });

  test('nothing where no person is asked', async () => {
    expect(await view(withoutApproval)).toBeUndefined();
  });
});

describe('a draft is shown while it waits', () => {
  async function viewOf(given: {
    options?: WaitingOptions;
    id?: string;
    now?: number;
    accountKey?: string;
    draftId?: string;
  }) {
    const { options, id, now = startAt, accountKey = 'account', draftId = 'd1' } = given;
    const { submissions, ...rest } = waitingDraft(options);
    const others = [
      attempt('s2', startAt - 1, { state: 'declined' }),
      attempt('s3', startAt + 1, { draftId: 'd2', state: 'awaiting_approval', accountKey: 'other' }),
    ];
    const store = await openStore(() => startAt, { ...rest, submissions: [...submissions, ...others] });
    const deps = {
      store,
      clock: createManualClock({ startAt: now }),
      environment: 'sandbox',
      accountKey: async () => accountKey,
    };
    return viewDraftTicket(deps, draftId, id);
  }

  test.each([undefined, 's1'])('to somebody who asks for the attempt %s', async (id) => {
    expect((await viewOf({ id } as never))?.ticket.submissionId).toBe('s1');
  });

  test('and not to somebody who asks for another attempt', async () => {
    expect(await viewOf({ id: 's2' })).toBeUndefined();
  });

  test('and not when its time is over', async () => {
    expect(await viewOf({ now: expiresAt - 1 })).toMatchObject({ secondsLeft: 1 });
    expect(await viewOf({ now: expiresAt })).toBeUndefined();
  });

  test.each<[string, WaitingOptions]>([...notWaiting, ['without an approval', withoutApproval]])(
    'and not one that does not wait: %s',
    async (_, options) => {
      expect(await viewOf({ options })).toBeUndefined();
      expect(await viewOf({ options, id: 's1' })).toBeUndefined();
    },
  );

  test('and not to another account, which has no such draft', async () => {
    await expect(viewOf({ accountKey: 'other' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(viewOf({ draftId: 'd9' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

const processes = { self: 'test', isAlive: (name: string) => name !== 'dead' };
/** A single order of the account that is about to be sent: nothing here may end it. */
const bystander = makeIntent({ id: 'other', state: 'APPROVED', createdAt: startAt - 1 });

describe('the attempts of an account whose time is over end', () => {
  const place = { accountKey: 'account', environment: 'sandbox' };
  const elsewhere = ['other account', 'other environment'] as const;

  async function expire(options: WaitingOptions, now: number) {
    const mine = waitingDraft(options);
    const others = [
      waitingDraft({ ...options, id: elsewhere[0], draftId: 'd2' }).submissions.map((one) => ({
        ...one,
        accountKey: 'x',
      })),
      waitingDraft({ ...options, id: elsewhere[1], draftId: 'd3' }).submissions.map((one) => ({
        ...one,
        environment: 'demo',
      })),
    ].flat();
    const intents = [{ ...bystander, createdAt: now - 1_000 }];
    const store = await openStore(() => now, { ...mine, submissions: [...mine.submissions, ...others], intents });
    await store.change((tx) => expireWaiting(tx, place, { processes, clock: createManualClock({ startAt: now }) }));
    const read = (id: string) => store.read((tx) => tx.findSubmission(id));
    for (const id of elsewhere) expect((await read(id))?.state).toBe(mine.submissions[0]?.state);
    expect((await store.read((tx) => tx.find('other')))?.state).toBe('APPROVED');
    return { ended: await read('s1'), lastNote: (await store.audit.last(1))[0] };
  }

  test('as not approved, at the end of the time to approve and not before', async () => {
    const { ended, lastNote } = await expire({}, expiresAt);
    const reason = 'The draft was not approved in time.';
    expect(ended).toMatchObject({ state: 'expired', reason });
    expect(lastNote).toMatchObject({ kind: 'submission', data: { submissionId: 's1', state: 'expired', reason } });
    expect((await expire({}, expiresAt - 1)).ended?.state).toBe('awaiting_approval');
  });

  test('as stopped, at the end of the time to send and not at that of the approval', async () => {
    const sending = inState('sending', { endsAt: startAt + 900_000 });
    expect((await expire(sending, expiresAt)).ended?.state).toBe('sending');
    expect((await expire(sending, startAt + 899_999)).ended?.state).toBe('sending');
    expect((await expire(sending, startAt + 900_000)).ended).toMatchObject({
      state: 'stopped',
      rule: 'submission_ended',
      reason: 'The time to send the draft has passed.',
    });
  });

  test.each(['done', 'stopped', 'declined'] as const)('and one that is %s stays as it is', async (state) => {
    expect((await expire(inState(state), expiresAt)).ended?.state).toBe(state);
  });
});

describe('an attempt that is being sent ends after its time', () => {
  const legIntent = (number: number, state: Intent['state'], change: Partial<Intent> = {}): Intent =>
    makeIntent({
      id: `i${number}`,
      state,
      leg: { submissionId: 's1', number },
      createdAt: startAt - 2_000,
      changedAt: startAt - 1_000,
      sentAt: startAt - 1_000,
      sender: 'alive',
      ...change,
    });
  const placed = legIntent(2, 'PLACED');
  const inFlight = legIntent(1, 'SENDING');

  async function end(intents: readonly Intent[], change: Partial<Submission> = {}) {
    const options = inState('sending', { endsAt: startAt, owner: 'alive', ...change });
    const { store, find } = await open(options, { intents: [...intents, bystander] });
    const before = await find();
    await store.change((tx) => endOverdue(tx, before, { processes, now: startAt }));
    expect((await store.read((tx) => tx.find('other')))?.state).toBe('APPROVED');
    const { state, rule, reason } = await find();
    const { state: draftState, version } = (await store.read((tx) => tx.findDraft('d1'))) as never as Record<
      string,
      unknown
    >;
    return { end: { state, rule, reason }, draft: `${draftState} ${version}` };
  }
  const pastEnd = { state: 'stopped', rule: 'submission_ended', reason: 'The time to send the draft has passed.' };

  test('as done, if every order was placed', async () => {
    expect(await end([placed, legIntent(1, 'PLACED')])).toEqual({
      end: { state: 'done', rule: undefined, reason: undefined },
      draft: 'sent 1',
    });
  });

  test('as stopped by the time, if a leg waits, which becomes the next version', async () => {
    expect(await end([placed])).toEqual({ end: pastEnd, draft: 'open 2' });
    expect(await end([])).toEqual({ end: pastEnd, draft: 'open 1' });
  });

  test('as stopped by a leg that was refused', async () => {
    const refused = legIntent(1, 'REFUSED', { rule: 'cash', reason: 'There is not enough cash.' });
    expect(await end([placed, refused])).toEqual({
      end: { state: 'stopped', rule: 'cash', reason: 'Order 1 was refused by this server. There is not enough cash.' },
      draft: 'open 2',
    });
  });

  test('as stopped by an order that may be live, if the process that sent it is gone', async () => {
    const { end: ended, draft: left } = await end([placed, { ...inFlight, sender: 'dead' }], { owner: 'dead' });
    expect(ended.reason).toMatch(/^Order 1 may be live: its outcome is unknown\./);
    expect([ended.state, left]).toEqual(['stopped', 'sent 1']);
  });

  test.each([
    ['alive', 'sending'],
    ['dead', 'stopped'],
    [undefined, 'stopped'],
  ])('with an order in flight, whose process is %s, as %s', async (owner, state) => {
    const { end: ended } = await end([placed, inFlight], { owner });
    expect(ended).toEqual(state === 'stopped' ? pastEnd : { state, rule: undefined, reason: undefined });
  });

  test('and not before', async () => {
    expect((await end([placed], { endsAt: startAt + 1 })).end.state).toBe('sending');
  });

  test('and one that is not being sent stays as it is, with all orders of the account', async () => {
    const overdue = makeIntent({ id: 'i9', state: 'APPROVED', createdAt: startAt - 60_000 });
    const { store, find } = await open(inState('awaiting_approval', { endsAt: startAt }), { intents: [overdue] });
    const before = await find();
    await store.change((tx) => endOverdue(tx, before, { processes, now: startAt }));
    expect(await find()).toEqual(before);
    expect((await store.read((tx) => tx.find('i9')))?.state).toBe('APPROVED');
  });
});
