/** How one process sends the legs of a draft, step by step, as “How a draft is sent” in docs/drafts.md says. */
import { describe, expect, test } from 'vitest';
import { BrokerageError, ExpectedError } from '../../../../src/core/errors.ts';
import { log } from '../../../../src/core/log.ts';
import { liftHalt, setHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { stopDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type {
  Submission,
  SubmissionDeps,
  SubmissionView,
} from '../../../../src/features/drafts/submission/submission.ts';
import { makeIntent } from '../../../core/orders/risk/example-account.ts';
import { takeLog } from '../../../support/faults.ts';
import { buy, buys, openWorld, type SmallWorld, sell, startAt } from './small-world.ts';

type PlaceLeg = SubmissionDeps['orderManager']['placeLeg'];

const ordersOf = ({ arrived }: SmallWorld) => arrived.map(([, order]) => order);
const howItEnded = ({ state, rule, reason, owner, leaseUntil }: Submission) => [state, rule, reason, owner, leaseUntil];

/** A runner whose order manager is the real one with something around it. */
const runnerAround = (made: SmallWorld, around: (place: PlaceLeg) => PlaceLeg, parts: Partial<SubmissionDeps> = {}) => {
  const { orderManager } = made.program.deps;
  const place: PlaceLeg = (leg, context) => orderManager.placeLeg(leg, context);
  return made.runnerWith({ orderManager: { placeLeg: around(place) }, ...parts });
};

/** A store of which one kind of work fails, after it worked so often. */
function failing(made: SmallWorld, kind: 'change' | 'read', after: number, error: Error): SubmissionDeps['store'] {
  const { store } = made.program.deps;
  let left = after;
  const work = ((run: never) => {
    if (left-- > 0) return store[kind](run);
    return Promise.reject(error);
  }) as never;
  return { ...store, [kind]: work };
}

describe('who sends', () => {
  test('sells leave first and then buys, one at a time, and each once', async () => {
    const made = await openWorld();
    const { id, draftId } = await made.submit([buy(), sell({ quantity: '3' }), buy({ quantity: '2' })]);
    made.program.submissions.tick();
    await made.pass(20_000);
    // The broker takes an order in two seconds.
    expect(made.arrived).toEqual([
      [0, '-3 AAA'],
      [2_000, '1 CCC'],
      [4_000, '2 CCC'],
    ]);
    expect(howItEnded(await made.find(id))).toEqual(['done', undefined, undefined, undefined, undefined]);
    expect(await made.readDraft(draftId)).toEqual(['sent', 1, ['1', '3', '2']]);
  });

  test.each<[string, (deps: SubmissionDeps) => Partial<SubmissionDeps>, number]>([
    ['with play money', () => ({}), 1],
    ['that is read-only', () => ({ readOnly: true }), 0],
    ['with live money that was not enabled', () => ({ environment: 'live' }), 0],
    [
      'with live money that was enabled',
      ({ settings }) => ({ environment: 'live', settings: { ...settings, liveTrading: true } }),
      1,
    ],
    [
      'that is read-only, with live money that was enabled',
      ({ settings }) => ({ readOnly: true, environment: 'live', settings: { ...settings, liveTrading: true } }),
      0,
    ],
  ])('a process %s sends what it may', async (_, change, sent) => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    made.runnerWith(change(made.program.deps)).start(id);
    await made.pass(10_000);
    expect(made.arrived).toHaveLength(sent);
    expect((await made.find(id)).state).toBe(sent ? 'done' : 'sending');
  });

  test('a read-only process reads nothing in its round, and counts nothing as open', async () => {
    const made = await openWorld();
    await made.submit(buys(1));
    const { store } = made.program.deps;
    const read = () => Promise.reject(new Error('It read the store.'));
    expect(await made.runnerWith({ readOnly: true, store: { ...store, read } }).tick()).toBe(0);
    await made.pass(10_000);
    expect(made.arrived).toEqual([]);
  });

  test('a process that was asked to stop starts no attempt, and its round does nothing', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const runner = made.runnerWith();
    await runner.stop();
    runner.start(id);
    expect(await made.run(runner.tick())).toBe(0);
    await made.pass(10_000);
    expect(made.arrived).toEqual([]);
    expect((await made.find(id)).owner).toBeUndefined();
  });

  test('an attempt that a process sends already is not started by it a second time', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(2));
    const asked: number[] = [];
    const runner = runnerAround(made, (place) => (leg, context) => {
      asked.push(leg.turn.reference.number);
      return place(leg, context);
    });
    runner.start(id);
    runner.start(id);
    await made.run(runner.tick());
    await made.pass(10_000);
    expect(asked).toEqual([1, 2]);
  });

  test('an attempt that another process sends is started again once that process is dead', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const other = made.world.start();
    await made.change(id, { owner: other.name, leaseUntil: startAt + 90_000 });
    const runner = made.runnerWith();
    runner.start(id);
    await made.pass(10_000);
    expect(made.arrived).toEqual([]);
    other.state.isDead = true;
    runner.start(id);
    await made.pass(10_000);
    expect(ordersOf(made)).toEqual(['1 CCC']);
  });

  test('a leg in flight hears that its process stops', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const signals: (AbortSignal | undefined)[] = [];
    const runner = runnerAround(made, (place) => (leg, context) => {
      signals.push(context.signal);
      return place(leg, context);
    });
    runner.start(id);
    await made.pass(0);
    const wereAborted = signals.map((signal) => signal?.aborted);
    await made.run(runner.stop());
    expect([wereAborted, signals.map((signal) => signal?.aborted)]).toEqual([[false], [true]]);
  });

  test('an attempt ends as sent although a single order of the account waits for its turn', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const request = buy({ ticker: 'BBB', limitPrice: '20' });
    const waits = { state: 'APPROVED', environment: 'demo', ticker: 'BBB', request, owner: 'p1' } as const;
    const times = { createdAt: startAt, changedAt: startAt, sentAt: undefined };
    await made.store.change((tx) => tx.insert(makeIntent({ id: 'single', ...waits, ...times })));
    made.runnerWith().start(id);
    await made.pass(10_000);
    expect((await made.find(id)).state).toBe('done');
    expect((await made.store.read((tx) => tx.find('single')))?.state).toBe('APPROVED');
  });

  test('an attempt that does not exist is nothing to start', async () => {
    const made = await openWorld();
    made.runnerWith().start('none');
    await made.pass(1_000);
    expect(takeLog()).toEqual([]);
  });

  test('an unexpected error ends the work and is reported, and the next round carries on', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const runner = made.runnerWith({ store: failing(made, 'read', 0, new Error('broken')) });
    runner.start(id);
    await made.pass(1_000);
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'send a draft', message: 'broken' }]);
    expect((await made.find(id)).state).toBe('sending');
    made.runnerWith().start(id);
    await made.pass(1_000);
    expect(ordersOf(made)).toEqual(['1 CCC']);
  });
});

