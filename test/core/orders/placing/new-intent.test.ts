/** What an intent holds when it is built, and how one that goes no further is recorded. */
import { describe, expect, test } from 'vitest';
import { buildIntent, type IntentRequest, recordNotSent } from '../../../../src/core/orders/create-intent.ts';
import { orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { account, buy, ticker } from '../risk/example-account.ts';
import { enrol, key, openWorld, startAt, type WorldOptions } from './world.ts';

const wanted: IntentRequest = { id: 'i', request: buy, repeatOf: undefined, progress: undefined };
const turn = {
  reference: { submissionId: 's', number: 2 },
  accountSince: undefined,
  requireTurn: async () => undefined,
};

async function build(
  options: WorldOptions = {},
  change: Partial<IntentRequest> = {},
  facts?: ReturnType<typeof account>,
) {
  const { journal, deps } = await openWorld(options);
  return journal.change(async (tx) => {
    if (options.settings?.environment === 'live') await enrol(tx, 'terminal', { maxOrderValue: '500' });
    return buildIntent(deps, tx, { ...wanted, ...change }, key, facts);
  });
}

const blank = {
  id: 'i',
  kind: 'order',
  state: 'DRAFT',
  environment: 'sandbox',
  accountKey: key,
  fingerprint: orderFingerprint(buy, { environment: 'sandbox', accountKey: key }),
  ticker,
  request: buy,
  createdAt: startAt,
  changedAt: startAt,
  owner: 'test',
  value: undefined,
  baseline: {
    askedAt: startAt,
    pendingIds: [],
    position: '0',
    cash: undefined,
    price: undefined,
    serviceOffsetMs: undefined,
  },
  limits: effectiveLimits('sandbox', {}, undefined),
  method: 'none',
};

test('an intent without account data has an unknown value and an empty baseline', async () => {
  expect(await build()).toEqual(blank);
});

test('an intent holds the account before it, and its worst value: 200 and a margin of 2 %', async () => {
  expect(await build({}, {}, account({ pending: [{ id: '4' }] }))).toEqual({
    ...blank,
    value: '204.00',
    baseline: {
      askedAt: startAt - 1_000,
      pendingIds: ['4'],
      position: '100',
      cash: '50000',
      free: '100',
      bought: '100',
      price: '20',
      serviceOffsetMs: 0,
    },
  });
});

test('the value of an order without a price is unknown, although the account was read', async () => {
  const request = { type: 'MARKET', ticker, side: 'BUY', quantity: '1' } as const;
  const facts = account({ positions: [] });
  expect((await build({}, { request }, facts)).value).toBeUndefined();
});

test('the limits and the approval are those in force, which are partly enrolled', async () => {
  const options = {
    settings: { environment: 'live', approval: 'page' },
    limits: { ordersPerMinute: 2 },
  } as const;
  expect(await build(options)).toMatchObject({
    environment: 'live',
    fingerprint: orderFingerprint(buy, { environment: 'live', accountKey: key }),
    method: 'terminal',
    limits: { maxOrderValue: '500', ordersPerMinute: 2, ordersPerHour: 20 },
  });
});

test('the intent of a leg names the leg, and that of a single order has no such field', async () => {
  expect(await build({}, { leg: turn })).toEqual({ ...blank, leg: { submissionId: 's', number: 2 } });
  expect(Object.hasOwn(await build(), 'leg')).toBe(false);
});

describe('an order that is not sent', () => {
  test.each([
    ['for a reason', { reason: 'Why.', earlier: undefined }],
    ['because of an earlier one', { reason: undefined, earlier: { intentId: 'e', orderId: '5' } }],
  ])('%s is recorded as such', async (_, why) => {
    const { deps, find } = await openWorld();
    const recorded = await recordNotSent(deps, wanted, why);
    expect(recorded).toEqual({ ...blank, ...why, state: 'NOT_SENT', times: 1 });
    expect(await find('i')).toEqual(JSON.parse(JSON.stringify(recorded)));
  });
});
