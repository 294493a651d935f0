/** What get_order reads and returns, over a broker that a test controls. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../src/core/broker/types.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { getOrder, listOrders } from '../../../src/core/tools/order-tools.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';
import { contextOf, runWith, toolCall } from './tool-call.ts';

const instrument = { ticker: 'A_EQ', name: 'Company A', currency: 'GBX' };
const limit = {
  id: '7',
  ticker: 'A_EQ',
  instrument,
  side: 'BUY',
  type: 'LIMIT',
  quantity: '2',
  limitPrice: '10',
  status: 'NEW',
  timeInForce: 'DAY',
  createdAt: 'CREATED',
};
const outward = { ...limit, filledQuantity: undefined, priceCurrency: 'GBX', valueCurrency: undefined };
const notFound = () => new BrokerageError('not_found', 'NOT PENDING', 'NEXT');

interface World {
  readonly pending?: object | undefined;
  /** The newest page of the history; undefined when the rate limit allows no read of it. */
  readonly ended?: readonly object[] | undefined;
  readonly intent?: object;
  /** The last price of the position. */
  readonly last?: string;
}

/** A call over an order that is pending or has ended, and the contexts of its requests. */
function callOf({ pending, ended = [], intent, last = '8' }: World) {
  const requests: [endpoint: unknown, context: CallContext][] = [];
  const ends: unknown[] = [];
  const call = toolCall({
    clock: createManualClock({ startAt: openMarketsAt, auto: true }),
    broker: {
      call: async (endpoint: unknown, _: object, context: CallContext) => {
        requests.push([endpoint, context]);
        if (endpoint === endpoints.listPendingOrders) return { data: [pending].flat(), answeredAt: 6 };
        if (endpoint === endpoints.listPositions)
          return { data: [{ instrument: { ticker: 'A_EQ' }, currentPrice: last }], answeredAt: 5 };
        if (endpoint === endpoints.getPendingOrder) {
          if (pending === undefined) throw notFound();
          return { data: pending, answeredAt: 6 };
        }
        throw new Error('No other endpoint is read.');
      },
      pages: async function* () {
        if (ended.length === 0) throw new BrokerageError('rate_limited', 'NOT YET', 'LATER', { retryAfterSeconds: 9 });
        yield { items: ended, answeredAt: openMarketsAt + 1 };
      },
    },
    getLimit: async () => ({ freeInMs: 0 }),
    orderManager: {
      placedAt: async () => openMarketsAt - 1_000,
      recordEnd: async (found: unknown) => void ends.push(found),
      find: async () => intent,
    },
  });
  return { call, requests, ends };
}

describe('an order that is pending', () => {
  test('is returned as it is', async () => {
    const { call, requests, ends } = callOf({ pending: limit });
    expect(await runWith(getOrder, { orderId: '7' }, call)).toEqual({
      asOf: 6,
      fields: {
        orderId: '7',
        status: 'NEW',
        final: false,
        foundIn: 'pending',
        message: undefined,
        order: outward,
        fills: [],
      },
    });
    expect(requests).toEqual([[endpoints.getPendingOrder, contextOf({ priority: 'lookUp', notBefore: undefined })]]);
    expect(ends).toEqual([]);
  });

  test('is read anew each time that the call waits for its end', async () => {
    const { call, requests } = callOf({ pending: limit });
    await runWith(getOrder, { orderId: '7', waitSeconds: 2 }, call);
    expect(requests.map(([, { notBefore }]) => notBefore)).toEqual([
      openMarketsAt,
      openMarketsAt + 1_000,
      openMarketsAt + 2_000,
    ]);
  });

  test('is listed with the distance of its limit from the last price, which the list does not wait for', async () => {
    const { call, requests } = callOf({ pending: limit });
    const { asOf, fields, list } = await runWith(listOrders, {}, call);
    expect({ asOf, fields }).toEqual({ asOf: 6, fields: { pending: 1, complete: true } });
    // 10 is a quarter above 8.
    expect(list).toMatchObject({
      columns: [
        'id',
        'ticker',
        'name',
        'side',
        'type',
        'status',
        'quantity',
        'filledQuantity',
        'limitPrice',
        'stopPrice',
        'lastKnownPrice',
        'percentFromLast',
        'priceCurrency',
        'timeInForce',
        'createdAt',
      ],
      rows: [
        ['7', 'A_EQ', 'Company A', 'BUY', 'LIMIT', 'NEW', '2', null, '10', null, '8', '25.0', 'GBX', 'DAY', 'CREATED'],
      ],
    });
    expect(requests[1]).toEqual([endpoints.listPositions, contextOf({ waitUntil: openMarketsAt })]);
  });
});

