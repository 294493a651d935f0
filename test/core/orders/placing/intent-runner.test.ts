/** Following an order to its end, and the background work that continues the orders of other calls and processes. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { readExternalRecord, writeExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { createIntentRunner } from '../../../../src/core/orders/intent-runner.ts';
import type { OrderDeps } from '../../../../src/core/orders/order-deps.ts';
import type { Sender } from '../../../../src/core/orders/send/send-order.ts';
import { takeLog } from '../../../support/faults.ts';
import { buy, makeIntent, ticker } from '../risk/example-account.ts';
import {
  breaking,
  context,
  failure,
  instrument,
  key,
  openWorld,
  order,
  placed,
  rejectWith,
  startAt,
  type WorldOptions,
} from './world.ts';

const approval = {
  handle: 'h',
  nonce: 'n',
  digest: 'd',
  askedAt: startAt,
  expiresAt: startAt + 120_000,
  ticket: {} as NonNullable<Intent['approval']>['ticket'],
};

const named = (name: string) => ({ ...approval, handle: name, nonce: name });

/** An order of this moment that waits for a person. */
const waiting = (change: Partial<Intent> = {}): Intent => ({
  ...placed(),
  orderId: undefined,
  sentAt: undefined,
  state: 'AWAITING_APPROVAL',
  method: 'page',
  createdAt: startAt,
  changedAt: startAt,
  approval,
  ...change,
});
const approved = (change: Partial<Intent> = {}): Intent =>
  waiting({ state: 'APPROVED', approval: { ...approval, approvedAt: startAt - 500, by: 'page' }, ...change });

async function open(intents: readonly Intent[] = [], options: WorldOptions = {}, send?: Sender['send']) {
  const world = await openWorld(options);
  await world.insert(...intents);
  const sends: Parameters<Sender['send']>[] = [];
  const reads: unknown[][] = [];
  const deps: OrderDeps = {
    ...world.deps,
    facts: {
      ...world.deps.facts,
      read: (...args) => {
        reads.push(args);
        return world.deps.facts.read(...args);
      },
    },
  };
  const place: Sender['send'] = async (intent) => {
    const placing = { state: 'PLACED', orderId: '77' } as const;
    return (await world.journal.change((tx) => tx.move(intent.id, 'APPROVED', placing))) ?? intent;
  };
  const sender: Sender = {
    send: (...args) => {
      sends.push(args);
      return (send ?? place)(...args);
    },
  };
  const runner = createIntentRunner(deps, sender);
  const said: string[] = [];
  const follow = (intent: Intent, asked: CallContext = context) =>
    world.clock.run(runner.follow(intent, asked, (message) => void said.push(message)));
  return { ...world, deps, sender, sends, reads, runner, said, follow };
}

const move = (
  { journal }: Pick<Awaited<ReturnType<typeof open>>, 'journal'>,
  { id, state }: Intent,
  change: Partial<Intent> & Pick<Intent, 'state'>,
) => journal.change((tx) => tx.move(id, state, change));

