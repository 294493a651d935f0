/** Each fact of get_server_status. */
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { describeStoreChange, storeChangeStep } from '../../../src/core/orders/halt/store-change.ts';
import { getServerStatus } from '../../../src/core/tools/status-tool.ts';
import { takeLog } from '../../support/faults.ts';
import { runWith, toolCall } from './tool-call.ts';

const limit = {
  endpoint: 'listPositions',
  limit: 1,
  periodSeconds: 5,
  source: 'specification',
  free: 0,
  freeInSeconds: 3,
  cachedSecondsAgo: undefined,
};
const intent = {
  id: 'intent-1',
  outcome: 'pending_approval',
  isApproved: true,
  createdAt: 0,
  request: { side: 'BUY', quantity: '2', ticker: 'A_EQ', type: 'LIMIT' },
};
const state = { limits: { maxOrderValue: '500' }, openIntents: [intent], approval: 'page' };
const config = {
  environment: 'demo',
  baseUrl: 'https://demo.invalid',
  credentials: {},
  readOnly: false,
  toolsets: ['trading'],
};

const callOf = (known: object | Error, parts: object = {}) =>
  toolCall({
    config,
    orderManager: { state: async () => (known instanceof Error ? Promise.reject(known) : known) },
    approvals: { waiting: async () => [{}, {}] },
    audit: { newestFault: async () => undefined },
    getStoreError: () => undefined,
    allowance: async () => [limit],
    listMarketFiles: async () => [],
    ...parts,
  });

test('a server that can trade has each fact', async () => {
  const { fields } = await runWith(getServerStatus, {}, callOf(state));
  expect(fields).toEqual({
    readOnly: false,
    toolsets: ['trading'],
    configured: true,
    store: { state: 'ok' },
    trading: { state: 'on', approval: 'page' },
    riskLimits: { maxOrderValue: '500' },
    openIntents: 1,
    intents: [
      {
        intentId: 'intent-1',
        outcome: 'pending_approval',
        approved: true,
        order: 'BUY 2 A_EQ LIMIT',
        createdAt: '1970-01-01T00:00:00.000Z',
      },
    ],
    approvalsWaiting: 2,
    cannot: expect.any(Array),
    limitColumns: ['endpoint', 'limit', 'periodSeconds', 'source', 'free', 'freeInSeconds', 'cachedSecondsAgo'],
    limits: [['listPositions', 1, 5, 'specification', 0, 3, null]],
  });
});

test.each([
  [
    'refuses',
    { ...state, refusal: { rule: 'halted', reason: 'HALTED' } },
    {},
    { state: 'off', rule: 'halted', reason: 'HALTED', approval: 'page' },
  ],
  [
    'is read-only',
    state,
    { config: { ...config, readOnly: true } },
    { state: 'off', rule: 'read_only', reason: 'This server is read-only.' },
  ],
  [
    'cannot write the store',
    state,
    { getStoreError: () => 'FULL' },
    { state: 'off', rule: 'store_unavailable', reason: 'FULL' },
  ],
])('trading is off where the server %s', async (_, known, parts, trading) => {
  expect((await runWith(getServerStatus, {}, callOf(known, parts))).fields?.trading).toEqual(trading);
});

test('a store that cannot be read is reported with its reason', async () => {
  const { fields } = await runWith(getServerStatus, {}, callOf(new Error('BROKEN')));
  expect(fields).toMatchObject({
    store: { state: 'unavailable', reason: 'BROKEN' },
    trading: { state: 'off', rule: 'store_unavailable', reason: 'BROKEN' },
    openIntents: 0,
    intents: [],
  });
  expect(takeLog()).toMatchObject([{ task: 'read the state of trading' }]);
});

test('a server without a key says what it needs, and the newest fault has its time', async () => {
  const fault = { at: 0, task: 'tool list_positions', code: 'TypeError', place: 'PLACE' };
  const parts = { config: { ...config, credentials: undefined }, audit: { newestFault: async () => fault } };
  expect((await runWith(getServerStatus, {}, callOf({ ...state, foreignOrders: ['7'] }, parts))).fields).toMatchObject({
    configured: false,
    note: 'demo needs a base URL and a key.',
    newestFault: { ...fault, at: '1970-01-01T00:00:00.000Z' },
    foreignOrders: ['7'],
  });
});

