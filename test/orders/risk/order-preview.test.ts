/** A check of the preview and the rule of its name never contradict each other. */
import { expect, test } from 'vitest';
import type { OrderContext } from '../../../src/orders/account/account-snapshot.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';
import type { OrderRequest } from '../../../src/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
import { previewOrder } from '../../../src/orders/risk/order-preview.ts';
import { firstRefusal } from '../../../src/orders/risk/risk-rules.ts';

const now = 1_000_000_000_000;
const ticker = 'ABC_GB_EQ';
const buy: OrderRequest = { type: 'LIMIT', ticker, side: 'BUY', quantity: '10', limitPrice: '20', timeValidity: 'DAY' };
const sell: OrderRequest = { ...buy, side: 'SELL' };

const account = (change: object = {}) =>
  ({
    instrument: { ticker, type: 'STOCK', currencyCode: 'GBP', maxOpenQuantity: '110' },
    summary: { currency: 'GBP', cash: { availableToTrade: '204' } },
    positions: [
      {
        instrument: { ticker, currency: 'GBP' },
        quantity: '100',
        quantityAvailableForTrading: '100',
        currentPrice: '20',
      },
    ],
    pending: [],
    fills: [],
    askedAt: now - 1_000,
    asOf: now - 900,
    serviceOffsetMs: 0,
    ...change,
  }) as unknown as OrderContext;

/** An order of this program that was placed after the account was read. */
const placed = (request: OrderRequest, value: string) =>
  ({
    id: 'a',
    state: 'PLACED',
    ticker,
    request,
    value,
    orderId: '7',
    createdAt: now - 500,
    changedAt: now - 500,
    sentAt: now - 500,
    baseline: { askedAt: now - 1_000, pendingIds: [], position: '100', cash: '204', free: '100', bought: '100' },
  }) as unknown as Intent;

const one = { environment: 'live', limits: { ...effectiveLimits('live', {}, {}), maxPendingPerTicker: 1 } } as const;
const roomy = { ticker, type: 'STOCK', currencyCode: 'GBP', maxOpenQuantity: '500' };
const listed = [{ id: '9', ticker, side: 'BUY', quantity: '0.001' }];

/** For each case the order, the account, own orders, the check and the rule. */
const cases: [string, OrderRequest, OrderContext, readonly Intent[], string, string, boolean][] = [
  ['no order is pending', buy, account(), [], 'pendingOrders', 'pending_orders', true],
  ['an order is listed', sell, account({ pending: listed }), [], 'pendingOrders', 'pending_orders', false],
  ['an own order is not listed yet', sell, account(), [placed(sell, '200')], 'pendingOrders', 'pending_orders', false],
  ['cash is just enough', buy, account(), [], 'cash', 'cash', true],
  ['an own order takes the cash', buy, account({ instrument: roomy }), [placed(buy, '1')], 'cash', 'cash', false],
  ['the service reports no cash', buy, account({ summary: { currency: 'GBP' } }), [], 'cash', 'cash', false],
  [
    'all shares are sold already',
    sell,
    account(),
    [placed({ ...sell, quantity: '91' }, '1820')],
    'shares',
    'shares',
    false,
  ],
  ['the most may be held', buy, account(), [], 'maxOpenQuantity', 'max_open_quantity', true],
  ['an own buy is not held yet', buy, account(), [placed(buy, '0')], 'maxOpenQuantity', 'max_open_quantity', false],
  ['the limit price is near', buy, account(), [], 'limitPrice', 'price_distance', true],
  ['the limit price is far', { ...buy, limitPrice: '17.9' }, account(), [], 'limitPrice', 'price_distance', false],
];

test.each(cases)('when %s, check and rule agree', (_, order, facts, own, check, rule, ok) => {
  const limits = check === 'pendingOrders' ? one.limits : { ...one.limits, maxPendingPerTicker: 10 };
  const preview = previewOrder(order, facts, [], now, limits, own);
  expect(preview.checks.find((found) => found.check === check)?.ok).toBe(ok);
  const refusal = firstRefusal({ ...one, limits, order, facts, own, now, isReviewedByHuman: true });
  expect(refusal?.rule).toBe(ok ? undefined : rule);
});

test.each<[string, object, Partial<Intent>, number]>([
  ['sent after the account was read', {}, {}, 1],
  ['not in the list yet', { askedAt: now }, {}, 1],
  ['shown in the list', { askedAt: now, pending: [{ id: '7', ticker, side: 'BUY', quantity: '10' }] }, {}, 0],
  ['shown in the position', { askedAt: now }, { baseline: { ...placed(buy, '1').baseline, position: '90' } }, 0],
  ['sent longer ago than the service needs', { askedAt: now + 40_000 }, {}, 0],
])('a warning names an own order that the account may not show: %s', (_, change, intent, warnings) => {
  const own = [{ ...placed(buy, '200'), ...intent }];
  const preview = (sent: readonly Intent[]) => previewOrder(buy, account(change), [], now + 40_000, one.limits, sent);
  expect(preview(own).warnings.length - preview([]).warnings.length).toBe(warnings);
});

test('an own order that the position shows as filled is not shown as pending', () => {
  const filled = { ...placed(buy, '200'), baseline: { ...placed(buy, '1').baseline, position: '90' } };
  const preview = previewOrder(buy, account({ askedAt: now }), [], now, one.limits, [filled]);
  expect(preview.pendingOnTicker).toBe(0);
  const room = preview.checks.find(({ check }) => check === 'pendingOrders');
  expect(room?.detail).toMatch(
    /^0 of \d+ pending orders on this ticker\. The limit still counts 1 order filled in the last 30 seconds\.$/,
  );
});