describe('an order that is followed', () => {
  test.each<[string, Partial<Intent>]>([
    ['was placed', { state: 'PLACED' }],
    ['was rejected', { state: 'REJECTED' }],
    ['has an unknown outcome', { state: 'UNKNOWN' }],
    ['was not sent', { state: 'NOT_SENT' }],
    ['was not sent, and its time to try again has passed', { state: 'NOT_SENT', retryUntil: startAt }],
    ['was declined', { state: 'DECLINED' }],
  ])('and %s is returned at once', async (_, change) => {
    const intent = waiting(change);
    const { follow, clock, sends } = await open([intent]);
    expect(await follow(intent)).toBe(intent);
    expect([clock.now(), sends]).toEqual([startAt, []]);
  });

  test.each<[string, Partial<Intent>]>([
    ['waits for a person', {}],
    ['is being sent', { state: 'SENDING', sentAt: startAt }],
    ['may be tried again', { state: 'NOT_SENT', retryUntil: startAt + 50_000, approval: undefined }],
    ['may be tried again for a second', { state: 'NOT_SENT', retryUntil: startAt + 1_000, approval: undefined }],
    [
      'was approved without a person, and is sent by its own call',
      { state: 'APPROVED', approval: undefined, method: 'none' },
    ],
  ])('and %s is read every 250 ms until it has ended', async (_, change) => {
    const intent = waiting(change);
    const world = await open([intent]);
    void world.clock.sleep(600).then(() => move(world, intent, { state: 'REJECTED' }));
    expect(await world.follow(intent)).toMatchObject({ state: 'REJECTED' });
    expect([world.clock.now() - startAt, world.sends]).toEqual([750, []]);
  });

  test.each([
    ['40 seconds', 50_000, 40_000],
    ['three seconds less than the call', 10_000, 7_000],
    ['no longer than a whole wait fits in', 3_999, 750],
    ['not at all in a call of three seconds', 3_000, 0],
    ['once in a call of 250 ms more', 3_250, 250],
  ])('is waited for %s', async (_, callMs, waitedMs) => {
    const { follow, clock } = await open([waiting()]);
    expect(await follow(waiting(), { ...context, deadlineAt: startAt + callMs })).toMatchObject({
      state: 'AWAITING_APPROVAL',
    });
    expect(clock.now() - startAt).toBe(waitedMs);
  });

  test('is waited for until its approval is over, and is then recorded as expired', async () => {
    const intent = waiting({ approval: { ...approval, expiresAt: startAt + 1_000 } });
    const { follow, clock } = await open([intent]);
    expect(await follow(intent)).toMatchObject({ state: 'EXPIRED', changedAt: startAt + 1_000 });
    expect(clock.now() - startAt).toBe(1_000);
  });

  test('and is being sent for longer than a draft may take is waited for all the same', async () => {
    const intent = waiting({ state: 'SENDING', sentAt: startAt, createdAt: startAt - 60_000, approval: undefined });
    const { follow, clock } = await open([intent]);
    expect(await follow(intent)).toMatchObject({ state: 'SENDING' });
    expect(clock.now() - startAt).toBe(40_000);
  });

  test('tells the caller once that a person is waited for', async () => {
    const { follow, said } = await open([waiting()]);
    await follow(waiting());
    expect(said.length).toBe(1);
  });

  test.each([
    ['is being sent', waiting({ state: 'SENDING', sentAt: startAt })],
    ['is sent by another call', waiting({ state: 'APPROVED', approval: undefined, method: 'none' })],
  ])('tells nothing of a person where it %s', async (_, intent) => {
    const { follow, said } = await open([intent]);
    await follow(intent, { ...context, deadlineAt: startAt + 4_000 });
    expect(said).toEqual([]);
  });

  test('needs nobody who listens', async () => {
    const { runner, clock } = await open([waiting()]);
    const call = { ...context, deadlineAt: startAt + 4_000 };
    expect(await clock.run(runner.follow(waiting(), call, undefined))).toMatchObject({ state: 'AWAITING_APPROVAL' });
  });

  test.each([
    ['before it waits', 0, 0],
    ['while it waits', 300, 300],
  ])('by a call that is aborted %s is returned', async (_, abortMs, waitedMs) => {
    const { follow, clock } = await open([waiting()]);
    const controller = new AbortController();
    if (abortMs === 0) controller.abort();
    else void clock.sleep(abortMs).then(() => controller.abort());
    expect(await follow(waiting(), { ...context, signal: controller.signal })).toMatchObject({
      state: 'AWAITING_APPROVAL',
    });
    expect(clock.now() - startAt).toBe(waitedMs);
  });

  test('is returned as it was when nothing of it is stored', async () => {
    const { runner } = await open();
    const intent = waiting();
    expect(await runner.current(intent)).toBe(intent);
  });
});