test('a store that is older than what was seen says so, and what the owner does about it', async () => {
  const { fields } = await runWith(getServerStatus, {}, callOf({ ...state, storeChange: 'older' }));
  expect(fields?.store).toEqual({
    state: 'changed',
    reason: describeStoreChange('older'),
    next: storeChangeStep,
  });
});

test.each([
  [{ environment: 'sandbox', baseUrl: undefined, credentials: undefined }, true],
  [{ environment: 'live', credentials: undefined }, false],
  [{ environment: 'live', baseUrl: undefined }, false],
  [{ environment: 'live' }, true],
])('a server with %j has all that it needs: %s', async (change, configured) => {
  const { fields } = await runWith(getServerStatus, {}, callOf(state, { config: { ...config, ...change } }));
  expect(fields?.configured).toBe(configured);
  expect(Object.hasOwn(fields ?? {}, 'note')).toBe(!configured);
});

test('the first twenty open orders are listed, and all of them counted; one that waits is not approved', async () => {
  const openIntents = Array.from({ length: 21 }, (_, at) => ({ ...intent, id: `intent-${at}`, isApproved: false }));
  const { fields } = await runWith(getServerStatus, {}, callOf({ ...state, openIntents }));
  const intents = fields?.intents as readonly object[];
  expect([fields?.openIntents, intents.length]).toEqual([21, 20]);
  expect(intents[19]).toEqual({
    intentId: 'intent-19',
    outcome: 'pending_approval',
    order: 'BUY 2 A_EQ LIMIT',
    createdAt: '1970-01-01T00:00:00.000Z',
  });
});

test('a response that was kept just now has the age 0, and orders of no other program are not mentioned', async () => {
  const allowance = async () => [{ ...limit, cachedSecondsAgo: 0 }];
  const { fields } = await runWith(getServerStatus, {}, callOf({ ...state, foreignOrders: 0 }, { allowance }));
  expect(fields?.limits).toEqual([['listPositions', 1, 5, 'specification', 0, 3, 0]]);
  expect(fields).not.toHaveProperty('foreignOrders');
});

test('approvals and faults that cannot be read leave the rest of the status', async () => {
  const fails = () => Promise.reject(new BrokerageError('store_unavailable', 'BUSY', 'LATER'));
  const parts = { approvals: { waiting: fails }, audit: { newestFault: fails } };
  const { fields } = await runWith(getServerStatus, {}, callOf(state, parts));
  expect(fields).toMatchObject({ approvalsWaiting: 0, trading: { state: 'on' }, openIntents: 1 });
  expect(fields).not.toHaveProperty('newestFault');
});

test('a read-only server whose store fails is off because it is read-only, and names the failure of the store', async () => {
  const parts = { config: { ...config, readOnly: true }, getStoreError: () => 'FULL' };
  expect((await runWith(getServerStatus, {}, callOf(state, parts))).fields).toMatchObject({
    store: { state: 'unavailable', reason: 'FULL' },
    trading: { state: 'off', rule: 'read_only' },
  });
});

const always = [
  ...['quotes', 'news', 'alerts', 'withdrawable_cash', 'daily_change', 'past_values', 'account_type', 'dividend_dates'],
];
test.each([
  [['analytics', 'exports'], [], [...always, 'benchmarks', 'sectors', 'fund_holdings']],
  [['analytics', 'exports'], ['benchmark'], [...always, 'sectors', 'fund_holdings']],
  [['analytics', 'exports'], ['funds', 'benchmark'], always],
  // Without the tools that read them, the files give nothing.
  [['exports'], ['funds', 'benchmark'], [...always, 'benchmarks', 'sectors', 'fund_holdings']],
  [['analytics'], ['funds', 'benchmark'], [...always, 'report', 'tax_pack']],
])(
  'with the toolsets %j and the files %j, it cannot do what no tool and no file gives',
  async (toolsets, files, codes) => {
    const parts = { config: { ...config, toolsets }, listMarketFiles: async () => files };
    const { fields } = await runWith(getServerStatus, {}, callOf(state, parts));
    const cannot = fields?.cannot as readonly { code: string; reason: string }[];
    expect(cannot.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
    for (const one of cannot) expect(one).toEqual({ code: one.code, reason: expect.stringMatching(/^[A-Z].*\.$/) });
  },
);
