/** One round of the search for an order: who makes it, what it finds, and when the next one is. */
import { describe, expect, test } from 'vitest';
import type { Broker } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { reconcile } from '../../../../src/core/orders/reconcile/reconcile.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, openJournal, request, startAt } from '../send/approved-order.ts';

const dayMs = 86_400_000;
/** Lost at the start; its second round is due. */
const lost: Intent = {
  ...approvedOrder,
  state: 'UNKNOWN',
  sentAt: startAt,
  answerBy: startAt + 15_000,
  search: { lostAt: startAt, round: 1, nextAt: startAt + 5_000 },
};
const listed = (id: string, ms = 1_000) => ({
  id,
  ...request,
  status: 'FILLED',
  initiatedFrom: 'API',
  createdAt: new Date(startAt + ms).toISOString(),
});
const page = (orders: readonly object[], more: object = {}) => ({ items: orders.map((order) => ({ order })), ...more });

interface Service {
  pending?: readonly object[];
  pages?: readonly object[];
  position?: string;
  summary?: object;
  fails?: () => Error;
  /** What happens while the account is read. */
  meanwhile?: () => Promise<unknown>;
}

async function setup(change: Partial<Intent> = {}, now = startAt + 5_000) {
  const clock = createManualClock({ startAt: now });
  const journal = await openJournal(clock);
  await journal.change((tx) => tx.insert({ ...lost, ...change }));
  const asked: string[] = [];
  let pagesRead = 0;
  const run = (service: Service = {}, id = lost.id) => {
    const { pending = [], pages = [page([])], position = '1', fails, meanwhile } = service;
    const { summary = { currency: 'GBP', cash: { availableToTrade: '1000' } } } = service;
    const data: Record<string, unknown> = {
      getAccountSummary: summary,
      listPositions: [{ instrument: { ticker: 'ABC_EQ' }, quantity: position }],
      listPendingOrders: pending,
    };
    const broker = {
      call: async ({ id }: { id: string }, _: unknown, context: { priority: string; notBefore?: number }) => {
        asked.push(`${id} ${context.priority} ${(context.notBefore ?? 0) - now}`);
        await meanwhile?.();
        if (fails) throw fails();
        return { data: data[id], askedAt: now, answeredAt: now, shared: false, serviceOffsetMs: 0 };
      },
      pages: async function* ({ id }: { id: string }, _: unknown, context: { priority: string; notBefore?: number }) {
        asked.push(`${id} ${context.priority} ${(context.notBefore ?? 0) - now}`);
        for (const one of pages) {
          pagesRead++;
          yield one;
        }
      },
    } as unknown as Broker;
    const processes = { self: 'test', isAlive: (owner: string) => owner === 'test' || owner === 'other' };
    const context = { priority: 'read', deadlineAt: now + 60_000 } as const;
    return reconcile({ broker, journal, clock, processes }, id, context);
  };
  const find = () => journal.read((tx) => tx.find(lost.id));
  return { clock, journal, run, find, asked, pagesRead: () => pagesRead };
}

const round = (number: number, change: object = {}) => ({
  search: { lostAt: startAt, round: number, nextAt: startAt, ...change },
});
const next = { from: 'next' };

test('a round reads the account afresh, in the turn of searches', async () => {
  const { run, asked } = await setup();
  await run();
  expect(asked.sort()).toEqual([
    'getAccountSummary lookUp 0',
    'listHistoricalOrders lookUp 0',
    'listPendingOrders lookUp 0',
    'listPositions lookUp 0',
  ]);
});