describe('an order that a person approved', () => {
  test('is sent by the call that follows it, with the account as it is since the approval', async () => {
    const intent = approved();
    const { follow, sends, reads, clock, asked } = await open([intent]);
    expect(await follow(intent)).toMatchObject({ state: 'PLACED', orderId: '77' });
    const reading = { ...context, priority: 'lookUp' };
    expect(reads).toEqual([[instrument, reading, startAt - 500]]);
    expect(asked('listInstruments').map((call) => call.context)).toEqual([reading]);
    expect(sends.map(([sent, facts, asked_]) => [sent, facts.summary.id, asked_])).toEqual([[intent, '7', context]]);
    expect(clock.now()).toBe(startAt);
  });

  test.each(['REFUSED', 'REJECTED', 'UNKNOWN', 'EXPIRED', 'NOT_SENT'] as const)(
    'and ends as %s is returned at once',
    async (state) => {
      const intent = approved();
      const { follow, clock } = await open([intent], {}, async (one) => ({ ...one, state }));
      expect(await follow(intent)).toEqual({ ...intent, state });
      expect(clock.now()).toBe(startAt);
    },
  );

  test.each([
    ['the account', 'listPositions'],
    ['the instruments', 'listInstruments'],
  ])('is tried again 250 ms later when %s cannot be read', async (_, endpoint) => {
    const intent = approved();
    const { follow, sends, clock, service } = await open([intent]);
    const answer = service.answers[endpoint] as () => unknown;
    service.answers[endpoint] = rejectWith(failure('unreachable'));
    void clock.sleep(200).then(() => {
      service.answers[endpoint] = answer;
    });
    expect(await follow(intent)).toMatchObject({ state: 'PLACED' });
    expect([sends.length, clock.now() - startAt]).toEqual([1, 250]);
  });

  test('is sent by one of two calls that follow it, and both return its end', async () => {
    const intent = approved();
    const { runner, clock, sends, journal } = await open([intent], {}, async (one) => {
      await clock.sleep(1_000);
      const placing = { state: 'PLACED', orderId: '77' } as const;
      return (await journal.change((tx) => tx.move(one.id, 'APPROVED', placing))) as Intent;
    });
    const follow = () => runner.follow(intent, context, undefined);
    const results = await clock.run(Promise.all([follow(), follow()]));
    expect(results).toMatchObject([{ orderId: '77' }, { orderId: '77' }]);
    expect(sends.length).toBe(1);
  });

  test('is sent again by this process after a failed attempt', async () => {
    const intent = approved();
    const attempts: number[] = [];
    const { follow, clock } = await open([intent], {}, async (one) => {
      attempts.push(clock.now() - startAt);
      if (attempts.length < 3) throw failure('store_unavailable');
      return { ...one, state: 'PLACED' };
    });
    expect(await follow(intent)).toMatchObject({ state: 'PLACED' });
    expect(attempts).toEqual([0, 250, 500]);
  });

  test.each<[string, WorldOptions]>([
    ['a read-only process', { deps: { readOnly: true } }],
    ['a live process without live trading', { settings: { environment: 'live' } }],
  ])('is not sent by %s', async (_, options) => {
    const intent = approved();
    const { follow, sends } = await open([intent], options);
    expect(await follow(intent, { ...context, deadlineAt: startAt + 4_000 })).toMatchObject({ state: 'APPROVED' });
    expect(sends).toEqual([]);
  });

  test('is sent by a live process with live trading', async () => {
    const { follow, sends } = await open([approved()], { settings: { environment: 'live', liveTrading: true } });
    await follow(approved());
    expect(sends.length).toBe(1);
  });
});