describe('while a call waits for the end of an order', () => {
  /** When each poll was made, in milliseconds after the call began. */
  const pollsOf = async (waitSeconds: number, parts: object = {}, pending: object = limit) => {
    const { call, requests } = callOf({ pending });
    await runWith(getOrder, { orderId: '7', waitSeconds }, Object.assign(call, parts));
    return requests.map(([, { notBefore }]) => notBefore && notBefore - openMarketsAt);
  };

  test('the pauses grow to five seconds, and the last poll is at the end', async () => {
    expect(await pollsOf(20)).toEqual([0, 1_000, 2_000, 4_000, 7_000, 12_000, 17_000, 20_000]);
  });

  test('the next poll is when the rate limit allows one, if that is before the end', async () => {
    const getLimit = async () => ({ freeInMs: 4_000 });
    expect(await pollsOf(9, { getLimit })).toEqual([0, 4_000, 8_000]);
    expect(await pollsOf(8, { getLimit })).toEqual([0, 4_000, 8_000]);
    expect(await pollsOf(3, { getLimit })).toEqual([0]);
  });

  test('the last poll leaves two seconds for the response', async () => {
    expect((await pollsOf(60)).at(-1)).toBe(48_000);
  });

  test.each(['FILLED', 'CANCELLED', 'REJECTED', 'REPLACED', 'EXPIRED'])(
    'one that is %s is returned at once and recorded, also where it is still among the pending ones',
    async (status) => {
      const { call, requests, ends } = callOf({ pending: { ...limit, type: 'MARKET', status } });
      const { fields } = await runWith(getOrder, { orderId: '7', waitSeconds: 20 }, call);
      expect(fields).toMatchObject({ status, final: true, foundIn: 'pending', message: undefined });
      expect([requests.length, ends.length]).toEqual([1, 1]);
    },
  );

  test.each(['LOCAL', 'UNCONFIRMED', 'CONFIRMED', 'NEW', 'CANCELLING', 'PARTIALLY_FILLED', 'REPLACING', undefined])(
    'one whose status is %s is read again, and no end is recorded',
    async (status) => {
      const { call, requests, ends } = callOf({ pending: { ...limit, status } });
      const { fields } = await runWith(getOrder, { orderId: '7', waitSeconds: 1 }, call);
      expect(fields).toMatchObject({ status, final: false });
      expect([requests.length, ends.length]).toEqual([2, 0]);
    },
  );
});

describe('an order that is neither pending nor in the history', () => {
  const heldBack = () => new BrokerageError('rate_limited', 'NOT YET', 'LATER', { retryAfterSeconds: 9 });
  const page = { items: [], answeredAt: openMarketsAt, askedAt: openMarketsAt + 10_000 };

  /** A call whose reads of the history have these results in turn, and what it returns or throws. */
  async function follow(
    results: readonly (object | Error)[],
    placedAt: number | undefined,
    { pending, fail = notFound }: { pending?: object | undefined; fail?: (() => Error) | undefined } = {},
  ) {
    const { call } = callOf({});
    const left = [...results];
    let polls = 0;
    const broker = {
      call: async () => {
        polls++;
        if (polls === 1) throw notFound();
        if (pending === undefined) throw fail();
        return { data: pending, answeredAt: 6 };
      },
      pages: async function* () {
        const next = left.shift() ?? page;
        if (next instanceof Error) throw next;
        yield next;
      },
    };
    Object.assign(call, { broker });
    Object.assign(call.orderManager, { placedAt: async () => placedAt });
    const end = await runWith(getOrder, { orderId: '7' }, call).then(
      ({ fields }) => fields?.status,
      (error: BrokerageError) => error.code,
    );
    return { end, polls, waitedMs: call.clock.now() - openMarketsAt };
  }

  test('is read once more after a second and a half, and then it is not found', async () => {
    expect(await follow([page, page], undefined)).toEqual({ end: 'not_found', polls: 2, waitedMs: 1_500 });
  });

  test('is returned when it appears then', async () => {
    expect(await follow([page], openMarketsAt, { pending: limit })).toEqual({ end: 'NEW', polls: 2, waitedMs: 1_500 });
  });

  test('is not found when the history cannot be read a second time, and this server did not place it', async () => {
    expect(await follow([page, heldBack()], undefined)).toMatchObject({ end: 'not_found', polls: 2 });
  });

  test.each([
    ['this server placed it', [page, heldBack()], openMarketsAt, 2, undefined],
    ['the history was never read', [heldBack()], undefined, 1, undefined],
    ['the pending orders cannot be read again', [page], undefined, 2, heldBack],
    [
      'the second read fails for another reason',
      [page, new BrokerageError('unreachable', 'NO', 'LATER')],
      undefined,
      2,
    ],
  ] as const)('is unknown, and not missing, when %s', async (_, results, placedAt, polls, fail?: () => Error) => {
    const found = await follow(results, placedAt, { fail });
    expect(found.polls).toBe(polls);
    expect(found.end).not.toBe('not_found');
  });
});

