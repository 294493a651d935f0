/** What a submitted draft becomes in the store, which attempt a repeated call belongs to, and what can be repeated. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import { orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import { createAuditTrail } from '../../../../src/core/store/audit-table.ts';
import type { DraftFacts } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { discardDraft, stopDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { SubmissionChange } from '../../../../src/features/drafts/submission/submission.ts';
import { readRepeats, submitDraft } from '../../../../src/features/drafts/submission/submit-draft.ts';
import { makeIntent } from '../../../core/orders/risk/example-account.ts';
import { buy, buys, openWorld, type SmallWorld, sell, startAt } from './small-world.ts';

const legsOf = (made: SmallWorld, id: string) => made.store.read((tx) => tx.listSubmissionLegs(id));
const intentsOf = (made: SmallWorld, submissionId: string) => made.store.read((tx) => tx.list({ submissionId }));
const stop = (made: SmallWorld, draftId: string) => stopDraft(made.program.deps, draftId, 'page');

/** Submits a draft and sends all of it. */
async function sendAll(made: SmallWorld, legs = buys(2)) {
  const submission = await made.submit(legs);
  made.program.submissions.tick();
  await made.pass(30_000);
  return made.find(submission.id);
}

/** The submission that a call returns, and whether it is a new one. */
async function call(made: SmallWorld, wanted: Parameters<SmallWorld['create']>[0]) {
  const submitted = await made.create(wanted);
  if (submitted.kind === 'refused') throw new Error(submitted.refusal.reason);
  return [submitted.kind, submitted.submission.id] as const;
}

type ReadAccount = SmallWorld['program']['deps']['facts']['read'];

/** The parts of the first program, where `change` alters or refuses what is read of the account for a leg. */
function withAccount(
  made: SmallWorld,
  change: (
    instrument: Parameters<ReadAccount>[0],
    account: Awaited<ReturnType<ReadAccount>>,
    context: Parameters<ReadAccount>[1],
  ) => Awaited<ReturnType<ReadAccount>>,
): SmallWorld['program']['deps'] {
  const { deps } = made.program;
  const read: ReadAccount = async (instrument, context, ...rest) =>
    change(instrument, await deps.facts.read(instrument, context, ...rest), context);
  return { ...deps, facts: { ...deps.facts, read } };
}

const idPattern = /^[0-9a-f]{32}$/;

