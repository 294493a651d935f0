/** The opening hours in the tools, over exchanges that a test gives. */
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { listExchanges } from '../../../src/core/tools/exchange-tool.ts';
import { describeMarketWait, warnOfClosedMarket } from '../../../src/core/tools/market-wait.ts';
import { getOrder, listOrders } from '../../../src/core/tools/order-tools.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';
import { contextOf, runWith, toolCall } from './tool-call.ts';

const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const event = (at: number, type: string) => ({ date: iso(at), type });
/** Closed for an hour, and open for an hour then. */
const timeEvents = [
  event(openMarketsAt - hour, 'CLOSE'),
  event(openMarketsAt + hour, 'OPEN'),
  event(openMarketsAt + 2 * hour, 'CLOSE'),
];
const exchanges = [
  {
    id: 1,
    name: 'Alder',
    workingSchedules: [
      { id: '11', timeEvents },
      { id: '12', timeEvents },
    ],
  },
];

function callOf(scheduleId = '11') {
  const contexts: unknown[] = [];
  const call = toolCall({
    config: { taxZone: 'America/New_York' },
    directory: {
      getOrThrow: async (ticker: string, context: unknown) => {
        contexts.push(context);
        return { ticker, workingScheduleId: scheduleId };
      },
      exchanges: async (context: unknown) => {
        contexts.push(context);
        return { exchanges, answeredAt: 5, unreadable: 0 };
      },
    },
  });
  return { call, contexts };
}

test('a market order says when its market opens, in the zone of the owner, and waits for no list', async () => {
  const { call, contexts } = callOf();
  // 16:00 UTC.
  expect(await describeMarketWait({ ticker: 'A_EQ', type: 'MARKET' }, call, call)).toMatch(
    /^Waiting: the market opens today 11:00/,
  );
  expect(contexts).toEqual([contextOf({ waitUntil: openMarketsAt }), contextOf({ waitUntil: openMarketsAt })]);
});

const closed = expect.stringMatching(/^The market is closed\. It opens today 11:00/);

test.each([
  ['a limit order of a closed market', '11', { type: 'LIMIT' }, undefined, closed],
  ['a market order with extended hours', '11', { type: 'MARKET', extendedHours: true }, undefined, undefined],
  ['a market order whose ticker is not known', '11', { type: 'MARKET', ticker: undefined }, undefined, undefined],
  ['a market order whose hours are not known', '99', { type: 'MARKET' }, undefined, undefined],
  ['a stop order whose hours are not known', '99', { type: 'STOP' }, undefined, undefined],
])('of %s only what is known is said', async (_, scheduleId, order, wait, warning) => {
  const { call } = callOf(scheduleId);
  const asked = { ticker: 'A_EQ', ...order };
  expect([await describeMarketWait(asked, call, call), await warnOfClosedMarket(asked, call, call)]).toEqual([
    wait,
    warning,
  ]);
});

test('of an open market nothing is said', async () => {
  const { call } = callOf();
  const { directory, config, context } = call;
  const parts = { directory, config, context, clock: createManualClock({ startAt: openMarketsAt + hour }) };
  const order = { ticker: 'A_EQ', extendedHours: false };
  expect(await describeMarketWait({ ...order, type: 'MARKET' }, parts, parts)).toBeUndefined();
  expect(await warnOfClosedMarket({ ...order, type: 'LIMIT' }, parts, parts)).toBeUndefined();
});

test('of a market that is closed without a known opening the wait is told, and that its end is unknown', async () => {
  const { call } = callOf();
  const closing = [event(openMarketsAt - hour, 'CLOSE'), event(openMarketsAt + hour, 'CLOSE')];
  const read = async () => ({ exchanges: [{ id: 1, workingSchedules: [{ id: '11', timeEvents: closing }] }] });
  Object.assign(call.directory, { exchanges: read });
  expect(await describeMarketWait({ ticker: 'A_EQ', type: 'MARKET' }, call, call)).toBe(
    'Waiting: the market opens at an unknown time.',
  );
  expect(await warnOfClosedMarket({ ticker: 'A_EQ', type: 'STOP' }, call, call)).toBe(
    'The market is closed. It opens at an unknown time. The order waits at the broker until then.',
  );
});

test('an order with a price whose ticker is not known has no warning', async () => {
  expect(await warnOfClosedMarket({ ticker: undefined, type: 'LIMIT' }, callOf().call, callOf().call)).toBeUndefined();
});

test('of hours that cannot be read nothing is said, and the fault is logged', async () => {
  const { call } = callOf();
  const directory = { ...call.directory, exchanges: () => Promise.reject(new TypeError('a fault')) };
  expect(await describeMarketWait({ ticker: 'A_EQ', type: 'MARKET' }, call, { ...call, directory })).toBeUndefined();
  expect(takeLog()).toMatchObject([{ event: 'fault', task: 'read the opening hours', message: 'a fault' }]);
});

test('a ticker has its schedule and its events, with the time now and that of the list', async () => {
  const { asOf, fields, list } = await runWith(listExchanges, { ticker: 'A_EQ' }, callOf().call);
  expect({ asOf, fields }).toEqual({
    asOf: 5,
    fields: {
      now: iso(openMarketsAt),
      ticker: 'A_EQ',
      events: {
        columns: ['exchange', 'scheduleId', 'at', 'event'],
        rows: [
          ['Alder', '11', iso(openMarketsAt + hour), 'OPEN'],
          ['Alder', '11', iso(openMarketsAt + 2 * hour), 'CLOSE'],
        ],
      },
    },
  });
  expect(list?.rows).toEqual([
    ['Alder', '11', false, expect.any(String), 'OPEN', iso(openMarketsAt + hour), iso(openMarketsAt + hour)],
  ]);
});