test('an order that only the history has is final and recorded, though the history has no status of it', async () => {
  const { call, ends } = callOf({ ended: [{ order: { ...limit, status: undefined } }] });
  const { fields } = await runWith(getOrder, { orderId: '7', waitSeconds: 20 }, call);
  expect(fields).toMatchObject({ status: undefined, final: true, foundIn: 'history', fills: [] });
  expect(ends).toHaveLength(1);
});

test.each([
  ['NEW', 'Order 7 is NEW'],
  [undefined, 'Order 7 is pending'],
])('while an order whose status is %s is awaited, its progress is: %s', async (status, text) => {
  const texts: string[] = [];
  const { call } = callOf({ pending: { ...limit, status } });
  const progress = (message: string) => void texts.push(message);
  await runWith(getOrder, { orderId: '7', waitSeconds: 1 }, Object.assign(call, { progress }));
  expect(texts).toEqual([text]);
});

test('an order that has ended is recorded, and returned with its fills', async () => {
  const filled = { ...limit, status: 'FILLED' };
  const fill = { id: '1', quantity: '2', price: '9.9' };
  const { call, ends } = callOf({ ended: [{ order: filled, fill }] });
  const { asOf, fields } = await runWith(getOrder, { orderId: '7' }, call);
  expect(asOf).toBe(openMarketsAt + 1);
  expect(fields).toEqual({
    orderId: '7',
    status: 'FILLED',
    final: true,
    foundIn: 'history',
    message: undefined,
    order: { ...outward, status: 'FILLED' },
    fills: [fill],
  });
  expect(ends).toMatchObject([{ order: { id: '7', status: 'FILLED' }, foundIn: 'history' }]);
});

