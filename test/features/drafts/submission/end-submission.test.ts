/** What is left of a draft after an attempt to send it ends, and after a leg in flight comes back later. */
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { createAuditTrail } from '../../../../src/core/store/audit-table.ts';
import type { DraftChannel } from '../../../../src/features/drafts/book/draft.ts';
import { endSubmission, keepLateLeg, readLegs } from '../../../../src/features/drafts/submission/end-submission.ts';
import { stopDraft, stoppedBy, stopSubmission } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { Submission } from '../../../../src/features/drafts/submission/submission.ts';
import { buys, openWorld, type SmallWorld, startAt } from './small-world.ts';

const processes = { self: 'p1', isAlive: () => true };

/** Inserts the order of a leg in a state. */
const insert = (made: SmallWorld, submissionId: string, number: number, change: Partial<Intent>) =>
  made.store.change((tx) => {
    const request = buys(number).at(-1);
    const times = { createdAt: startAt, changedAt: startAt };
    const base = { kind: 'order', environment: 'demo', accountKey: 'account', fingerprint: `f${number}`, owner: 'p1' };
    const intent = { ...base, ...times, id: `${submissionId}-${number}`, ticker: 'CCC', request, ...change };
    return tx.insert({ ...intent, leg: { submissionId, number } } as unknown as Intent);
  });
const approved = { state: 'APPROVED' } as const;
const placed = { state: 'PLACED', orderId: '7', sentAt: startAt } as const;

const endAs = (made: SmallWorld, submission: Submission, end: Parameters<typeof endSubmission>[2]) =>
  made.store.change((tx) => endSubmission(tx, submission, end, { processes, now: made.clock.now() }));

describe('an attempt that ends', () => {
  test('is returned as it ended, without an owner, and is in the audit trail', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(1));
    await made.change(submission.id, { owner: 'p1', leaseUntil: startAt + 90_000 });
    const end = { state: 'stopped', rule: 'halted', reason: 'It was halted.' } as const;
    const ended = await endAs(made, submission, end);
    expect(ended).toMatchObject({ id: submission.id, ...end });
    expect([ended?.owner, ended?.leaseUntil]).toEqual([undefined, undefined]);
    const { id: submissionId, draftId } = submission;
    const [last] = (await createAuditTrail(made.engine).last(20)).filter(({ kind }) => kind === 'submission');
    expect([last?.environment, last?.data]).toEqual(['demo', { submissionId, draftId, version: 1, ...end }]);
  });

  test('closes the orders of the account whose time is over, and its own with the time of the end', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(3));
    await insert(made, submission.id, 1, { ...approved, createdAt: startAt - 60_000 });
    await insert(made, submission.id, 2, approved);
    await insert(made, submission.id, 3, placed);
    await made.pass(1_000);
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    const legs = await made.store.read((tx) => readLegs(tx, submission.id));
    expect(legs.map(({ intent }) => [intent?.state, intent?.changedAt])).toEqual([
      ['EXPIRED', startAt + 1_000],
      ['NOT_SENT', startAt + 1_000],
      ['PLACED', startAt],
    ]);
    expect(await made.readDraft(submission.draftId)).toEqual(['open', 2, ['1', '2']]);
  });

  test('was ended by one process alone', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await insert(made, submission.id, 1, placed);
    await endAs(made, submission, { state: 'stopped', reason: 'First.' });
    expect(await endAs(made, submission, { state: 'stopped', reason: 'Second.' })).toBeUndefined();
    expect((await made.find(submission.id)).reason).toBe('First.');
    const reasons = (await createAuditTrail(made.engine).last(20)).flatMap(({ kind, data }) =>
      kind === 'submission' && 'reason' in data ? [data.reason] : [],
    );
    expect(reasons).toEqual(['First.']);
    expect(await made.readDraft(submission.draftId)).toEqual(['open', 2, ['2']]);
  });

  test.each([
    ['with the rule that ended it', { state: 'stopped', rule: 'halted', reason: 'Halted.' }, 'halted'],
    ['because it ended', { state: 'stopped', reason: 'Stopped.' }, 'submission_ended'],
  ] as const)('ends the order that waits for its turn at the broker, %s', async (_, end, rule) => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await insert(made, submission.id, 1, placed);
    await insert(made, submission.id, 2, approved);
    await endAs(made, submission, end);
    const [first, second] = (await made.store.read((tx) => readLegs(tx, submission.id))).map(({ intent }) => intent);
    expect(first?.state).toBe('PLACED');
    expect(second).toMatchObject({ state: 'NOT_SENT', rule, reason: end.reason });
    expect(await made.readDraft(submission.draftId)).toEqual(['open', 2, ['2']]);
  });

  test('ends an order that would be tried again, which is certainly not sent then', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await insert(made, submission.id, 1, placed);
    await insert(made, submission.id, 2, { state: 'NOT_SENT', retryUntil: startAt + 60_000 });
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    const [, second] = await made.store.read((tx) => readLegs(tx, submission.id));
    expect(second?.intent).toMatchObject({ state: 'NOT_SENT', rule: 'submission_ended' });
    expect(second?.intent?.retryUntil).toBeUndefined();
    expect(await made.readDraft(submission.draftId)).toEqual(['open', 2, ['2']]);
  });

  test('leaves the orders of other attempts and single orders alone', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await insert(made, submission.id, 1, placed);
    await made.store.change((tx) => {
      const base = { kind: 'order', environment: 'demo', accountKey: 'account', fingerprint: 'f', owner: 'p1' };
      const times = { createdAt: startAt, changedAt: startAt };
      return tx.insert({ ...base, ...times, id: 'single', ticker: 'DDD', ...approved } as unknown as Intent);
    });
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    expect((await made.store.read((tx) => tx.find('single')))?.state).toBe('APPROVED');
  });

  test.each<[string, readonly Partial<Intent>[], unknown]>([
    ['nothing was sent keeps its version', [], ['open', 1, ['1', '2']]],
    ['every leg was sent is sent', [placed, { ...placed, orderId: '8' }], ['sent', 1, ['1', '2']]],
    ['a leg may be live and the other was placed is sent', [placed, { state: 'UNKNOWN' }], ['sent', 1, ['1', '2']]],
    ['a leg was refused has that leg', [placed, { state: 'REFUSED' }], ['open', 2, ['2']]],
  ])('of which %s: the draft', async (_, orders, expected) => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    for (const [at, order] of orders.entries()) await insert(made, submission.id, at + 1, order);
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    expect(await made.readDraft(submission.draftId)).toEqual(expected);
  });

  test.each([
    ['discarded', { state: 'discarded' }, ['discarded', 1]],
    ['at a later version', { version: 2 }, ['open', 2]],
  ] as const)('makes no version of a draft that is %s', async (_, change, expected) => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await insert(made, submission.id, 1, placed);
    await moveDraft(made, submission.draftId, change);
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    expect((await made.readDraft(submission.draftId)).slice(0, 2)).toEqual(expected);
  });
});