describe('a lease', () => {
  test.each<[string, string | undefined, number | undefined, number]>([
    ['nobody has it', undefined, undefined, 1],
    ['this process has it', 'p1', startAt + 90_000, 1],
    ['a process that is dead has it', 'p3', startAt + 90_000, 1],
    ['a process that is alive has it', 'p2', startAt + 90_000, 0],
    ['a process that is alive has it for one more millisecond', 'p2', startAt + 1, 0],
    ['that of a process that is alive is over', 'p2', startAt, 1],
    ['a process that is alive has it without an end', 'p2', undefined, 1],
    // Ninety seconds, and the five by which clocks may differ.
    ['its end is as far ahead as it can be', 'p2', startAt + 95_000, 0],
    ['its end is further ahead than it can be', 'p2', startAt + 95_001, 1],
  ])('%s: the process sends or leaves it to the other', async (_, owner, leaseUntil, sent) => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    made.world.start();
    await made.change(id, { owner, leaseUntil });
    made.runnerWith().start(id);
    await made.pass(0);
    expect(made.arrived).toHaveLength(sent);
  });

  test('it lasts 90 seconds, and the log names once that it was taken', async () => {
    const made = await openWorld({ limits: { ordersPerMinute: 1 } });
    log.setLevel('debug');
    const { id } = await made.submit(buys(2));
    made.runnerWith().start(id);
    await made.pass(0);
    expect(await made.find(id)).toMatchObject({ owner: 'p1', leaseUntil: startAt + 90_000 });
    await made.pass(30_000);
    const taken = takeLog().filter(({ event, name }) => event === 'lease' && String(name).startsWith('submission'));
    expect(taken).toMatchObject([{ level: 'debug', name: `submission ${id}`, action: 'taken' }]);
  });

  test('while a leg waits for the limit per minute, it is renewed every five seconds', async () => {
    const made = await openWorld({ limits: { ordersPerMinute: 1 } });
    const { id } = await made.submit(buys(2));
    made.runnerWith().start(id);
    await made.pass(4_999);
    expect((await made.find(id)).leaseUntil).toBe(startAt + 90_000);
    await made.pass(1);
    expect((await made.find(id)).leaseUntil).toBe(startAt + 95_000);
    await made.pass(54_999);
    expect(made.arrived).toHaveLength(1);
    await made.pass(1);
    expect(made.arrived).toEqual([
      [0, '1 CCC'],
      [60_000, '2 CCC'],
    ]);
  });

  test('a process that ends gives it back, so that another one carries on at once', async () => {
    const made = await openWorld({ limits: { ordersPerMinute: 1 } });
    const { id } = await made.submit(buys(2));
    const runner = made.runnerWith();
    runner.start(id);
    await made.pass(1_000);
    await made.run(runner.stop());
    expect(await made.find(id)).toMatchObject({ state: 'sending' });
    expect(howItEnded(await made.find(id))).toEqual(['sending', undefined, undefined, undefined, undefined]);
    expect(made.arrived).toHaveLength(1);
    made.world.start().submissions.tick();
    await made.pass(60_000);
    expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
  });

  test('a process that ends leaves the lease of another one alone', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const lease = { owner: 'p2', leaseUntil: startAt + 90_000 };
    const runner = runnerAround(made, () => async () => {
      await made.change(id, lease);
      void runner.stop();
      throw new BrokerageError('cancelled', 'It was cancelled.', 'None.');
    });
    runner.start(id);
    await made.pass(1_000);
    expect(await made.find(id)).toMatchObject({ state: 'sending', ...lease });
  });

  test('a process that cannot give it back ends all the same, and the error is reported', async () => {
    const made = await openWorld({ limits: { ordersPerMinute: 1 } });
    const { id } = await made.submit(buys(2));
    const state = { isBroken: false };
    const { store } = made.program.deps;
    const change: SubmissionDeps['store']['change'] = (work) =>
      state.isBroken ? Promise.reject(new Error('broken')) : store.change(work);
    const runner = made.runnerWith({ store: { ...store, change } });
    runner.start(id);
    await made.pass(1_000);
    state.isBroken = true;
    await made.run(runner.stop());
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'drafts', message: 'broken' }]);
  });
});