describe('a new attempt', () => {
  test('is sent at once for 15 minutes where orders need no approval', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(1));
    expect(submission).toEqual({
      ...{ accountKey: 'account', environment: 'demo', draftId: submission.draftId, version: 1 },
      ...{ id: expect.stringMatching(idPattern), state: 'sending', createdAt: startAt, endsAt: startAt + 900_000 },
      ...{ haltCount: 0, repeatOf: undefined, warnings: [] },
    });
  });

  test.each([
    ['page', undefined, 'awaiting_approval', 'page'],
    ['page', true, 'awaiting_approval', 'terminal'],
    ['elicitation', undefined, 'awaiting_approval', 'elicitation'],
    ['elicitation', true, 'awaiting_approval', 'terminal'],
    ['none', true, 'sending', undefined],
  ] as const)(
    'with the approval %s, in a terminal: %s, is %s for the method %s',
    async (approval, isInTerminal, ...expected) => {
      const made = await openWorld({ approval });
      const draftId = await made.save(buys(1));
      const submitted = await made.create({ draftId, version: 1, isInTerminal });
      if (submitted.kind !== 'new') throw new Error('It was not submitted.');
      const { state, approval: asked, endsAt } = submitted.submission;
      expect([state, asked?.method]).toEqual(expected);
      // A person has 120 seconds.
      expect(endsAt).toBe(startAt + (asked ? 120_000 : 900_000));
      expect(asked?.expiresAt).toBe(asked && endsAt);
    },
  );

  test('has its legs in the sequence in which they are sent, with the values that are reserved', async () => {
    const made = await openWorld({ cash: 10 });
    const { id } = await made.submit([buy({ quantity: '100' }), sell({ quantity: '100' }), buy({ quantity: '1' })]);
    const base = { submissionId: id, state: 'waiting', repeatOf: undefined };
    // A purchase counts with a margin of 2 %; 500 are more than the cash.
    expect(await legsOf(made, id)).toEqual([
      { ...base, number: 1, position: 1, value: '510.00', isDependent: true },
      { ...base, number: 2, position: 0, value: '1000.00', isDependent: false },
      { ...base, number: 3, position: 2, value: '5.10', isDependent: true },
    ]);
  });

  test('is in the audit trail with its state and the number of its legs', async () => {
    const made = await openWorld({ approval: 'page' });
    const { id, draftId } = await made.submit(buys(2));
    const rows = await createAuditTrail(made.engine).last(10);
    expect(rows.filter(({ kind }) => kind === 'submission')).toMatchObject([
      { environment: 'demo', data: { submissionId: id, draftId, version: 1, state: 'awaiting_approval', legs: 2 } },
    ]);
  });

  test('knows how often trading was halted before', async () => {
    const made = await openWorld();
    await made.store.change((tx) => tx.set('halt-count', 3));
    expect((await made.submit(buys(1))).haltCount).toBe(3);
  });

  test.each([
    ['none', 0],
    ['page', 1],
  ] as const)('reads what orders were charged only for a person: with the approval %s', async (approval, least) => {
    const made = await openWorld({ approval });
    const draftId = await made.save(buys(1));
    const { deps } = made.program;
    let reads = 0;
    const derive: typeof deps.history.derive = (...asked) => {
      reads++;
      return deps.history.derive(...asked);
    };
    const history = { ...deps.history, derive };
    await made.run(submitDraft({ ...deps, history }, { draftId, version: 1 }, made.contextFor()));
    expect(Math.min(reads, 1)).toBe(least);
  });

  test('is not made when the account cannot be read for one leg, and the failure is the result of the call', async () => {
    const made = await openWorld();
    const draftId = await made.save([buy(), buy({ ticker: 'BBB' })]);
    const failure = new BrokerageError('upstream_error', 'The service did not answer.', 'Try again.');
    const deps = withAccount(made, ({ ticker }, account) => {
      if (ticker === 'BBB') throw failure;
      return account;
    });
    await expect(made.run(submitDraft(deps, { draftId, version: 1 }, made.contextFor()))).rejects.toBe(failure);
    expect(await made.store.read((tx) => tx.listSubmissions({ draftId }))).toEqual([]);
  });

  test('reads the account with the priority of a look-up, so that orders leave first', async () => {
    const made = await openWorld();
    const draftId = await made.save(buys(1));
    const priorities: string[] = [];
    const deps = withAccount(made, (_, account, { priority }) => {
      priorities.push(priority);
      return account;
    });
    await made.run(submitDraft(deps, { draftId, version: 1 }, made.contextFor()));
    expect(priorities).toEqual(['lookUp']);
  });

  test('has a buy that waits for the sells when an order that was just approved takes the cash', async () => {
    const made = await openWorld({ cash: 100 });
    const draftId = await made.save([buy({ quantity: '4' }), sell()]);
    const at = { createdAt: startAt, changedAt: startAt, sentAt: undefined };
    const request = { ticker: 'BBB', side: 'BUY', type: 'LIMIT', quantity: '18', limitPrice: '5' } as const;
    const own = makeIntent({ id: 'own', state: 'APPROVED', value: '90', request, ticker: 'BBB', ...at });
    await made.store.change((tx) => tx.insert({ ...own, environment: 'demo' }));
    const submitted = await made.create({ draftId, version: 1 });
    if (submitted.kind !== 'new') throw new Error(JSON.stringify(submitted));
    const legs = await legsOf(made, submitted.submission.id);
    expect(legs.map(({ number, isDependent }) => [number, isDependent])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test('has a leg of unknown value when no price is known', async () => {
    const made = await openWorld();
    const draftId = await made.save([buy({ type: 'MARKET', limitPrice: undefined, timeValidity: undefined })]);
    const deps = withAccount(made, (_, account) => ({ ...account, positions: [], position: undefined }));
    const submitted = await made.run(submitDraft(deps, { draftId, version: 1 }, made.contextFor()));
    if (submitted.kind !== 'new') throw new Error(JSON.stringify(submitted));
    expect((await legsOf(made, submitted.submission.id)).map(({ value }) => value)).toEqual([undefined]);
  });

  test('is not made of a draft that was sent, although no attempt shows it', async () => {
    const made = await openWorld();
    const draftId = await made.save(buys(1));
    await made.store.change(async (tx) => {
      const draft = await tx.findDraft(draftId);
      if (draft) await tx.moveDraft(draft, { state: 'sent' });
    });
    await expect(made.create({ draftId, version: 1 })).rejects.toMatchObject({ code: 'draft_closed' });
  });

  test('is not made by a process that is read-only', async () => {
    const made = await openWorld();
    const draftId = await made.save(buys(1));
    const deps = { ...made.program.deps, readOnly: true };
    await expect(submitDraft(deps, { draftId, version: 1 }, made.contextFor())).rejects.toMatchObject({
      code: 'read_only',
      message: 'This process is read-only, so it sends no draft.',
      next: 'Submit it with a process that is not started read-only.',
    });
    expect(await made.store.read((tx) => tx.listSubmissions({ draftId }))).toEqual([]);
  });

  test('is not made while the file that halts is there, and the halt stays when the file is gone', async () => {
    const made = await openWorld();
    const draftId = await made.save(buys(1));
    const { deps } = made.program;
    const halted = { ...deps, settings: { ...deps.settings, haltFile: () => true } };
    const submitted = await made.run(submitDraft(halted, { draftId, version: 1 }, made.contextFor()));
    expect(submitted).toMatchObject({ kind: 'refused', refusal: { rule: 'halted' } });
    expect(await made.store.read(readHalt)).toMatchObject({ by: 'file', at: startAt });
  });

  test('is not made while another draft of the account is sent, which is named', async () => {
    const made = await openWorld();
    const other = await made.submit(buys(1));
    const draftId = await made.save([buy({ quantity: '9' })]);
    await expect(made.create({ draftId, version: 1 })).rejects.toMatchObject({
      code: 'submission_open',
      message: `Draft ${other.draftId} of this account is being sent; nothing of this draft was sent.`,
      next: 'Wait until it ends, which list_drafts shows, or stop it with discard_draft.',
      facts: { submissionId: other.id, draftId: other.draftId, retryAfterSeconds: 10 },
    });
    expect(await made.store.read((tx) => tx.listSubmissions({ draftId }))).toEqual([]);
  });

  test('is made when the other draft was not approved in time, which ends it', async () => {
    const made = await openWorld({ approval: 'page' });
    const other = await made.submit(buys(1));
    await made.pass(120_000);
    const { id } = await made.submit([buy({ quantity: '9' })]);
    expect([(await made.find(other.id)).state, (await made.find(id)).state]).toEqual(['expired', 'awaiting_approval']);
  });

  test.each([
    ['a version that is not the latest', (draftId: string) => ({ draftId, version: 2 }), 'draft_changed'],
    ['an unknown draft', () => ({ draftId: 'none', version: 1 }), 'not_found'],
  ])('is not made of %s', async (_, wanted, code) => {
    const made = await openWorld();
    const draftId = await made.save(buys(1));
    await expect(made.create(wanted(draftId))).rejects.toMatchObject({ code });
  });
});

describe('the same call again', () => {
  test('belongs to the attempt that is open', async () => {
    const made = await openWorld();
    const { id, draftId } = await made.submit(buys(2));
    expect(await call(made, { draftId, version: 1 })).toEqual(['existing', id]);
    expect(await made.store.read((tx) => tx.listSubmissions({ draftId }))).toHaveLength(1);
  });

  test('at the same time from two processes makes one attempt', async () => {
    const made = await openWorld();
    const wanted = { draftId: await made.save(buys(2)), version: 1 };
    const other = made.world.start();
    const both = await Promise.all([made.create(wanted), made.create(wanted, other)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['existing', 'new']);
    expect(await made.store.read((tx) => tx.listSubmissions(wanted))).toHaveLength(1);
  });

  test('belongs to the attempt that sent everything', async () => {
    const made = await openWorld();
    const { id, draftId, state } = await sendAll(made);
    expect(state).toBe('done');
    expect(await call(made, { draftId, version: 1 })).toEqual(['existing', id]);
  });

  test('belongs to the attempt that was stopped after its first leg, and the next version is another one', async () => {
    const made = await openWorld({ script: ['accept', 'refuse'] });
    const { id, draftId, state } = await sendAll(made, [
      buy(),
      buy({ ticker: 'DDD', limitPrice: '8' }),
      buy({ ticker: 'EEE', limitPrice: '1', quantity: '3' }),
    ]);
    expect(state).toBe('stopped');
    expect(await call(made, { draftId, version: 1 })).toEqual(['existing', id]);
    const [kind, next] = await call(made, { draftId, version: 2 });
    expect(kind).toBe('new');
    expect(next).not.toBe(id);
    expect(await legsOf(made, next)).toMatchObject([{ number: 1, value: '3.06' }]);
  });

  test('makes a new attempt when the one before sent nothing', async () => {
    const made = await openWorld();
    const { id, draftId } = await made.submit(buys(2));
    await stop(made, draftId);
    const [kind, next] = await call(made, { draftId, version: 1 });
    expect(kind).toBe('new');
    expect(next).not.toBe(id);
  });
});

describe('a repetition', () => {
  test('names the orders that it repeats, each by the number of its leg', async () => {
    const made = await openWorld();
    const first = await sendAll(made, [buy(), sell(), buy({ quantity: '2' })]);
    const [kind, id] = await call(made, { draftId: first.draftId, version: 1, repeatOf: first.id });
    expect(kind).toBe('new');
    const orders = await intentsOf(made, first.id);
    const orderOf = (number: number) => orders.find(({ leg }) => leg?.number === number)?.id;
    expect((await legsOf(made, id)).map(({ number, repeatOf }) => [number, repeatOf])).toEqual([
      [1, orderOf(1)],
      [2, orderOf(2)],
      [3, orderOf(3)],
    ]);
    expect((await made.find(id)).repeatOf).toBe(first.id);
    made.program.submissions.tick();
    await made.pass(30_000);
    expect(made.arrived.map(([, order]) => order)).toEqual(['-10 AAA', '1 CCC', '2 CCC', '-10 AAA', '1 CCC', '2 CCC']);
  });

  test('of another draft repeats only the equal orders', async () => {
    const made = await openWorld();
    const first = await sendAll(made, buys(1));
    const draftId = await made.save([buy({ quantity: '9' }), buy()]);
    const [, id] = await call(made, { draftId, version: 1, repeatOf: first.id });
    const [order] = await intentsOf(made, first.id);
    expect((await legsOf(made, id)).map(({ repeatOf }) => repeatOf)).toEqual([undefined, order?.id]);
  });

  test('repeats no order that was rejected, and no leg that had none', async () => {
    const made = await openWorld({ script: ['accept', 'refuse'] });
    const legs = [buy(), buy({ ticker: 'DDD', limitPrice: '8' }), buy({ ticker: 'EEE', limitPrice: '1' })];
    const first = await sendAll(made, legs);
    const draftId = await made.save(legs);
    const [, id] = await call(made, { draftId, version: 1, repeatOf: first.id });
    const order = (await intentsOf(made, first.id)).find(({ leg }) => leg?.number === 1)?.id;
    expect((await legsOf(made, id)).map(({ repeatOf }) => repeatOf)).toEqual([order, undefined, undefined]);
  });

  test('looks for the last of at most a hundred repetitions that were not sent', async () => {
    const order = buy();
    const place = { accountKey: 'account', environment: 'demo' };
    const placed = { id: '0', state: 'PLACED', fingerprint: orderFingerprint(order, place), leg: { number: 1 } };
    const tx = {
      findSubmission: async () => ({ ...place, state: 'done' }),
      listSubmissions: async () => [],
      listSubmissionLegs: async () => [{ number: 1, state: 'taken' }],
      list: async ({ submissionId, repeatOf }: { submissionId?: string; repeatOf?: string }) => {
        if (submissionId !== undefined) return [placed];
        const next = Number(repeatOf) + 1;
        return next <= 200 ? [{ id: `${next}`, state: 'NOT_SENT' }] : [];
      },
    } as unknown as SubmissionChange;
    const facts = { legs: [{ number: 1, order }] } as unknown as DraftFacts;
    expect([...(await readRepeats(tx, place, 'first', facts, startAt))]).toEqual([[1, '100']]);
  });

  test('is one attempt, however often it is asked for', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made);
    const [, id] = await call(made, { draftId, version: 1, repeatOf });
    expect(await call(made, { draftId, version: 1, repeatOf })).toEqual(['existing', id]);
    made.program.submissions.tick();
    await made.pass(30_000);
    expect(await call(made, { draftId, version: 1, repeatOf })).toEqual(['existing', id]);
    // Without the name it belongs to the newest attempt of the version.
    expect(await call(made, { draftId, version: 1 })).toEqual(['existing', id]);
  });

  const wrong = {
    code: 'invalid_argument',
    message: 'repeatOf does not name a submission of this account that has ended and was not repeated before.',
    next: 'Use the submissionId of the report of that submission, or submit without it.',
  };

  test.each(['unknown', 'of another account', 'of another environment'])(
    'is refused when it names one that is %s',
    async (what) => {
      const made = await openWorld();
      const { id, draftId } = await sendAll(made, buys(1));
      const ended = await made.find(id);
      const change = what === 'of another account' ? { accountKey: 'other' } : { environment: 'live' };
      if (what !== 'unknown')
        await made.store.change((tx) => tx.insertSubmission({ ...ended, ...change, id: 'named' }, []));
      await expect(made.create({ draftId, version: 1, repeatOf: 'named' })).rejects.toMatchObject(wrong);
    },
  );

  test('is refused when it names one that is open', async () => {
    const made = await openWorld();
    const first = await sendAll(made, buys(1));
    const open = { ...first, id: 'open', state: 'sending', environment: 'demo', accountKey: 'account' } as const;
    await made.store.change((tx) => tx.insertSubmission(open, []));
    const draftId = await made.save([buy({ quantity: '9' })]);
    const other = made.create({ draftId, version: 1, repeatOf: 'open' });
    await expect(other).rejects.toMatchObject({ code: 'submission_open' });
  });

  test('is refused when one of another draft sent something already', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made, buys(1));
    await call(made, { draftId, version: 1, repeatOf });
    made.program.submissions.tick();
    await made.pass(30_000);
    const other = await made.save(buys(1));
    await expect(made.create({ draftId: other, version: 1, repeatOf })).rejects.toMatchObject(wrong);
  });

  test('that was stopped before its first order can be asked for again', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made);
    const [, vain] = await call(made, { draftId, version: 1, repeatOf });
    await stop(made, draftId);
    const [kind, id] = await call(made, { draftId, version: 1, repeatOf });
    expect(kind).toBe('new');
    expect(id).not.toBe(vain);
    const orders = await intentsOf(made, repeatOf);
    expect((await legsOf(made, id)).map(({ repeatOf: order }) => order)).toEqual(
      [1, 2].map((number) => orders.find(({ leg }) => leg?.number === number)?.id),
    );
  });

  test('is refused when its order was placed again as a single order meanwhile, and names that one', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made, buys(1));
    const [first] = await intentsOf(made, repeatOf);
    if (!first) throw new Error('nothing was sent');
    const single = { ...first, id: 'f'.repeat(32), orderId: '77', leg: undefined, repeatOf: first.id };
    await made.store.change((tx) => tx.insert(single));
    const again = await made.create({ draftId, version: 1, repeatOf });
    expect(again).toMatchObject({ kind: 'refused', refusal: { rule: 'duplicate_order' } });
    expect(again.kind === 'refused' && again.refusal.reason).toContain('77');
    expect(made.arrived.map(([, order]) => order)).toEqual(['1 CCC']);
  });

  test('whose order was not sent is repeated by repeating that order', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made, buys(1));
    const vain: string[] = [];
    for (let round = 0; round < 2; round++) {
      const [, id] = await call(made, { draftId, version: 1, repeatOf });
      // It is tried again until its minute is over.
      made.book.script.push(...Array.from({ length: 200 }, () => 'notConnected' as const));
      made.program.submissions.tick();
      await made.pass(90_000);
      made.book.script.length = 0;
      expect((await made.find(id)).state).toBe('stopped');
      const [order] = await intentsOf(made, id);
      expect(order?.state).toBe('NOT_SENT');
      vain.push(order?.id ?? '');
    }
    const [, last] = await call(made, { draftId, version: 1, repeatOf });
    expect((await legsOf(made, last)).map(({ repeatOf: order }) => order)).toEqual([vain[1]]);
    made.program.submissions.tick();
    await made.pass(10_000);
    expect(made.arrived.map(([, order]) => order)).toEqual(['1 CCC', '1 CCC']);
    expect((await made.find(last)).state).toBe('done');
  });

  test.each([
    [
      'a draft that was discarded',
      'draft_closed',
      async (made: SmallWorld, draftId: string) => {
        await made.store.change(async (tx) => {
          const draft = await tx.findDraft(draftId);
          if (draft) await tx.moveDraft(draft, { state: 'discarded' });
        });
      },
    ],
    [
      'a draft that was sent more than seven days ago',
      'draft_closed',
      async (made: SmallWorld) => {
        made.clock.set(7 * 86_400_000);
      },
    ],
  ])('is not made of %s', async (_, code, change) => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made, buys(1));
    await change(made, draftId);
    await expect(made.create({ draftId, version: 1, repeatOf })).rejects.toMatchObject({ code });
  });

  test('is not made of a version that is not the one that was sent', async () => {
    const made = await openWorld();
    const { id: repeatOf, draftId } = await sendAll(made, buys(1));
    await expect(made.create({ draftId, version: 2, repeatOf })).rejects.toMatchObject({ code: 'draft_closed' });
    expect(await discardDraft(made.program.deps, draftId)).toBeDefined();
  });
});