const moveDraft = (made: SmallWorld, draftId: string, change: object) =>
  made.store.change(async (tx) => {
    const draft = await tx.findDraft(draftId);
    if (draft) await tx.moveDraft(draft, change);
  });

describe('a leg that comes back as not sent after the end', () => {
  /** An attempt of three legs that was stopped while the second one was in flight, which was not sent after all. */
  async function lateLeg(count: number, more: (made: SmallWorld, submission: Submission) => Promise<unknown>) {
    const made = await openWorld();
    const submission = await made.submit(buys(count));
    await insert(made, submission.id, 1, placed);
    await insert(made, submission.id, 2, {
      state: 'SENDING',
      sender: 'p1',
      sentAt: startAt,
      answerBy: startAt + 15_000,
    });
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    const before = await made.readDraft(submission.draftId);
    const id = `${submission.id}-2`;
    await made.store.change((tx) => tx.move(id, 'SENDING', { state: 'NOT_SENT' }));
    await more(made, submission);
    await made.store.change((tx) => keepLateLeg(tx, submission.id, made.clock.now()));
    return { made, submission, before, after: await made.readDraft(submission.draftId) };
  }
  const addVersion = (made: SmallWorld, draftId: string, channel: DraftChannel) =>
    made.store.change(async (tx) => {
      await tx.insertVersion({ draftId, version: 3, createdAt: startAt, channel, legs: buys(1) });
      const draft = await tx.findDraft(draftId);
      if (draft) await tx.moveDraft(draft, { version: 3 });
    });
  const asOpen = (made: SmallWorld, submission: Submission) =>
    made.store.change((tx) =>
      tx.insertSubmission({ ...submission, id: 'next', version: 2, state: 'sending', owner: undefined }, []),
    );

  test('is in the next version with the legs that were left', async () => {
    const { made, submission, before, after } = await lateLeg(3, async () => undefined);
    expect(before).toEqual(['open', 2, ['3']]);
    expect(after).toEqual(['open', 3, ['2', '3']]);
    const latest = await made.store.read((tx) => tx.findVersion(submission.draftId, 3));
    expect([latest?.channel, latest?.createdAt]).toEqual(['submission', startAt]);
  });

  test('opens a draft again of which nothing else was left', async () => {
    const { made, submission, before, after } = await lateLeg(2, async () => undefined);
    expect(before).toEqual(['sent', 1, ['1', '2']]);
    expect(after).toEqual(['open', 2, ['2']]);
    const latest = await made.store.read((tx) => tx.findVersion(submission.draftId, 2));
    expect([latest?.channel, latest?.createdAt]).toEqual(['submission', startAt]);
  });

  test('is in one version only, however often it is looked at', async () => {
    const { made, submission, after } = await lateLeg(3, async () => undefined);
    await made.store.change((tx) => keepLateLeg(tx, submission.id, made.clock.now()));
    expect(await made.readDraft(submission.draftId)).toEqual(after);
  });

  test.each<[string, number, (made: SmallWorld, submission: Submission) => Promise<unknown>, unknown]>([
    ['was edited since', 3, (made, { draftId }) => addVersion(made, draftId, 'terminal'), ['open', 3, ['1']]],
    [
      'was discarded since',
      3,
      (made, { draftId }) => moveDraft(made, draftId, { state: 'discarded' }),
      ['discarded', 2, ['3']],
    ],
    ['is submitted again', 3, asOpen, ['open', 2, ['3']]],
    [
      'is a repetition, whose draft was sent before',
      2,
      (made, { id }) => made.change(id, { repeatOf: 'first' }),
      ['sent', 1, ['1', '2']],
    ],
    [
      'is a repetition that left something',
      3,
      (made, { id }) => made.change(id, { repeatOf: 'first' }),
      ['open', 2, ['3']],
    ],
    [
      'has a leg that is tried again, so that it can still be sent',
      3,
      (made, { id }) =>
        made.store.change((tx) =>
          tx.move(`${id}-2`, 'NOT_SENT', { state: 'NOT_SENT', retryUntil: made.clock.now() + 60_000 }),
        ),
      ['open', 2, ['3']],
    ],
    [
      'was placed after all',
      2,
      (made, { id }) => made.store.change((tx) => tx.move(`${id}-2`, 'NOT_SENT', { state: 'PLACED' })),
      ['sent', 1, ['1', '2']],
    ],
  ])('changes nothing where the draft %s', async (_, count, more, expected) => {
    expect((await lateLeg(count, more)).after).toEqual(expected);
  });

  test('changes nothing of a draft that a later attempt sent', async () => {
    const { after } = await lateLeg(3, (made, { draftId }) => moveDraft(made, draftId, { state: 'sent' }));
    expect(after).toEqual(['sent', 2, ['3']]);
  });

  /** An attempt of two legs that has ended, after which a leg is looked at that changed nothing. */
  async function lookAgain(
    orders: readonly Partial<Intent>[],
    edit?: (made: SmallWorld, draftId: string) => Promise<unknown>,
  ) {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    for (const [at, order] of orders.entries()) await insert(made, submission.id, at + 1, order);
    await endAs(made, submission, { state: 'stopped', reason: 'Stopped.' });
    await edit?.(made, submission.draftId);
    await made.store.change((tx) => keepLateLeg(tx, submission.id, made.clock.now()));
    return made.readDraft(submission.draftId);
  }

  test('changes nothing where the version after the end has the leg already', async () => {
    expect(await lookAgain([placed, { state: 'NOT_SENT' }])).toEqual(['open', 2, ['2']]);
  });

  test('changes nothing where nothing was sent, so that the version stays', async () => {
    expect(await lookAgain([{ state: 'NOT_SENT' }])).toEqual(['open', 1, ['1', '2']]);
  });

  test('changes nothing where a person edited the version that stayed', async () => {
    const after = await lookAgain([], (made, draftId) =>
      made.store.change(async (tx) => {
        await tx.insertVersion({ draftId, version: 2, createdAt: startAt, channel: 'terminal', legs: buys(1) });
        const draft = await tx.findDraft(draftId);
        if (draft) await tx.moveDraft(draft, { version: 2 });
      }),
    );
    expect(after).toEqual(['open', 2, ['1']]);
  });

  test('changes nothing while the attempt is open, and of an unknown attempt', async () => {
    const made = await openWorld();
    const { id, draftId } = await made.submit(buys(2));
    await insert(made, id, 1, { state: 'NOT_SENT' });
    await made.store.change((tx) => keepLateLeg(tx, id, startAt));
    await made.store.change((tx) => keepLateLeg(tx, 'none', startAt));
    expect(await made.readDraft(draftId)).toEqual(['open', 1, ['1', '2']]);
  });
});