describe('a round', () => {
  test('counts what is open of this account in this environment, and sends nothing else', async () => {
    const made = await openWorld();
    const own = await made.submit(buys(1));
    const place = { draftId: own.draftId, version: 1, state: 'sending', createdAt: startAt, haltCount: 0 } as const;
    const endsAt = startAt + 900_000;
    const leg = { number: 1, state: 'waiting', position: 0, isDependent: false } as const;
    for (const [id, accountKey, environment] of [
      ['other-account', 'other', 'demo'],
      ['other-environment', 'account', 'sandbox'],
    ] as const)
      await made.store.change((tx) =>
        tx.insertSubmission({ ...place, id, accountKey, environment, endsAt }, [{ ...leg, submissionId: id }]),
      );
    expect(await made.run(made.program.submissions.tick())).toBe(1);
    await made.pass(10_000);
    expect(ordersOf(made)).toEqual(['1 CCC']);
    expect((await made.find('other-account')).owner).toBeUndefined();
    expect((await made.find('other-environment')).owner).toBeUndefined();
    expect(await made.run(made.program.submissions.tick())).toBe(0);
  });

  test('writes nothing when only another account has something open', async () => {
    const made = await openWorld();
    await made.submit(buys(1));
    const { store } = made.program.deps;
    const change = () => Promise.reject(new Error('It wrote.'));
    const runner = made.runnerWith({ accountKey: async () => 'other', store: { ...store, change } });
    expect(await made.run(runner.tick())).toBe(0);
  });

  test('asks once for a lease that another process has, and writes nothing else', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const other = made.world.start();
    await made.change(id, { owner: other.name, leaseUntil: startAt + 90_000 });
    const { store } = made.program.deps;
    let writes = 0;
    const change: typeof store.change = (work) => {
      writes++;
      return store.change(work);
    };
    expect(await made.run(made.runnerWith({ store: { ...store, change } }).tick())).toBe(1);
    await made.pass(1_000);
    expect(writes).toBe(1);
  });

  test.each([
    ['account', { accountKey: 'other' }],
    ['environment', { environment: 'live' }],
  ])('leaves an overdue draft of another %s to its own processes', async (_, place) => {
    const made = await openWorld({ approval: 'page' });
    const own = await made.submit(buys(1));
    const approval = { ...own.approval, nonce: 'n', handle: 'h' } as Submission['approval'];
    await made.store.change((tx) => tx.insertSubmission({ ...own, ...place, id: 'other', approval }, []));
    await made.pass(120_000);
    await made.run(made.program.submissions.tick());
    expect([(await made.find(own.id)).state, (await made.find('other')).state]).toEqual([
      'expired',
      'awaiting_approval',
    ]);
  });

  test('does not ask for the account while nothing is open', async () => {
    const made = await openWorld();
    const accountKey = () => Promise.reject(new Error('It asked.'));
    expect(await made.runnerWith({ accountKey }).tick()).toBe(0);
  });

  /** The addresses that a round asked for while a draft waits, and how often it wrote. */
  async function rounds(approval: 'page' | 'terminal', afterMs: number) {
    const made = await openWorld({ approval });
    const { id, approval: asked } = await made.submit(buys(1));
    await made.pass(afterMs);
    const pages: string[] = [];
    const pageUrl = async (handle: string) => void pages.push(handle);
    const counted = { writes: 0 };
    const { store } = made.program.deps;
    const change: SubmissionDeps['store']['change'] = (work) => {
      counted.writes++;
      return store.change(work);
    };
    const channels = { pageUrl, opensBrowser: false } as never;
    const open = await made.run(made.runnerWith({ channels, store: { ...store, change } }).tick());
    await made.pass(0);
    return { open, pages, handle: asked?.handle, writes: counted.writes, state: (await made.find(id)).state };
  }

  test('serves the page of a draft that waits, and writes nothing', async () => {
    const { handle, ...seen } = await rounds('page', 119_999);
    expect(seen).toEqual({ open: 1, pages: [handle], writes: 0, state: 'awaiting_approval' });
  });

  test('ends a draft that was not approved within 120 seconds, and serves no page of it', async () => {
    const seen = await rounds('page', 120_000);
    expect(seen).toMatchObject({ open: 1, pages: [], writes: 1, state: 'expired' });
  });

  test('serves no page of a draft that is approved in a terminal', async () => {
    expect(await rounds('terminal', 0)).toMatchObject({ pages: [], state: 'awaiting_approval' });
  });

  test('goes on when the page cannot be served, and reports the error', async () => {
    const made = await openWorld({ approval: 'page' });
    await made.submit(buys(1));
    const channels = { pageUrl: () => Promise.reject(new Error('no port')), opensBrowser: false } as never;
    expect(await made.run(made.runnerWith({ channels }).tick())).toBe(1);
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'drafts', message: 'no port' }]);
  });
});