test('a ticker whose schedule no exchange has says that its hours are unknown', async () => {
  const { fields, list } = await runWith(listExchanges, { ticker: 'A_EQ' }, callOf('99').call);
  expect(fields).toMatchObject({ note: 'The opening hours of this ticker are unknown.' });
  expect(list?.rows).toEqual([]);
});

test.each([
  [{ days: 1 }, 4],
  [{ responseFormat: 'detailed' }, 2],
])('schedules and events with %j continue at the cursor', async (args, count) => {
  const { call } = callOf();
  const first = await runWith(listExchanges, args, call);
  expect(first.list?.rows).toHaveLength(count);
  const cursor = Buffer.from(`row:${count - 1}`).toString('base64url');
  const rest = await runWith(listExchanges, { ...args, cursor }, call);
  expect(rest.list?.rows).toEqual(first.list?.rows.slice(count - 1));
});

test('a market order that waits says so where it is listed and where it is read', async () => {
  const order = { id: '7', instrument: { ticker: 'A_EQ' }, side: 'BUY', type: 'MARKET', quantity: '2', status: 'NEW' };
  const { call } = callOf();
  const more = {
    broker: {
      call: async (endpoint: unknown) => ({
        data: endpoint === endpoints.listPendingOrders ? [order] : order,
        answeredAt: 5,
      }),
    },
    orderManager: { placedAt: async () => undefined },
    getLimit: async () => ({ freeInMs: 0 }),
  };
  const reading = toolCall({ config: call.config, directory: call.directory, ...more });
  const wait = expect.stringMatching(/^Waiting: the market opens today 11:00/);
  expect((await runWith(listOrders, {}, reading)).fields).toEqual({
    pending: 1,
    complete: true,
    waiting: [expect.stringMatching(/^Order 7: Waiting: the market opens today 11:00/)],
  });
  expect((await runWith(getOrder, { orderId: '7' }, reading)).fields).toMatchObject({ final: false, message: wait });
});

test('of the market orders that wait the first fifty say so', async () => {
  const order = { instrument: { ticker: 'A_EQ' }, side: 'BUY', type: 'MARKET', quantity: '2', status: 'NEW' };
  const data = Array.from({ length: 51 }, (_, at) => ({ ...order, id: `${at + 1}` }));
  const { call } = callOf();
  const broker = { call: async () => ({ data, answeredAt: 5 }) };
  const { fields } = await runWith(
    listOrders,
    {},
    toolCall({ config: call.config, directory: call.directory, broker }),
  );
  const waiting = fields?.waiting as readonly string[];
  expect([fields?.pending, waiting.length, waiting.at(-1)]).toEqual([51, 50, expect.stringMatching(/^Order 50: /)]);
});

describe('an exchange', () => {
  const opened = [event(openMarketsAt - hour, 'OPEN'), event(openMarketsAt + hour, 'CLOSE')];
  const later = [event(openMarketsAt - hour, 'CLOSE'), event(openMarketsAt + 3 * hour, 'OPEN')];
  const overLong = [event(openMarketsAt - 72 * hour, 'OPEN')].concat(event(openMarketsAt - 71 * hour, 'CLOSE'));

  /** What the list says of an exchange with these schedules: open, the next event with its hour, and the next opening. */
  async function show(args: object, ...schedules: readonly (readonly object[])[]) {
    const workingSchedules = schedules.map((events, at) => ({ id: String(at), timeEvents: events }));
    const directory = {
      exchanges: async () => ({
        exchanges: [{ id: 1, name: 'Alder', workingSchedules }],
        answeredAt: 5,
        unreadable: 2,
      }),
    };
    const { fields, list } = await runWith(listExchanges, args, toolCall({ directory }));
    const [row] = (list?.rows ?? []) as unknown[][];
    return { fields, row };
  }
  const at = (hours: number) => iso(openMarketsAt + hours * hour);

  test.each([
    ['open', [opened, opened], ['yes', 'CLOSE', at(1), null]],
    ['closed', [timeEvents, timeEvents], ['no', 'OPEN', at(1), at(1)]],
    ['open in part', [timeEvents, opened], ['partly', 'OPEN', at(1), null]],
    ['unknown', [overLong], ['unknown', null, null, null]],
    ['closed in one schedule and unknown in the other', [overLong, later], ['unknown', 'OPEN', at(3), at(3)]],
    ['unknown in one schedule and closed in the other', [later, overLong], ['unknown', 'OPEN', at(3), at(3)]],
    ['closed until the first of two openings', [later, timeEvents], ['no', 'OPEN', at(1), at(1)]],
    ['closed until the first of two openings, in the other order', [timeEvents, later], ['no', 'OPEN', at(1), at(1)]],
  ])('is %s', async (_, schedules, expected) => {
    const { row } = await show({}, ...schedules);
    expect(row).toEqual(['Alder', ...expected]);
  });

  test('of unknown hours has a schedule without an event', async () => {
    const { row } = await show({ responseFormat: 'detailed' }, overLong);
    expect(row).toEqual(['Alder', '0', null, 'unknown', null, null, null]);
  });

  test('that could not be read is counted', async () => {
    expect((await show({}, opened)).fields).toEqual({ now: iso(openMarketsAt), unreadable: 2 });
  });
});