describe('an order of an intent', () => {
  const intent = { intentId: 'intent-1', outcome: 'placed', orderId: '7', status: 'NEW', mismatch: 'OTHER QUANTITY' };

  test('has the outcome and what differs from what was placed', async () => {
    const { call } = callOf({ pending: limit, intent });
    const { fields } = await runWith(getOrder, { intentId: 'intent-1' }, call);
    expect(fields).toMatchObject({
      intentId: 'intent-1',
      outcome: 'placed',
      mismatch: 'OTHER QUANTITY',
      orderId: '7',
      status: 'NEW',
    });
  });

  test('that is not pending any more has no status while the history cannot be read, and says when to ask again', async () => {
    const { call } = callOf({ intent });
    expect((await runWith(getOrder, { intentId: 'intent-1' }, call)).fields).toEqual({
      ...intent,
      status: undefined,
      pending: false,
      retryAfterSeconds: 9,
      note: 'Order 7 is not among the pending orders, and the history that shows how it ended cannot be read yet: NOT YET',
    });
  });

  test('that changed while the call waited is returned at once: the end of its order may be hours away', async () => {
    const { call, requests } = callOf({ pending: limit });
    const states = [{ ...intent, outcome: 'pending_approval', orderId: undefined }, intent];
    Object.assign(call.orderManager, { find: async () => states.shift() });
    const { fields } = await runWith(getOrder, { intentId: 'intent-1', waitSeconds: 40 }, call);
    expect(fields).toMatchObject({ outcome: 'placed', status: 'NEW', final: false });
    expect(requests.map(([, { notBefore }]) => notBefore)).toEqual([undefined]);
  });

  test('keeps the status of its placement while the broker cannot be read, and says so', async () => {
    const { call } = callOf({ intent });
    const broker = {
      call: () => Promise.reject(new BrokerageError('rate_limited', 'NOT YET', 'LATER', { retryAfterSeconds: 9 })),
    };
    const { fields } = await runWith(getOrder, { intentId: 'intent-1' }, Object.assign(call, { broker }));
    expect(fields).toEqual({
      ...intent,
      retryAfterSeconds: 9,
      note: 'The status is from the placement; a newer one could not be read from the broker: NOT YET',
    });
  });

  test('of which a fault stops the reading is an error', async () => {
    const { call } = callOf({ intent });
    const broker = { call: () => Promise.reject(new TypeError('a fault')) };
    await expect(runWith(getOrder, { intentId: 'intent-1' }, Object.assign(call, { broker }))).rejects.toThrow(
      'a fault',
    );
  });

  test('that no journal has is not found', async () => {
    await expect(runWith(getOrder, { intentId: 'intent-1' }, callOf({}).call)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test.each([
    ['pending_approval', 2_000],
    ['unknown', 2_000],
    ['placed', 0],
    ['refused', 0],
    ['rejected', 0],
    ['not_sent', 0],
    ['expired', 0],
    ['declined', 0],
  ])('that is %s and has no order is followed for %s of 2,000 milliseconds', async (outcome, waited) => {
    const { call } = callOf({ intent: { ...intent, outcome, orderId: undefined } });
    const { fields } = await runWith(getOrder, { intentId: 'intent-1', waitSeconds: 2 }, call);
    expect(fields).toMatchObject({ outcome });
    expect(call.clock.now() - openMarketsAt).toBe(waited);
  });

  test('is followed until five seconds before the end of the call at most', async () => {
    const { call } = callOf({ intent: { ...intent, outcome: 'pending_approval', orderId: undefined } });
    await runWith(getOrder, { intentId: 'intent-1', waitSeconds: 60 }, call);
    expect(call.clock.now() - openMarketsAt).toBe(45_000);
  });

  test('that did not change is followed to the end of its order, as long as the call waits', async () => {
    const { call, requests } = callOf({ pending: limit, intent });
    await runWith(getOrder, { intentId: 'intent-1', waitSeconds: 2 }, call);
    expect(requests).toHaveLength(3);
  });

  test('without an order is returned as the journal has it', async () => {
    const { call } = callOf({ intent: { ...intent, orderId: undefined } });
    expect(await runWith(getOrder, { intentId: 'intent-1' }, call)).toEqual({
      fields: { ...intent, orderId: undefined },
    });
  });
});

test.each([
  ['either', { orderId: '7' }, true],
  ['or', { intentId: 'a'.repeat(32) }, true],
  ['not both', { orderId: '7', intentId: 'a'.repeat(32) }, false],
  ['not neither', {}, false],
])('an order is asked for by its id or its intent: %s', (_, args, isValid) => {
  expect(getOrder.input.safeParse(args).success).toBe(isValid);
});

describe('the list of orders', () => {
  const stopLimit = { ...limit, id: '8', type: 'STOP_LIMIT', limitPrice: '10', stopPrice: '12' };
  const stop = { ...limit, id: '9', type: 'STOP', limitPrice: undefined, stopPrice: '12' };
  const filled = { ...limit, id: '10', limitPrice: undefined, filledQuantity: '1', filledValue: '9' };

  /** Of each order some cells, by the names of their columns. */
  const cellsOf = async (world: World, args: object, ...names: readonly string[]) => {
    const { call, requests } = callOf(world);
    const { fields, list } = await runWith(listOrders, args, call);
    const cells = list?.rows.map((row) => names.map((name) => (row as unknown[])[list.columns?.indexOf(name) ?? -1]));
    return { cells, fields, readsPrices: requests.some(([endpoint]) => endpoint === endpoints.listPositions) };
  };

  test('compares the limit with the last price, and of a stop order without a limit its stop', async () => {
    const names = ['id', 'limitPrice', 'stopPrice', 'lastKnownPrice', 'percentFromLast'];
    // 10 is a quarter above 8, and 12 a half.
    expect((await cellsOf({ pending: [stopLimit, stop] }, {}, ...names)).cells).toEqual([
      ['8', '10', '12', '8', '25.0'],
      ['9', null, '12', '8', '50.0'],
    ]);
  });

  test('reads the last prices where an order has a stop alone, and not where none has a price', async () => {
    expect((await cellsOf({ pending: [stop] }, {})).readsPrices).toBe(true);
    expect((await cellsOf({ pending: [filled] }, {})).readsPrices).toBe(false);
  });

  test('says how many shares were filled, and compares no price with a last one of zero', async () => {
    const found = await cellsOf({ pending: [filled, limit], last: '0' }, {}, 'filledQuantity', 'percentFromLast');
    expect(found.cells).toEqual([
      ['1', null],
      [null, null],
    ]);
  });

  test('of one ticker has its orders alone, and reads no price for the others', async () => {
    const other = { ...limit, id: '11', ticker: 'B_EQ', instrument: { ...instrument, ticker: 'B_EQ' } };
    const found = await cellsOf({ pending: [other, filled] }, { ticker: 'A_EQ' }, 'id', 'ticker');
    expect(found).toEqual({
      cells: [['10', 'A_EQ']],
      fields: { pending: 1, complete: true },
      readsPrices: false,
    });
    const detailed = await runWith(
      listOrders,
      { ticker: 'B_EQ', responseFormat: 'detailed' },
      callOf({ pending: [other, filled] }).call,
    );
    expect(detailed.list?.rows).toMatchObject([{ id: '11', ticker: 'B_EQ' }]);
  });

  test('below the last price has a negative distance, and one of a ticker that is not held has none', async () => {
    const other = { ...limit, ticker: 'B_EQ', instrument: { ...instrument, ticker: 'B_EQ' } };
    const found = await cellsOf({ pending: [limit, other], last: '16' }, {}, 'lastKnownPrice', 'percentFromLast');
    // 10 is three eighths below 16.
    expect(found.cells).toEqual([
      ['16', '-37.5'],
      [null, null],
    ]);
  });

  test('is returned without prices where the positions cannot be read or name none', async () => {
    const withPositions = async (positions: () => Promise<object>) => {
      const { call } = callOf({ pending: limit });
      const read = call.broker.call;
      const broker = {
        call: (endpoint: never, ...more: [never, never]) =>
          endpoint === endpoints.listPositions ? positions() : read(endpoint, ...more),
      };
      const { list } = await runWith(listOrders, {}, Object.assign(call, { broker }));
      const [row] = (list?.rows ?? []) as unknown[][];
      return row?.slice(8, 12);
    };
    const unread = () => Promise.reject(new BrokerageError('rate_limited', 'NOT NOW', 'LATER'));
    const unnamed = async () => ({ data: [{ instrument: { ticker: 'A_EQ' } }, { currentPrice: '8' }], answeredAt: 5 });
    expect(await withPositions(unread)).toEqual(['10', null, null, null]);
    expect(await withPositions(unnamed)).toEqual(['10', null, null, null]);
  });

  test('of a ticker without orders says so; of a ticker that does not exist it is an error', async () => {
    const { call } = callOf({ pending: limit });
    const asking = (directory: object) =>
      runWith(listOrders, { ticker: 'C_EQ' }, toolCall({ broker: call.broker, directory }));
    expect((await asking({ getOrThrow: async () => ({}) })).fields).toEqual({
      pending: 0,
      complete: true,
      note: 'No order of C_EQ is pending.',
    });
    const getOrThrow = () => Promise.reject(new BrokerageError('unknown_ticker', 'NO SUCH', 'SEARCH'));
    await expect(asking({ getOrThrow })).rejects.toMatchObject({ code: 'unknown_ticker' });
  });

  test('that is empty has no note of a ticker', async () => {
    expect((await cellsOf({ pending: [] }, {})).fields).toEqual({ pending: 0, complete: true });
  });

  test('compares no price of an order without one, though its ticker has a last price', async () => {
    const found = await cellsOf({ pending: [filled, limit] }, {}, 'id', 'lastKnownPrice', 'percentFromLast');
    expect(found.cells).toEqual([
      ['10', '8', null],
      ['7', '8', '25.0'],
    ]);
  });

  test('reads no price for the detailed form, which has no column of it', async () => {
    expect((await cellsOf({ pending: limit }, { responseFormat: 'detailed' })).readsPrices).toBe(false);
  });
});