describe('the turn of a leg', () => {
  test('that is placed costs two looks at the lease, and the end of the draft, and no other write', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const { store } = made.program.deps;
    let writes = 0;
    const change: typeof store.change = (work) => {
      writes++;
      return store.change(work);
    };
    made.runnerWith({ store: { ...store, change } }).start(id);
    await made.pass(1_000);
    expect((await made.find(id)).state).toBe('done');
    expect(writes).toBe(3);
  });

  test('its request has 50 seconds, goes before other calls, and names the leg', async () => {
    const made = await openWorld();
    const { id } = await made.submit([buy({ ticker: 'BBB', limitPrice: '20' }), buy()]);
    const seen: unknown[] = [];
    const { directory } = made.program.deps;
    const getOrThrow: typeof directory.getOrThrow = async (ticker, context) => {
      seen.push([ticker, context.priority, context.deadlineAt]);
      return directory.getOrThrow(ticker, context);
    };
    const around =
      (place: PlaceLeg): PlaceLeg =>
      (leg, context) => {
        seen.push([leg.turn.reference, leg.turn.accountSince, leg.repeatOf, context.priority, context.deadlineAt]);
        return place(leg, context);
      };
    const runner = runnerAround(made, around, { directory: { ...directory, getOrThrow } });
    runner.start(id);
    await made.pass(0);
    // The second leg has its turn as soon as the first was placed, and waits at the broker.
    const deadlineAt = startAt + 50_000;
    expect(seen).toEqual([
      ['BBB', 'lookUp', deadlineAt],
      [{ submissionId: id, number: 1 }, undefined, undefined, 'place', deadlineAt],
      ['CCC', 'lookUp', deadlineAt],
      [{ submissionId: id, number: 2 }, undefined, undefined, 'place', deadlineAt],
    ]);
    await made.pass(5_000);
    expect((await made.find(id)).state).toBe('done');
  });

  /** What the order manager is told when it asks whether it is the turn of the first leg, after a change. */
  async function askTurn(
    change: (made: SmallWorld, submission: Submission) => Promise<unknown>,
    view: Partial<SubmissionView> = {},
  ) {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    const asked: unknown[] = [];
    const runner = runnerAround(made, () => async ({ turn }) => {
      await change(made, submission);
      await made.store
        .read((tx) => turn.requireTurn({ ...tx, ...view } as typeof tx))
        .then(
          () => asked.push('its turn'),
          (error: unknown) => asked.push(error instanceof ExpectedError ? 'not its turn' : error),
        );
      void runner.stop();
      throw new BrokerageError('cancelled', 'It was cancelled.', 'None.');
    });
    runner.start(submission.id);
    await made.pass(0);
    return asked;
  }

  const place = (made: SmallWorld, { id }: Submission, state: Intent['state']) =>
    made.store.change(async (tx) => {
      const request = buy();
      const intent = { id: `${state}`, kind: 'order', state, environment: 'demo', accountKey: 'account', request };
      const times = { createdAt: startAt, changedAt: startAt, fingerprint: 'f', ticker: 'CCC', owner: 'p1' };
      await tx.insert({ ...intent, ...times, leg: { submissionId: id, number: 1 } } as unknown as Intent);
    });
  const halt = (made: SmallWorld) =>
    made.store.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason: 'A test.' }));

  test.each<[string, string, (made: SmallWorld, submission: Submission) => Promise<unknown>]>([
    ['nothing changed', 'its turn', async () => undefined],
    ['another process has the lease', 'not its turn', (made, { id }) => made.change(id, { owner: 'p2' })],
    ['the lease was given back', 'not its turn', (made, { id }) => made.change(id, { owner: undefined })],
    ['the leg has an order that is being sent', 'not its turn', (made, one) => place(made, one, 'SENDING')],
    ['the leg was placed and another one is next', 'not its turn', (made, one) => place(made, one, 'PLACED')],
    ['the time is over', 'not its turn', async (made) => made.clock.set(900_000)],
    ['it is the last millisecond', 'its turn', async (made) => made.clock.set(899_999)],
    ['it was stopped', 'not its turn', (made, { draftId }) => stopDraft(made.program.deps, draftId, 'page')],
    ['trading was halted', 'not its turn', halt],
    [
      'trading was halted and resumed',
      'not its turn',
      (made) => halt(made).then(() => made.store.change((tx) => liftHalt(tx))),
    ],
  ])('%s: the order manager hears that it is %s', async (_, expected, change) => {
    expect(await askTurn(change)).toEqual([expected]);
  });

  test('its row is gone: the order manager hears that it is not its turn', async () => {
    const view = { findSubmission: async () => undefined };
    expect(await askTurn(async () => undefined, view)).toEqual(['not its turn']);
  });

  test('a process that lost the turn of a leg waits five seconds, and does not end the draft', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    let turns = 0;
    const runner = runnerAround(made, (order) => async (leg, context) => {
      // A process that is dead by now took the step.
      if (turns++ === 0) await made.change(id, { owner: 'dead' });
      return order(leg, context);
    });
    runner.start(id);
    await made.pass(4_999);
    expect(made.arrived).toEqual([]);
    await made.pass(1);
    expect(made.arrived).toEqual([[5_000, '1 CCC']]);
  });

  test('while its order is being sent by another process, a process looks four times a second', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await place(made, submission, 'SENDING');
    const turns: unknown[] = [];
    const runner = runnerAround(made, () => ({ turn }) => {
      turns.push([made.clock.now() - startAt, turn.reference.number]);
      return Promise.reject(new BrokerageError('timeout', 'No answer.', 'None.'));
    });
    runner.start(submission.id);
    await made.pass(1_100);
    expect((await made.find(submission.id)).leaseUntil).toBe(startAt + 1_000 + 90_000);
    await made.store.change((tx) => tx.move('SENDING', 'SENDING', { state: 'PLACED' }));
    await made.pass(150);
    expect(turns).toEqual([[1_250, 2]]);
  });

  test('an order whose process is gone may be live: the draft ends there, and the next leg is left', async () => {
    const made = await openWorld();
    const submission = await made.submit(buys(2));
    await place(made, submission, 'SENDING');
    const lost = { state: 'SENDING', sender: 'dead', sentAt: startAt, answerBy: startAt + 15_000 } as const;
    await made.store.change((tx) => tx.move('SENDING', 'SENDING', lost));
    made.runnerWith().start(submission.id);
    await made.pass(1_000);
    const { state, reason } = await made.find(submission.id);
    expect([state, reason?.split('.')[0]]).toEqual(['stopped', 'Order 1 may be live: its outcome is unknown']);
    expect(await made.readDraft(submission.draftId)).toEqual(['open', 2, ['2']]);
    expect(made.arrived).toEqual([]);
  });
});