describe('a round is made', () => {
  test.each<[string, Partial<Intent>, boolean]>([
    ['when it is due', {}, true],
    ['not before', round(1, { nextAt: startAt + 5_001 }), false],
    ['not while another process makes it', round(1, { owner: 'other', until: startAt + 5_001 }), false],
    ['when the time of another process is over', round(1, { owner: 'other', until: startAt + 5_000 }), true],
    ['when the other process is dead', round(1, { owner: 'dead', until: startAt + 60_000 }), true],
    ['not for an order that was found', { state: 'PLACED' }, false],
    ['not for an order without a search', { search: undefined }, false],
  ])('%s', async (_, change, isMade) => {
    const { run, asked, find } = await setup(change);
    expect(await run()).toEqual(await find());
    expect(asked.length).toBe(isMade ? 4 : 0);
  });

  test('for no order that the journal does not have', async () => {
    const { journal, run, asked } = await setup();
    await journal.change((tx) => tx.insert({ ...lost, id: 'b'.repeat(32) }));
    expect(await run({}, 'c'.repeat(32))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('by one process for a minute', async () => {
    const { run, find } = await setup();
    let claimed: Intent | undefined;
    const meanwhile = async () => {
      claimed = await find();
    };
    await run({ meanwhile });
    expect(claimed?.search).toEqual({ ...lost.search, owner: 'test', until: startAt + 65_000 });
  });
});

describe('an order', () => {
  test.each<[string, Service]>([
    ['among the pending ones', { pending: [listed('9')] }],
    ['in the history', { pages: [page([listed('9')])] }],
    ['in both, once', { pending: [listed('9')], pages: [page([listed('9')])] }],
    ['on a later page', { pages: [page([listed('8', 60_000)], { next }), page([listed('9')])] }],
  ])('%s is found', async (_, service) => {
    const { run, find } = await setup({ reason: 'reset' });
    const row = await run(service);
    expect(row).toMatchObject({ state: 'PLACED', orderId: '9', orderStatus: 'FILLED', changedAt: startAt + 5_000 });
    expect([row?.reason, row?.search]).toEqual([undefined, undefined]);
    expect(await find()).toEqual(row);
  });

  test('that another intent has is not taken', async () => {
    const { run, journal } = await setup();
    await journal.change((tx) => tx.insert({ ...lost, id: 'b'.repeat(32), state: 'PLACED', orderId: '9' }));
    expect(await run({ pending: [listed('9')] })).toMatchObject({ state: 'UNKNOWN' });
  });

  test('whose number an intent of another account has is found', async () => {
    const { run, journal } = await setup();
    const other = { id: 'b'.repeat(32), accountKey: 'third', state: 'PLACED', orderId: '9' } as const;
    await journal.change((tx) => tx.insert({ ...lost, ...other }));
    expect(await run({ pending: [listed('9')] })).toMatchObject({ state: 'PLACED', orderId: '9' });
  });

  test('that another intent of the account has is not taken, where the accounts became one during the round', async () => {
    const { run, journal } = await setup();
    const other = { id: 'b'.repeat(32), accountKey: 'joined', state: 'PLACED', orderId: '9' } as const;
    await journal.change((tx) => tx.insert({ ...lost, ...other }));
    const meanwhile = () =>
      journal.change((tx) => tx.move(lost.id, 'UNKNOWN', { state: 'UNKNOWN', accountKey: 'joined' }));
    expect(await run({ pending: [listed('9')], meanwhile })).toMatchObject({ state: 'UNKNOWN' });
  });

  test('that is found halts nothing, however many others are unknown', async () => {
    const { run, journal } = await setup({ environment: 'live' });
    for (const id of ['b', 'c'])
      await journal.change((tx) => tx.insert({ ...lost, environment: 'live', id: id.repeat(32) }));
    expect(await run({ pending: [listed('9')] })).toMatchObject({ state: 'PLACED' });
    expect(await journal.read(readHalt)).toBeUndefined();
  });

  test('of two that may be it is left to a person', async () => {
    const { run } = await setup();
    const row = await run({ pending: [listed('8')], pages: [page([listed('9')])] });
    expect(row).toMatchObject({ state: 'AMBIGUOUS', reason: expect.stringContaining('2 orders') });
  });

  test('whose response arrived during the round stays as it is', async () => {
    const { run, journal } = await setup();
    const meanwhile = () => journal.change((tx) => tx.move(lost.id, 'UNKNOWN', { state: 'PLACED', orderId: '5' }));
    expect(await run({ pending: [listed('9')], meanwhile })).toMatchObject({ state: 'PLACED', orderId: '5' });
  });
});

describe('without a candidate, the search', () => {
  test.each<[string, number, string, string]>([
    ['waits for the history in its first rounds, although shares came', 2, '2', 'UNKNOWN'],
    ['ends for a person from its fourth round on, when shares came', 3, '2', 'AMBIGUOUS'],
    ['goes on before its last round', 17, '1', 'UNKNOWN'],
    ['ends after its last round: the order is probably absent', 18, '1', 'PROBABLY_ABSENT'],
  ])('%s', async (_, number, position, state) => {
    const { run } = await setup(round(number));
    const row = await run({ position });
    expect(row?.state).toBe(state);
    expect(row?.reason === undefined).toBe(state === 'UNKNOWN');
    expect(row?.search === undefined).toBe(state !== 'UNKNOWN');
  });

  test.each<[string, readonly object[], number, string]>([
    ['has read the history when it ends', [page([]), page([])], 1, 'PROBABLY_ABSENT'],
    [
      'has read the history when it is older than the order',
      [page([listed('8', -30_001)], { next })],
      1,
      'PROBABLY_ABSENT',
    ],
    [
      'reads on while the history may show the order',
      [page([{ ...listed('8', -30_000), side: 'SELL' }], { next }), page([])],
      2,
      'PROBABLY_ABSENT',
    ],
    ['reads on after a row without an order', [{ items: [{ fill: {} }], next }, page([])], 2, 'PROBABLY_ABSENT'],
    ['reads on after an empty page', [page([], { next }), page([])], 2, 'PROBABLY_ABSENT'],
    [
      'has not read the history when it goes on after six pages',
      Array.from({ length: 7 }, () => page([], { next })),
      6,
      'UNKNOWN',
    ],
    ['has not read the history when its link is damaged', [page([], { chainError: {} })], 1, 'UNKNOWN'],
  ])('%s', async (_, pages, read, state) => {
    const { run, pagesRead } = await setup(round(18));
    expect((await run({ pages }))?.state).toBe(state);
    expect(pagesRead()).toBe(read);
  });

  test.each([
    [dayMs - 1, 'UNKNOWN'],
    [dayMs, 'AMBIGUOUS'],
  ])('that could never be completed is after %d ms %s', async (ms, state) => {
    const { run } = await setup(round(18), startAt + ms);
    const pages = [page([], { chainError: {} })];
    const row = await run({ pages });
    expect(row?.state).toBe(state);
    expect(row?.reason === undefined).toBe(state === 'UNKNOWN');
  });

  test('does not end after its last round when nothing could be read', async () => {
    const { run } = await setup(round(18));
    expect((await run({ fails: () => new RangeError('planted') }))?.state).toBe('UNKNOWN');
    takeLog();
  });

  test('ends by the position alone where the account shows no cash', async () => {
    const { run } = await setup(round(18));
    expect((await run({ summary: { currency: 'GBP' } }))?.state).toBe('PROBABLY_ABSENT');
  });

  test('ends for a person when the cash went down by what the order costs', async () => {
    const { run } = await setup({ ...round(3), value: '10.00' });
    const summary = { currency: 'GBP', cash: { availableToTrade: '990' } };
    expect(await run({ summary })).toMatchObject({
      state: 'AMBIGUOUS',
      reason:
        'No such order is listed, but the position or the cash changed as the order would have changed it; a human must check.',
    });
  });

  test('halts live trading when a second order stays unknown', async () => {
    const { run, journal } = await setup({ ...round(18), environment: 'live' });
    const other: Intent = { ...lost, environment: 'live', id: 'b'.repeat(32), search: undefined };
    await journal.change((tx) => tx.insert(other));
    await run();
    expect(await journal.read(readHalt)).toMatchObject({ rule: 'open_unknown' });
  });
});

describe('the next round', () => {
  const at = (ms: number) => startAt + ms;
  test.each<[string, Partial<Intent>, number, object]>([
    ['is at its own time', round(1), 5_000, { round: 2, nextAt: at(10_000) }],
    ['is four seconds later where rounds were missed', round(1), 9_000, { round: 2, nextAt: at(13_000) }],
    ['is five minutes after the last one', round(18), 3_760_000, { round: 18, nextAt: at(4_060_000) }],
    [
      'counts from now where the loss is in the future',
      round(1, { lostAt: at(dayMs) }),
      5_000,
      { lostAt: at(5_000), round: 2, nextAt: at(15_000) },
    ],
  ])('%s', async (_, change, now, expected) => {
    const { run } = await setup(change, startAt + now);
    const row = await run({ pages: [page([], { chainError: {} })] });
    expect(row?.search).toEqual({ lostAt: startAt, ...expected });
  });

  test.each([
    ['after a block is the same, at its end', { retryAfterSeconds: 600 }, { round: 1, nextAt: at(605_000) }],
    ['after a block of unknown length is the next', {}, { round: 2, nextAt: at(10_000) }],
  ])('%s', async (_, known, expected) => {
    const { run } = await setup();
    const row = await run({ fails: () => new BrokerageError('blocked', 'Blocked.', 'Wait.', known) });
    expect(row).toMatchObject({ state: 'UNKNOWN', search: { lostAt: startAt, ...expected } });
  });

  test('after a fault is made, and the fault is in the log', async () => {
    const { run } = await setup();
    const row = await run({ fails: () => new RangeError('planted') });
    expect(row?.search).toEqual({ lostAt: startAt, round: 2, nextAt: at(10_000) });
    expect(takeLog()).toMatchObject([{ task: 'search for an order', code: 'RangeError' }]);
  });

  test('after another error of the service is the next, whatever that asks for', async () => {
    const { run } = await setup();
    const fails = () => new BrokerageError('rate_limited', 'Wait.', 'Wait.', { retryAfterSeconds: 600 });
    expect((await run({ fails }))?.search).toEqual({ lostAt: startAt, round: 2, nextAt: at(10_000) });
  });
});
