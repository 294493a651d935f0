/** What the tools of orders pass to the order manager, and what they return of its replies. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { HostInteraction } from '../../../src/core/mcp/tool.ts';
import type { PlaceReply } from '../../../src/core/orders/place-result.ts';
import { cancelOrder } from '../../../src/core/tools/cancel-tool.ts';
import {
  placeLimitOrder,
  placeMarketOrder,
  placeStopLimitOrder,
  placeStopOrder,
} from '../../../src/core/tools/trading-tools.ts';
import { openMarketsAt } from '../../support/setup.ts';
import { limitBuy } from '../approval/page/support.ts';
import { contextOf, recordCalls, runWith, toolCall } from './tool-call.ts';

const instrument = { ticker: 'A_EQ', name: 'Company A', currencyCode: 'GBX', extendedHours: false };
const named = { name: 'Company A', currency: 'GBX' };
const args = { ticker: 'A_EQ', side: 'BUY', quantity: '2' };
const limitArgs = { ...args, limitPrice: '10', timeValidity: 'DAY' };
const request = { type: 'LIMIT', ...limitArgs };

const placed: PlaceReply = {
  outcome: 'placed',
  intentId: 'intent-1',
  orderId: '7',
  message: 'The broker accepted the order.',
  next: 'FOLLOW IT',
} as PlaceReply;

interface Reached {
  readonly reply?: Partial<PlaceReply> | undefined;
  readonly host?: HostInteraction;
  readonly closed?: object;
  readonly exchanges?: readonly object[];
}

/** A call whose order manager returns this reply, and what reached it. */
function callOf({ reply = placed, host = { canForm: true, canUrl: true }, closed, exchanges = [] }: Reached = {}) {
  const { calls, record } = recordCalls(reply);
  const progress = () => undefined;
  const call = toolCall({
    host,
    progress,
    config: { taxZone: 'Europe/London' },
    directory: {
      getOrThrow: async () => ({ ...instrument, workingScheduleId: 1 }),
      exchanges: async () => ({ exchanges }),
    },
    orderManager: {
      closed: async () => closed,
      place: record('place'),
      continueAfterForm: record('continueAfterForm'),
      cancel: record('cancel'),
    },
  });
  return { call, calls, progress };
}

const place = contextOf({ priority: 'place' });

describe('an order reaches the order manager with each of its arguments:', () => {
  test.each([
    [placeLimitOrder, limitArgs, request],
    [placeMarketOrder, { ...args, extendedHours: undefined }, { type: 'MARKET', ...args, extendedHours: undefined }],
    [
      placeStopOrder,
      { ...args, stopPrice: '9', timeValidity: 'GOOD_TILL_CANCEL' },
      { type: 'STOP', ...args, stopPrice: '9', timeValidity: 'GOOD_TILL_CANCEL' },
    ],
    [
      placeStopLimitOrder,
      { ...args, stopPrice: '9', limitPrice: '8', timeValidity: 'DAY' },
      { type: 'STOP_LIMIT', ...args, stopPrice: '9', limitPrice: '8', timeValidity: 'DAY' },
    ],
  ])('$name', async (tool, given, order) => {
    const { call, calls, progress } = callOf();
    const reply = await runWith(tool, { ...given, repeatOf: 'intent-0' }, call);
    const options = { repeatOf: 'intent-0', canAsk: true, canOpen: true, progress };
    expect(calls).toEqual([['place', order, expect.objectContaining(instrument), place, options]]);
    expect(reply.fields).toMatchObject({ outcome: 'placed', request: order, instrument: named });
  });
});

test('the response to a form reaches the order manager with the order, the quantity that was typed, and the options', async () => {
  const answer = {
    kind: 'form',
    nonce: 'nonce-1',
    isRepeat: true,
    action: 'accept',
    content: { confirmQuantity: '2', more: 'x' },
  } as const;
  const { call, calls, progress } = callOf({ host: { canForm: true, canUrl: false, answer } });
  const reply = await runWith(placeLimitOrder, { ...limitArgs, repeatOf: 'intent-0' }, call);
  const form = { nonce: 'nonce-1', isRepeat: true, action: 'accept', confirmQuantity: '2' };
  expect(calls).toEqual([
    ['continueAfterForm', request, form, place, { repeatOf: 'intent-0', canAsk: true, progress }],
  ]);
  expect(reply.fields).toMatchObject({ outcome: 'placed', request, instrument: named });
});