describe('Stop', () => {
  test.each([
    ['none', 'stopped'],
    ['page', 'declined'],
  ] as const)('ends an attempt where the approval is %s as %s, and says who did it', async (approval, state) => {
    const made = await openWorld({ approval });
    const { id, draftId } = await made.submit(buys(1));
    expect(await stopDraft(made.program.deps, draftId, 'terminal')).toBe(true);
    expect(await made.find(id)).toMatchObject({
      state,
      endedBy: 'stop',
      reason: 'Stopped by a person, in a terminal.',
    });
  });

  test('ends nothing of a draft that is not sent, and nothing of another draft', async () => {
    const made = await openWorld();
    const other = await made.submit(buys(1));
    const draftId = await made.save(buys(2));
    expect(await stopDraft(made.program.deps, draftId, 'page')).toBe(false);
    expect((await made.find(other.id)).state).toBe('sending');
    await stopDraft(made.program.deps, other.draftId, 'page');
    expect(await stopDraft(made.program.deps, other.draftId, 'page')).toBe(false);
    await expect(stopDraft(made.program.deps, 'none', 'page')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('says when another process ended it first', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(1));
    const stop = () => made.store.change((tx) => stopSubmission(tx, made.program.deps, submission, stoppedBy('page')));
    expect([await stop(), await stop()]).toEqual([true, false]);
  });
});