describe('a background round', () => {
  const background = { deadlineAt: startAt + 50_000, signal: expect.any(AbortSignal) };

  test('does nothing where nothing is open', async () => {
    const { runner, service, deps } = await open([placed()]);
    const quiet = createIntentRunner(
      { ...deps, accountKey: rejectWith(new TypeError('x')) },
      { send: rejectWith(1) as never },
    );
    expect(await quiet.tick()).toBe(0);
    expect(await runner.tick()).toBe(0);
    expect(service.calls).toEqual([]);
  });

  test('counts the open orders of its account and environment', async () => {
    const intents = [
      waiting({ id: 'a', method: 'terminal' }),
      waiting({ id: 'b', method: 'terminal', approval: named('b') }),
      waiting({ id: 'c', accountKey: 'other', approval: named('c') }),
      waiting({ id: 'd', environment: 'demo', approval: named('d') }),
      placed(),
    ];
    const { runner } = await open(intents);
    expect(await runner.tick()).toBe(2);
  });

  test('continues no order of another account', async () => {
    const search = { lostAt: startAt - 5_000, round: 1, nextAt: startAt };
    const { runner, sends, asked, clock } = await open([
      waiting({ id: 'a', method: 'terminal' }),
      approved({ id: 'b', accountKey: 'other', approval: { ...named('b'), approvedAt: startAt, by: 'page' } }),
      makeIntent({ id: 'c', accountKey: 'other', state: 'UNKNOWN', search }),
    ]);
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    expect([sends, asked('listPendingOrders')]).toEqual([[], []]);
  });

  test('does nothing for the orders of another environment', async () => {
    const { runner, deps } = await open([waiting({ environment: 'demo' })]);
    const asked: string[] = [];
    const accountKey = async () => {
      asked.push('asked');
      return key;
    };
    expect(await createIntentRunner({ ...deps, accountKey }, { send: rejectWith(1) as never }).tick()).toBe(0);
    expect([await runner.tick(), asked]).toEqual([0, []]);
  });

  test('ends what is overdue, and what a dead process left', async () => {
    const overdue = waiting({ id: 'a', createdAt: startAt - 60_000, state: 'APPROVED', approval: undefined });
    const left = waiting({ id: 'b', owner: 'dead', state: 'APPROVED', approval: undefined });
    const processes = { self: 'test', isAlive: (owner: string) => owner !== 'dead' };
    const { runner, find } = await open([overdue, left], { deps: { processes } });
    expect(await runner.tick()).toBe(0);
    expect([(await find('a'))?.state, (await find('b'))?.state]).toEqual(['EXPIRED', 'EXPIRED']);
  });

  test('serves the page of an order that waits for it', async () => {
    const served: string[] = [];
    const channels = {
      pageUrl: async (handle: string) => {
        served.push(handle);
        return undefined;
      },
      opensBrowser: false,
    };
    const intents = [
      waiting({ id: 'a', approval: named('a') }),
      waiting({ id: 'b', approval: named('b'), method: 'terminal' }),
      waiting({ id: 'c', approval: undefined }),
      approved({ id: 'd', approval: { ...named('d'), approvedAt: startAt } }),
    ];
    const { runner } = await open(intents, { deps: { channels } });
    expect(await runner.tick()).toBe(4);
    expect(served).toEqual(['a']);
  });

  test('sends an approved order with 50 seconds of time', async () => {
    const intent = approved();
    const { runner, sends, find, reads, clock } = await open([intent]);
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    const asked = { ...background, priority: 'place' };
    expect(sends.map(([one, , call]) => [one, call])).toEqual([[intent, asked]]);
    expect(reads).toEqual([[instrument, { ...asked, priority: 'lookUp' }, startAt - 500]]);
    expect(await find(intent.id)).toMatchObject({ state: 'PLACED' });
  });

  test.each<[string, Intent, WorldOptions]>([
    ['was approved without a person', approved({ approval: undefined }), {}],
    ['is left to others by a read-only process', approved(), { deps: { readOnly: true } }],
    ['waits for a person', waiting({ method: 'terminal' }), {}],
    ['is being sent', approved({ state: 'SENDING', sentAt: startAt }), {}],
  ])('does not send an order that %s', async (_, intent, options) => {
    const { runner, sends, clock } = await open([intent], options);
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    expect(sends).toEqual([]);
  });

  test('does not send an order a second time while it is being sent', async () => {
    let release = (_: Intent): void => undefined;
    const sending = new Promise<Intent>((resolve) => {
      release = resolve;
    });
    const { runner, sends, clock } = await open([approved()], {}, () => sending);
    await runner.tick();
    await clock.advance(0);
    await runner.tick();
    await clock.advance(0);
    expect(sends.length).toBe(1);
    release(approved());
    await runner.stop();
  });

  test('sends an order again once the attempt before has failed', async () => {
    const { runner, sends, clock } = await open([approved()], {}, rejectWith(failure('store_unavailable')) as never);
    await runner.tick();
    await clock.advance(0);
    await runner.tick();
    await clock.advance(0);
    expect(sends.length).toBe(2);
  });

  test('searches for an order of unknown outcome when its search is due', async () => {
    const search = { lostAt: startAt - 5_000, round: 1, nextAt: startAt };
    const intent = {
      ...makeIntent({ id: 'u', ticker, request: buy, state: 'UNKNOWN', search }),
      sentAt: startAt - 6_000,
    };
    const { runner, service, find, clock } = await open([intent]);
    const createdAt = new Date(startAt - 5_900).toISOString();
    service.pending.push(order({ id: '55', type: 'LIMIT', timeInForce: 'DAY', initiatedFrom: 'API', createdAt }));
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    expect(await find('u')).toMatchObject({ state: 'PLACED', orderId: '55' });
    const { priority, deadlineAt } = service.calls[0]?.context ?? {};
    expect([priority, deadlineAt]).toEqual(['lookUp', startAt + 50_000]);
  });

  test.each<[string, Partial<Intent>]>([
    ['is not due', { search: { lostAt: startAt - 5_000, round: 1, nextAt: startAt + 1 } }],
    ['has not begun', {}],
    ['is over', { state: 'PROBABLY_ABSENT', search: { lostAt: startAt - 5_000, round: 1, nextAt: startAt } }],
  ])('does not search for an order whose search %s', async (_, change) => {
    const { runner, service, clock } = await open([makeIntent({ id: 'u', state: 'UNKNOWN', ...change })]);
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    expect(service.calls).toEqual([]);
  });

  test('drops what fails in the background, and reports a fault of the program', async () => {
    const { runner, clock } = await open([approved()], {}, rejectWith(new TypeError('x')) as never);
    expect(await runner.tick()).toBe(1);
    await clock.advance(0);
    expect(takeLog()).toMatchObject([{ event: 'fault', code: 'TypeError' }]);
  });

  test('does nothing after the end', async () => {
    const { runner, sends } = await open([approved()]);
    await runner.stop();
    expect([await runner.tick(), sends]).toEqual([0, []]);
  });
});

