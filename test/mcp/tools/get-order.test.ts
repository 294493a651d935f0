/** What get_order reads and returns, over a broker that a test controls. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../src/broker/types.ts';
import { endpoints } from '../../../src/catalogue/index.ts';
import { BrokerageError } from '../../../src/errors.ts';
import { getOrder, listOrders } from '../../../src/mcp/tools/orders.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';
import { contextOf, toolCall } from './tool-call.ts';

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
    expect(await getOrder.run({ orderId: '7' }, call)).toEqual({
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
    await getOrder.run({ orderId: '7', waitSeconds: 2 }, call);
    expect(requests.map(([, { notBefore }]) => notBefore)).toEqual([
      openMarketsAt,
      openMarketsAt + 1_000,
      openMarketsAt + 2_000,
    ]);
  });

  test('is listed with the distance of its limit from the last price, which the list does not wait for', async () => {
    const { call, requests } = callOf({ pending: limit });
    const { asOf, fields, list } = await listOrders.run({}, call);
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

test('an order that has ended is recorded, and returned with its fills', async () => {
  const filled = { ...limit, status: 'FILLED' };
  const fill = { id: '1', quantity: '2', price: '9.9' };
  const { call, ends } = callOf({ ended: [{ order: filled, fill }] });
  const { asOf, fields } = await getOrder.run({ orderId: '7' }, call);
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
    const { fields } = await getOrder.run({ intentId: 'intent-1' }, call);
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
    expect((await getOrder.run({ intentId: 'intent-1' }, call)).fields).toEqual({
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
    const { fields } = await getOrder.run({ intentId: 'intent-1', waitSeconds: 40 }, call);
    expect(fields).toMatchObject({ outcome: 'placed', status: 'NEW', final: false });
    expect(requests.map(([, { notBefore }]) => notBefore)).toEqual([undefined]);
  });

  test('without an order is returned as the journal has it', async () => {
    const { call } = callOf({ intent: { ...intent, orderId: undefined } });
    expect(await getOrder.run({ intentId: 'intent-1' }, call)).toEqual({ fields: { ...intent, orderId: undefined } });
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
    const { fields, list } = await listOrders.run(args, call);
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
    const detailed = await listOrders.run(
      { ticker: 'B_EQ', responseFormat: 'detailed' },
      callOf({ pending: [other, filled] }).call,
    );
    expect(detailed.list?.rows).toMatchObject([{ id: '11', ticker: 'B_EQ' }]);
  });
});