describe('sending ends', () => {
  test('when the broker rejects a leg, with the reason, and the legs after it are the next version', async () => {
    const made = await openWorld({ script: ['accept', 'refuse'] });
    const { id, draftId } = await made.submit(buys(4));
    made.runnerWith().start(id);
    await made.pass(20_000);
    expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
    const ended = await made.find(id);
    expect([ended.state, ended.reason?.split('.')[0]]).toEqual(['stopped', 'Order 2 was rejected by the broker']);
    expect(await made.readDraft(draftId)).toEqual(['open', 2, ['3', '4']]);
  });

  test.each(['stays halted', 'is resumed'])(
    'when trading is halted before it begins and %s: no leg leaves',
    async (what) => {
      const made = await openWorld();
      const { id, draftId } = await made.submit(buys(1));
      await made.store.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason: 'A test.' }));
      if (what === 'is resumed') await made.store.change((tx) => liftHalt(tx));
      made.runnerWith().start(id);
      await made.pass(1_000);
      const reason = 'Trading was halted after the draft was submitted.';
      expect(howItEnded(await made.find(id))).toEqual(['stopped', 'halted', reason, undefined, undefined]);
      expect(made.arrived).toEqual([]);
      expect(await made.readDraft(draftId)).toEqual(['open', 1, ['1']]);
    },
  );

  test('as done when trading is halted after the last leg was placed', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const work: Promise<unknown>[] = [];
    made.hooks.onArrival = () => {
      work.push(made.store.change((tx) => setHalt(tx, { at: startAt, by: 'command', reason: 'A test.' })));
    };
    made.runnerWith().start(id);
    await made.pass(1_000);
    await Promise.all(work);
    expect((await made.find(id)).state).toBe('done');
  });

  test('after 15 minutes, and the legs that were left are the next version', async () => {
    const made = await openWorld();
    const { id, draftId } = await made.submit(buys(2));
    await made.pass(900_000);
    made.runnerWith().start(id);
    await made.pass(1_000);
    const reason = 'The time to send the draft has passed.';
    expect(howItEnded(await made.find(id))).toEqual(['stopped', 'submission_ended', reason, undefined, undefined]);
    expect(await made.readDraft(draftId)).toEqual(['open', 1, ['1', '2']]);
  });

  test.each([
    ['is not in its draft', 1],
    ['is of a version that does not exist', 9],
  ])('when a leg %s', async (_, version) => {
    const made = await openWorld();
    const { draftId, haltCount } = await made.submit(buys(1));
    await stopDraft(made.program.deps, draftId, 'page');
    const place = { accountKey: 'account', environment: 'demo', draftId, version };
    const times = { createdAt: startAt, endsAt: startAt + 900_000, haltCount };
    await made.store.change((tx) =>
      tx.insertSubmission({ ...place, ...times, id: 'damaged', state: 'sending' }, [
        { submissionId: 'damaged', number: 2, state: 'waiting', position: 0, isDependent: false },
      ]),
    );
    made.runnerWith().start('damaged');
    await made.pass(1_000);
    const { state, reason } = await made.find('damaged');
    expect([state, reason]).toEqual(['stopped', 'Order 2 was not sent. A leg of the draft is missing.']);
  });

  /** Sends two legs, where the order manager answers with this for the second one. */
  async function sendTwo(second: (made: SmallWorld, id: string, place: () => Promise<Intent>) => Promise<Intent>) {
    const made = await openWorld();
    const { id, draftId } = await made.submit(buys(2));
    let turns = 0;
    const around =
      (place: PlaceLeg): PlaceLeg =>
      (leg, context) =>
        leg.turn.reference.number === 2 && turns++ === 0
          ? second(made, id, () => place(leg, context))
          : place(leg, context);
    runnerAround(made, around).start(id);
    await made.pass(20_000);
    const { state, reason } = await made.find(id);
    return { made, draftId, ended: [state, reason] };
  }

  test.each<[string, Partial<Intent>, string]>([
    ['order', { orderId: '7', leg: undefined }, ' as order 7'],
    ['order that has no number yet', { leg: undefined }, ''],
    ['leg of another draft', { orderId: '7', leg: { submissionId: 'other', number: 2 } }, ' as order 7'],
  ])('when an equal %s was placed before: the leg is not placed again', async (_, other, as) => {
    const { made, draftId, ended } = await sendTwo(async () => ({ id: 'i7', state: 'PLACED', ...other }) as Intent);
    const reason = `Order 2 was not sent. The same order was placed before${as} (intent i7); it was not placed again.`;
    expect(ended).toEqual(['stopped', reason]);
    expect(ordersOf(made)).toEqual(['1 CCC']);
    expect(await made.readDraft(draftId)).toEqual(['open', 2, ['2']]);
  });

  test('when an equal leg of the same attempt was placed before', async () => {
    const { ended } = await sendTwo(
      async (_, id) => ({ id: 'i1', orderId: '1', leg: { submissionId: id, number: 1 } }) as unknown as Intent,
    );
    const reason = 'The same order was placed before as order 1 (intent i1); it was not placed again.';
    expect(ended).toEqual(['stopped', `Order 2 was not sent. ${reason}`]);
  });

  test('when a leg cannot become an order, with the problem', async () => {
    const { made, draftId, ended } = await sendTwo(async () => {
      throw new BrokerageError('timeout', 'The broker did not answer.', 'Wait.');
    });
    expect(ended).toEqual(['stopped', 'Order 2 was not sent. The broker did not answer.']);
    expect(await made.readDraft(draftId)).toEqual(['open', 2, ['2']]);
  });

  test('but not for an error after its order was made: the order decides', async () => {
    const { made, ended } = await sendTwo(async (_, __, place) => {
      await place();
      throw new BrokerageError('timeout', 'The broker did not answer.', 'Wait.');
    });
    expect(ended).toEqual(['done', undefined]);
    expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
  });

  test('but not for an aborted call: the leg is tried again', async () => {
    const { made, ended } = await sendTwo(() => Promise.reject(new DOMException('aborted', 'AbortError')));
    expect(ended).toEqual(['done', undefined]);
    expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
  });

  test('as a person stopped it, when the error of a leg comes later', async () => {
    const { ended } = await sendTwo(async (made, id) => {
      await stopDraft(made.program.deps, (await made.find(id)).draftId, 'page');
      throw new BrokerageError('timeout', 'The broker did not answer.', 'Wait.');
    });
    expect(ended).toEqual(['stopped', 'Stopped by a person, on the page.']);
  });

  test.each<[string, () => Error, boolean]>([
    ['the store cannot be used', () => new BrokerageError('store_unavailable', 'Full.', 'Wait.'), false],
    ['there is a fault of the program', () => new TypeError('x is undefined'), true],
  ])('but not because %s: the attempt stays open, and the next round carries on', async (_, makeError, isFault) => {
    const { made, ended } = await sendTwo(() => Promise.reject(makeError()));
    expect(ended).toEqual(['sending', undefined]);
    expect(takeLog().map(({ task }) => task)).toEqual(isFault ? ['send a draft'] : []);
    made.program.submissions.tick();
    await made.pass(10_000);
    expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
  });

  test('a process that ends while a leg fails reports nothing, and ends nothing', async () => {
    const made = await openWorld();
    const { id } = await made.submit(buys(1));
    const runner = runnerAround(made, () => async (_, { signal }) => {
      void runner.stop();
      expect(signal?.aborted).toBe(true);
      throw new TypeError('It was interrupted.');
    });
    runner.start(id);
    await made.pass(1_000);
    expect(howItEnded(await made.find(id))).toEqual(['sending', undefined, undefined, undefined, undefined]);
    expect(takeLog()).toEqual([]);
  });

  test('a process that ends waits until the leg in flight is recorded, and starts no further one', async () => {
    const made = await openWorld({ script: ['slow'] });
    const { id } = await made.submit(buys(2));
    const { submissions } = made.program;
    void submissions.tick();
    await made.pass(1_000);
    await made.run(submissions.stop());
    expect(made.arrived).toHaveLength(1);
    const states = await made.store.read(async (tx) => (await tx.list({ submissionId: id })).map(({ state }) => state));
    expect(states).toEqual(['PLACED']);
  });

  test('a clock that fails is a fault, and no reason to hurry', async () => {
    const made = await openWorld({ limits: { ordersPerMinute: 1 } });
    const { id } = await made.submit(buys(2));
    const sleep = () => Promise.reject(new Error('no time'));
    made.runnerWith({ clock: { ...made.clock, sleep } }).start(id);
    await made.pass(1_000);
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'send a draft', message: 'no time' }]);
    expect(made.arrived).toHaveLength(1);
  });

  test.each(['limited', 'accept'] as const)(
    'a leg in flight when a person stops that is %s by the broker is kept only if it was not sent',
    async (answer) => {
      const made = await openWorld({ script: ['accept', answer] });
      const { id, draftId } = await made.submit(buys(3));
      const work: Promise<unknown>[] = [];
      made.hooks.onArrival = () => {
        if (made.arrived.length === 2) work.push(stopDraft(made.program.deps, draftId, 'page'));
      };
      made.runnerWith().start(id);
      await made.pass(20_000);
      await Promise.all(work);
      expect((await made.find(id)).state).toBe('stopped');
      expect(ordersOf(made)).toEqual(['1 CCC', '2 CCC']);
      const [, , left] = await made.readDraft(draftId);
      expect(left).toEqual(answer === 'limited' ? ['2', '3'] : ['3']);
    },
  );
});