describe('the end of the work', () => {
  test('waits for the orders that are being sent, and aborts what was begun in the background', async () => {
    const intent = approved();
    const { runner, clock, sends } = await open([intent], {}, async (one) => {
      await clock.sleep(1_000);
      return one;
    });
    void runner.send(intent, {} as never, context);
    await clock.run(runner.stop());
    expect([sends.length, clock.now() - startAt]).toEqual([1, 1_000]);
  });

  test('does not wait for orders that were sent or failed before', async () => {
    const error = failure('store_unavailable');
    const { runner, clock } = await open([], {}, rejectWith(error) as never);
    await expect(runner.send(approved(), {} as never, context)).rejects.toBe(error);
    await clock.run(runner.stop());
    expect(clock.now()).toBe(startAt);
  });

  test('aborts the calls of the background', async () => {
    const { runner, sends, clock } = await open([approved()]);
    await runner.tick();
    await clock.advance(0);
    const [, , call] = sends[0] ?? [];
    expect(call?.signal?.aborted).toBe(false);
    await runner.stop();
    expect(call?.signal?.aborted).toBe(true);
  });
});

describe('a new key, whose account has another name until the service is asked', () => {
  const identify = (name: () => Promise<string>) => {
    const asks: CallContext[] = [];
    const identifyAccount = (asked: CallContext) => {
      asks.push(asked);
      return name();
    };
    return { asks, deps: { accountKey: async () => 'new', identifyAccount } };
  };

  test('continues the orders of the account that it turns out to be', async () => {
    const { asks, deps } = identify(async () => key);
    const { runner } = await open([waiting({ method: 'terminal' })], { deps });
    expect(await runner.tick()).toBe(1);
    expect(asks).toEqual([{ priority: 'read', deadlineAt: startAt + 50_000, signal: expect.any(AbortSignal) }]);
  });

  test('is asked about again only five minutes later', async () => {
    const { asks, deps } = identify(async () => 'new');
    const intent = waiting({ method: 'terminal', state: 'UNKNOWN', approval: undefined });
    const { runner, clock } = await open([intent], { deps });
    const counts = [];
    for (const ms of [0, 299_999, 1]) {
      await clock.advance(ms);
      counts.push([await runner.tick(), asks.length]);
    }
    expect(counts).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
    ]);
  });

  test('is not asked about while all open orders have its name', async () => {
    const { asks, deps } = identify(async () => 'new');
    const { runner } = await open([waiting({ accountKey: 'new', method: 'terminal' })], { deps });
    expect([await runner.tick(), asks]).toEqual([1, []]);
  });

  test('is asked about when one of several open orders has another name', async () => {
    const { asks, deps } = identify(async () => 'new');
    const intents = [
      waiting({ id: 'a', accountKey: 'new', method: 'terminal' }),
      waiting({ id: 'b', approval: named('b') }),
    ];
    const { runner } = await open(intents, { deps });
    expect([await runner.tick(), asks.length]).toEqual([1, 1]);
  });

  test('of an unknown account starts nothing', async () => {
    const { deps } = identify(rejectWith(failure('unreachable')));
    const { runner, sends, clock } = await open([approved()], { deps });
    expect(await runner.tick()).toBe(0);
    await clock.advance(0);
    expect(sends).toEqual([]);
  });
});

