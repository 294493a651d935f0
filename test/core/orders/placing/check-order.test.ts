/** The check of an order that is not placed: the preview, and the rule that would refuse it now. */
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { checkOrder } from '../../../../src/core/orders/order-manager.ts';
import { previewOrder } from '../../../../src/core/orders/risk/order-preview.ts';
import { takeLog } from '../../../support/faults.ts';
import { account, buy, ticker } from '../risk/example-account.ts';
import {
  breaking,
  context,
  enrol,
  failure,
  instrument,
  key,
  openWorld,
  placed,
  startAt,
  type WorldOptions,
} from './world.ts';

const facts = account({ askedAt: startAt - 700, asOf: startAt - 600 });
const exchanges = [{ id: '2', name: 'Port', workingSchedules: [] }];

async function open(options: WorldOptions = {}, intents: readonly Intent[] = []) {
  const asked: unknown[][] = [];
  const world = await openWorld(options);
  await world.insert(...intents);
  const deps = {
    ...world.deps,
    facts: {
      ...world.deps.facts,
      read: async (...args: unknown[]) => {
        asked.push(args);
        return facts;
      },
    },
    directory: {
      ...world.deps.directory,
      exchanges: async (one: CallContext) => {
        asked.push([one]);
        return { exchanges, answeredAt: startAt, unreadable: 0 };
      },
    },
  };
  return {
    ...world,
    deps,
    asked,
    check: (order = buy, price?: string) => checkOrder(deps, order, instrument, context, price),
  };
}

const paper = effectiveLimits('sandbox', {}, undefined);

describe('an order that passes', () => {
  test('has the preview of the account as it was read', async () => {
    const { check, list } = await open();
    expect(await check()).toEqual({
      preview: previewOrder(buy, facts, exchanges, startAt, paper, []),
      refusal: undefined,
      asOf: startAt - 600,
      askedAt: startAt - 700,
      since: undefined,
    });
    expect(await list()).toEqual([]);
  });

  test('reads as a read, and the exchanges at any age', async () => {
    const recent = placed({ sentAt: startAt - 1_000, changedAt: startAt - 1_000, createdAt: startAt - 1_000 });
    const { deps, asked } = await open({}, [recent]);
    const { since } = await checkOrder(deps, buy, instrument, { ...context, notBefore: startAt - 5 }, undefined);
    const reading = { ...context, priority: 'read' };
    expect(asked).toContainEqual([{ ...reading, notBefore: undefined }]);
    expect(asked).toContainEqual([instrument, { ...reading, waitUntil: startAt + 7_000 }, startAt - 5]);
    expect(since).toBe(startAt - 5);
  });
});

describe('what the preview and the rules count', () => {
  const recent = placed({ sentAt: startAt - 1_000, changedAt: startAt - 1_000, createdAt: startAt - 1_000 });

  test('are the own orders of the account', async () => {
    const { check } = await open({}, [recent]);
    const { preview, since } = await check();
    expect(preview).toEqual(previewOrder(buy, facts, exchanges, startAt, paper, [recent]));
    expect([preview.pendingOnTicker, since]).toEqual([1, startAt]);
  });

  test('are not the orders of another account', async () => {
    const { check } = await open({}, [{ ...recent, accountKey: 'other' }]);
    expect((await check()).preview.pendingOnTicker).toBe(0);
  });

  test('are the limits in force, which are partly enrolled', async () => {
    const settings = { environment: 'live', liveTrading: true } as const;
    const { check, journal } = await open({ settings, limits: { maxPriceDistance: '3' } });
    await journal.change((tx) => enrol(tx, 'page', { maxPendingPerTicker: 4 }));
    const { preview, refusal } = await check();
    const limits = effectiveLimits('live', { maxPriceDistance: '3' }, { maxPendingPerTicker: 4 });
    expect(preview).toEqual(previewOrder(buy, facts, exchanges, startAt, limits, []));
    expect(refusal).toBeUndefined();
  });

  test('are the cash and the largest order', async () => {
    const { check } = await open({ limits: { maxOrderValue: '203.99' } });
    expect((await check()).refusal).toMatchObject({ rule: 'max_order_value', largestQuantity: '9' });
  });
});

test.each<[string, number, string | undefined]>([
  ['less than an hour ago', 3_599_999, 'orders_per_hour'],
  ['an hour ago', 3_600_000, undefined],
])('an order that was sent %s counts by the time now', async (_, agoMs, rule) => {
  const at = startAt - agoMs;
  const { check } = await open({ limits: { ordersPerHour: 1 } }, [
    placed({ createdAt: at, changedAt: at, sentAt: at }),
  ]);
  expect((await check()).refusal?.rule).toBe(rule);
});

test('a price that the caller assumes is shown where none is known', async () => {
  const { deps } = await open();
  const unpriced = { ...deps, facts: { ...deps.facts, read: async () => account({ positions: [] }) } };
  const market = { type: 'MARKET', ticker, side: 'BUY', quantity: '2' } as const;
  const { preview } = await checkOrder(unpriced, market, instrument, context, '30');
  expect(preview.estimate.assumed).toEqual({ price: '30', value: '60.00' });
});

describe('a journal that cannot be read', () => {
  test.each([
    ['refuses the order', failure('store_unavailable'), 'store_unavailable', 0],
    ['by a fault of the program refuses the order, and the fault is reported', new TypeError('x'), 'internal', 1],
  ])('%s, and the preview has the configured limits and no own orders', async (_, error, rule, faults) => {
    const { deps } = await open({ limits: { maxPriceDistance: '3' } }, [placed()]);
    const journal = breaking(deps.journal, { read: error });
    const checked = await checkOrder({ ...deps, journal }, buy, instrument, context);
    const limits = effectiveLimits('sandbox', { maxPriceDistance: '3' }, undefined);
    expect(checked.refusal).toMatchObject({ rule });
    expect(checked.preview).toEqual(previewOrder(buy, facts, exchanges, startAt, limits, []));
    expect(takeLog().length).toBe(faults);
  });
});

test('an account that cannot be read throws the error', async () => {
  const { deps } = await open();
  const error = failure('unreachable');
  const read = () => Promise.reject(error);
  await expect(checkOrder({ ...deps, facts: { ...deps.facts, read } }, buy, instrument, context)).rejects.toBe(error);
  expect(await deps.accountKey()).toBe(key);
});