test.each([
  [true, false],
  [false, true],
])('a host that shows forms (%s) and pages (%s) is asked by these alone', async (canForm, canUrl) => {
  const { call, calls, progress } = callOf({ host: { canForm, canUrl } });
  await runWith(placeLimitOrder, limitArgs, call);
  const options = { repeatOf: undefined, canAsk: canForm, canOpen: canUrl, progress };
  expect(calls).toEqual([['place', request, expect.anything(), place, options]]);
});

test('a form that belongs to no order is an error', async () => {
  const answer = { kind: 'form', nonce: 'nonce-1', action: 'accept', content: {} } as const;
  const { call } = callOf({ host: { canForm: true, canUrl: true, answer } });
  Object.assign(call.orderManager, { continueAfterForm: async () => undefined });
  await expect(runWith(placeLimitOrder, limitArgs, call)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('while the store cannot be written, the refusal has the order, and nothing is placed', async () => {
  const refusal = { outcome: 'refused', rule: 'store_unavailable' };
  const { call, calls } = callOf({ closed: refusal });
  expect(await runWith(placeLimitOrder, limitArgs, call)).toEqual({ fields: { ...refusal, request } });
  expect(calls).toEqual([]);
});

test('an order outside regular hours of an instrument without them is refused before it is placed', async () => {
  const { call, calls } = callOf();
  await expect(runWith(placeMarketOrder, { ...args, extendedHours: true }, call)).rejects.toMatchObject({
    code: 'invalid_argument',
    next: 'Omit extendedHours.',
  });
  expect(calls).toEqual([]);
});

test.each([
  ['that trades outside regular hours', true, true],
  ['of which this is not known', undefined, true],
  ['without them, whose order does not ask for them', false, false],
])('an order of an instrument %s is placed', async (_, known, extendedHours) => {
  const { call, calls } = callOf();
  Object.assign(call.directory, { getOrThrow: async () => ({ ...instrument, extendedHours: known }) });
  await runWith(placeMarketOrder, { ...args, extendedHours }, call);
  const order = { type: 'MARKET', ...args, extendedHours };
  expect(calls).toEqual([['place', order, expect.anything(), place, expect.anything()]]);
});

test('while the store cannot be written, an instrument that cannot be read does not hide the refusal', async () => {
  const refusal = { outcome: 'refused', rule: 'store_unavailable' };
  const { call } = callOf({ closed: refusal });
  const getOrThrow = () => Promise.reject(new BrokerageError('rate_limited', 'NOT NOW', 'LATER'));
  Object.assign(call.directory, { getOrThrow });
  expect(await runWith(placeLimitOrder, limitArgs, call)).toEqual({ fields: { ...refusal, request } });
});

test('the result of a form is returned, also when its instrument cannot be read', async () => {
  const answer = { kind: 'form', nonce: 'nonce-1', action: 'accept', content: { confirmQuantity: '2' } } as const;
  const { call } = callOf({ reply: { ...placed, coalesced: true }, host: { canForm: true, canUrl: true, answer } });
  const getOrThrow = () => Promise.reject(new BrokerageError('rate_limited', 'NOT NOW', 'LATER'));
  Object.assign(call.directory, { getOrThrow });
  const { fields } = await runWith(placeLimitOrder, limitArgs, call);
  expect(fields).toMatchObject({ outcome: 'placed', orderId: '7', request });
  expect(fields?.instrument).toBeUndefined();
});

describe('an order that waits for the user', () => {
  const ticket = limitBuy;
  const waiting = { outcome: 'pending_approval', message: 'WAITS', next: 'NEXT' } as const;

  test('is asked about with a form, whose question is the ticket', async () => {
    const { call } = callOf({ reply: { ...waiting, ask: { nonce: 'nonce-1', ticket, problem: 'WRONG QUANTITY' } } });
    const { ask, fields } = await runWith(placeLimitOrder, limitArgs, call);
    expect(ask).toMatchObject({
      kind: 'form',
      nonce: 'nonce-1',
      message: expect.stringMatching(/WRONG QUANTITY\s+LIVE/),
      schema: { required: ['confirmQuantity'] },
    });
    expect(ask?.isRepeat).toBeUndefined();
    expect(fields).toEqual({ ...waiting, request, instrument: named, warnings: undefined });
  });

  test('is asked about with the address of its page, also when the call repeats another', async () => {
    const address = 'http://127.0.0.1:9/approve/handle';
    const reply = { ...waiting, coalesced: true, ask: { nonce: 'nonce-1', ticket, address } } as const;
    expect((await runWith(placeLimitOrder, limitArgs, callOf({ reply }).call)).ask).toEqual({
      kind: 'url',
      nonce: 'nonce-1',
      message: 'Open the page to approve or reject this order.',
      url: address,
      isRepeat: true,
    });
  });
});

describe('an order that was placed while its market is closed', () => {
  const opensAt = openMarketsAt + 3_600_000;
  const exchanges = [
    {
      id: 1,
      name: 'E',
      workingSchedules: [
        {
          id: 1,
          timeEvents: [
            { date: new Date(openMarketsAt - 3_600_000).toISOString(), type: 'CLOSE' },
            { date: new Date(opensAt).toISOString(), type: 'OPEN' },
          ],
        },
      ],
    },
  ];

  test('is warned of beside the warnings of its preview, if it has a price', async () => {
    const { call } = callOf({ reply: { ...placed, warnings: ['IN PENCE'] }, exchanges });
    const { fields } = await runWith(placeLimitOrder, limitArgs, call);
    expect(fields).toMatchObject({
      message: 'The broker accepted the order.',
      warnings: ['IN PENCE', expect.stringMatching(/^The market is closed\. It opens today 16:00/)],
    });
  });

  test('says that it waits, if it has no price', async () => {
    const { call } = callOf({ exchanges });
    const { fields } = await runWith(placeMarketOrder, args, call);
    expect(fields?.message).toMatch(/^The broker accepted the order\. Waiting: the market opens today 16:00/);
    expect(fields?.warnings).toBeUndefined();
  });

  test('has a warning once that its preview gave too', async () => {
    const { call } = callOf({ exchanges });
    const { fields } = await runWith(placeLimitOrder, limitArgs, call);
    const warnings = fields?.warnings as string[];
    const again = callOf({ reply: { ...placed, warnings: ['IN PENCE', ...warnings] }, exchanges });
    expect(warnings).toHaveLength(1);
    expect((await runWith(placeLimitOrder, limitArgs, again.call)).fields?.warnings).toEqual(['IN PENCE', ...warnings]);
  });

  test.each(['pending_approval', 'unknown', 'refused', 'rejected'] as const)(
    'says nothing of it when its outcome is %s',
    async (outcome) => {
      const reply = { ...placed, outcome, message: 'MESSAGE', warnings: ['IN PENCE'] } as Partial<PlaceReply>;
      const market = await runWith(placeMarketOrder, args, callOf({ reply, exchanges }).call);
      const limit = await runWith(placeLimitOrder, limitArgs, callOf({ reply, exchanges }).call);
      expect(market.fields).toMatchObject({ outcome, message: 'MESSAGE', warnings: undefined });
      expect(limit.fields).toMatchObject({ outcome, message: 'MESSAGE', warnings: undefined });
    },
  );

  test('has no warning when it is an earlier order', async () => {
    const { call } = callOf({ reply: { ...placed, coalesced: true, warnings: ['IN PENCE'] }, exchanges });
    expect((await runWith(placeLimitOrder, limitArgs, call)).fields?.warnings).toBeUndefined();
  });
});

test('an order of a market without known hours has the warnings of its preview alone', async () => {
  const { call } = callOf({ reply: { ...placed, warnings: ['IN PENCE'] } });
  expect((await runWith(placeLimitOrder, limitArgs, call)).fields?.warnings).toEqual(['IN PENCE']);
  expect((await runWith(placeLimitOrder, limitArgs, callOf().call)).fields?.warnings).toBeUndefined();
});

test('a cancellation goes before other requests, and its outcome is returned', async () => {
  const { call, calls } = callOf({ reply: { outcome: 'requested' } as unknown as PlaceReply });
  expect(await runWith(cancelOrder, { orderId: '7' }, call)).toEqual({ fields: { outcome: 'requested' } });
  expect(calls).toEqual([['cancel', '7', contextOf({ priority: 'cancel' })]]);
});