describe('buys that need the proceeds of sells', () => {
  const legs = [
    buy({ quantity: '100' }),
    buy({ ticker: 'DDD', limitPrice: '8', quantity: '50' }),
    sell({ quantity: '100' }),
  ];

  /** Counts how often the pending orders are read for the fills. */
  const countReads = (made: SmallWorld) => {
    const { broker } = made.program.deps;
    const reads: number[] = [];
    const call: typeof broker.call = (endpoint, request, context) => {
      reads.push(made.clock.now() - startAt);
      return broker.call(endpoint, request, context);
    };
    return { reads, broker: { ...broker, call } };
  };

  test('wait until the sells are filled, and the fills are read once for all of them', async () => {
    const made = await openWorld({ cash: 10 });
    const { id } = await made.submit(legs);
    const { reads, broker } = countReads(made);
    const since: unknown[] = [];
    const around =
      (place: PlaceLeg): PlaceLeg =>
      (leg, context) => {
        since.push(leg.turn.accountSince === undefined ? undefined : leg.turn.accountSince - startAt);
        return place(leg, context);
      };
    runnerAround(made, around, { broker }).start(id);
    await made.pass(20_000);
    // The broker lists an order late, so the first reading is two seconds after the sell.
    expect(reads).toEqual([2_000]);
    expect(since).toEqual([undefined, 2_000, 2_000]);
    expect(made.arrived).toEqual([
      [0, '-100 AAA'],
      [2_000, '100 CCC'],
      [4_000, '50 DDD'],
    ]);
    expect((await made.find(id)).state).toBe('done');
  });

  test('look every five seconds while a sell is pending', async () => {
    const made = await openWorld({ cash: 10, fillsAtOnce: false });
    const { id } = await made.submit(legs);
    const { reads, broker } = countReads(made);
    made.runnerWith({ broker }).start(id);
    await made.pass(13_000);
    expect(reads).toEqual([2_000, 7_000, 12_000]);
    for (const order of made.book.listOpen()) made.book.fill(order.id);
    await made.pass(10_000);
    expect(reads).toEqual([2_000, 7_000, 12_000, 17_000]);
    expect(ordersOf(made)).toEqual(['-100 AAA', '100 CCC', '50 DDD']);
  });

  test('are left for the next version when the time that they need begins before the sell is filled', async () => {
    const made = await openWorld({ cash: 10, fillsAtOnce: false });
    const { id, draftId } = await made.submit(legs);
    // Each of the two buys needs 15 seconds of what is left.
    await made.change(id, { endsAt: startAt + 40_000 });
    made.runnerWith().start(id);
    await made.pass(11_999);
    expect((await made.find(id)).state).toBe('sending');
    await made.pass(1);
    const reason = 'Order 1 waited for the fills of the sells until its time was over.';
    expect(howItEnded(await made.find(id))).toEqual(['stopped', undefined, reason, undefined, undefined]);
    expect(ordersOf(made)).toEqual(['-100 AAA']);
    expect(await made.readDraft(draftId)).toEqual(['open', 2, ['100', '50']]);
  });

  test('wait half a minute after a buy that was sent before, because proceeds can hide its cost', async () => {
    const made = await openWorld({ cash: 30 });
    const { id } = await made.submit([
      buy(),
      sell({ quantity: '100' }),
      buy({ ticker: 'DDD', limitPrice: '8', quantity: '50' }),
    ]);
    made.runnerWith().start(id);
    await made.pass(60_000);
    // The first buy is placed two seconds after the sell.
    expect(made.arrived).toEqual([
      [0, '-100 AAA'],
      [2_000, '1 CCC'],
      [32_000, '50 DDD'],
    ]);
  });
});