describe('the search for orders of other programs', () => {
  const demo = { settings: { environment: 'demo' } } as const;
  const recent = placed({
    environment: 'demo',
    changedAt: startAt - 300_000,
    sentAt: startAt - 300_000,
    createdAt: startAt - 300_000,
  });

  test('goes on for ten minutes after an order, with 50 seconds of time', async () => {
    const { runner, asked, clock, journal } = await open([recent], demo);
    expect(await runner.tick()).toBe(0);
    await clock.advance(0);
    expect(asked('listHistoricalOrders').map((call) => call.context)).toEqual([
      { priority: 'sync', deadlineAt: startAt + 50_000, signal: expect.any(AbortSignal), notBefore: startAt - 30_000 },
    ]);
    expect(await journal.read((tx) => readExternalRecord(tx, key))).toMatchObject({ nextAt: startAt + 60_000 });
  });

  test('is done a minute after another process did it', async () => {
    const { runner, asked, clock, journal } = await open([recent], demo);
    await journal.change((tx) =>
      writeExternalRecord(tx, key, { since: startAt, nextAt: startAt + 20_000, orders: [] }),
    );
    const counts = [];
    for (const ms of [0, 19_999, 1]) {
      await clock.advance(ms);
      await runner.tick();
      await clock.advance(0);
      counts.push(asked('listHistoricalOrders').length);
    }
    expect(counts).toEqual([0, 0, 1]);
  });

  test.each<[string, Intent, WorldOptions]>([
    ['ten minutes after the last order', placed({ environment: 'demo', sentAt: startAt - 600_000 }), demo],
    ['for the sandbox', placed({ sentAt: startAt - 300_000 }), {}],
    ['for the orders of another environment', placed({ environment: 'live', sentAt: startAt - 300_000 }), demo],
  ])('is not done %s', async (_, intent, options) => {
    const { runner, asked, clock } = await open([intent], options);
    expect(await runner.tick()).toBe(0);
    await clock.advance(0);
    expect(asked('listHistoricalOrders')).toEqual([]);
  });

  test('needs no write of the journal where no order is open', async () => {
    const { deps, sender } = await open([recent], { ...demo, deps: { readOnly: true } });
    const journal = breaking(deps.journal, { change: failure('store_unavailable') });
    expect(await createIntentRunner({ ...deps, journal }, sender).tick()).toBe(0);
  });

  test('is done once a minute', async () => {
    const { runner, asked, clock } = await open([recent], demo);
    const counts = [];
    for (const ms of [0, 1, 59_998, 1]) {
      await clock.advance(ms);
      await runner.tick();
      await clock.advance(0);
      counts.push(asked('listHistoricalOrders').length);
    }
    expect(counts).toEqual([1, 1, 1, 2]);
  });

  test('is not begun again while it is being done', async () => {
    const { runner, asked, clock, service } = await open([recent], demo);
    let release = (): void => undefined;
    service.answers.listHistoricalOrders = () =>
      new Promise((resolve) => {
        release = () => resolve({ items: [] });
      });
    await runner.tick();
    await clock.advance(120_000);
    await runner.tick();
    await clock.advance(0);
    expect(asked('listHistoricalOrders').length).toBe(1);
    release();
    await clock.advance(60_000);
    await runner.tick();
    await clock.advance(0);
    expect(asked('listHistoricalOrders').length).toBe(2);
  });

  test('is checked once a minute by a process that does not do it', async () => {
    const { clock, deps, sender } = await open([recent], demo);
    const looks: number[] = [];
    const watching = {
      ...deps,
      get readOnly() {
        looks.push(clock.now() - startAt);
        return true;
      },
    };
    const runner = createIntentRunner(watching, sender);
    looks.length = 0;
    for (const ms of [0, 59_999, 1, 60_000]) {
      await clock.advance(ms);
      await runner.tick();
      await clock.advance(0);
    }
    expect(looks).toEqual([0, 60_000, 120_000]);
  });

  test('obeys the limits of the owner', async () => {
    const { runner, clock, service, journal } = await open([{ ...recent, environment: 'live' }], {
      settings: { environment: 'live', liveTrading: true },
    });
    const enrolment = { approval: 'page', limits: {}, enrolledAt: startAt - 86_400_000 };
    await journal.change((tx) => tx.set('security', enrolment));
    const createdAt = new Date(startAt - 60_000).toISOString();
    service.history.push({ order: order({ id: '900', initiatedFrom: 'API', createdAt, status: 'FILLED' }) } as never);
    await runner.tick();
    await clock.advance(0);
    expect(await journal.read((tx) => tx.get('halt'))).toMatchObject({ rule: 'foreign_order' });
  });
});

test('a journal that cannot be read fails the round', async () => {
  const { deps, sender } = await open();
  const error = failure('store_unavailable');
  const runner = createIntentRunner({ ...deps, journal: breaking(deps.journal, { read: error }) }, sender);
  await expect(runner.tick()).rejects.toBe(error);
});
