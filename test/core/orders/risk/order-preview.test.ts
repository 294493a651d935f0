/** A check of the preview and the rule of its name never contradict each other, and a person is warned of what is unusual. */
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/core/endpoints/index.ts';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { listOrderWarnings, previewOrder } from '../../../../src/core/orders/risk/order-preview.ts';
import { firstRefusal } from '../../../../src/core/orders/risk/risk-rules.ts';
import { buy, account as exampleAccount, now, sell, ticker } from './example-account.ts';

/** 204 pounds, and at most 110 shares of the instrument may be held. */
const account = (change: object = {}) =>
  exampleAccount({
    instrument: { ticker, type: 'STOCK', currencyCode: 'GBP', maxOpenQuantity: '110' },
    summary: { currency: 'GBP', cash: { availableToTrade: '204' } },
    ...change,
  });

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
  const refusal = firstRefusal({
    ...one,
    limits,
    order,
    facts,
    own,
    reserved: [],
    external: [],
    now,
    isReviewedByHuman: true,
  });
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

describe('an own order that is not in the list', () => {
  const baseline = { ...placed(buy, '1').baseline, position: '90' };
  const isFilled = { ...placed(buy, '200'), baseline };

  test.each<[string, Intent, number, number]>([
    ['is not shown as pending when the position shows that it was filled', isFilled, 0, 1],
    ['is pending when the position does not', placed(buy, '200'), 1, 0],
    ['is pending when it waits for a person', { ...isFilled, state: 'AWAITING_APPROVAL', createdAt: now }, 1, 0],
    [
      'of another ticker does not count',
      { ...isFilled, ticker: 'OTHER_EQ', request: sell, baseline: { ...baseline, position: '10' } },
      0,
      0,
    ],
  ])('%s', (_, own, pending, filled) => {
    const few = { ...one.limits, maxPendingPerTicker: 3 };
    const preview = previewOrder(buy, account({ askedAt: now }), [], now, few, [own]);
    expect(preview.pendingOnTicker).toBe(pending);
    const still = filled === 0 ? '' : ' The limit still counts 1 order filled in the last 30 seconds.';
    expect(preview.checks.find(({ check }) => check === 'pendingOrders')?.detail).toBe(
      `${pending} of 3 pending orders on this ticker.${still}`,
    );
  });
});

const limits = effectiveLimits('live', {}, {});
const preview = (order: OrderRequest, facts = account(), exchanges: readonly Exchange[] = [], assumed?: string) =>
  previewOrder(order, facts, exchanges, now, limits, [], assumed);
const market: OrderRequest = { type: 'MARKET', ticker, side: 'BUY', quantity: '1' };
const stopLimit: OrderRequest = { ...sell, type: 'STOP_LIMIT', stopPrice: '19', limitPrice: '18.9' };
const inDollars = account({ instrument: { ...roomy, currencyCode: 'USD' } });

describe('the position after the order', () => {
  const others = [{ quantity: '7' }, { instrument: { ticker: 'OTHER_EQ' }, quantity: '5' }];
  const held = [...others, ...account().positions];

  test.each<[string, OrderRequest, object[], string, string]>([
    ['has what is bought', buy, held, '100', '110'],
    ['has not what is sold', sell, held, '100', '90'],
    ['is what is bought, where nothing is held', buy, others, '0', '10'],
  ])('%s', (_, order, positions, before, after) => {
    expect(preview(order, account({ positions })).position).toEqual({ before, after });
  });
});

describe('the checks', () => {
  const results = (order: OrderRequest, facts: OrderContext) => {
    const { checks, passes } = preview(order, facts);
    return [Object.fromEntries(checks.map(({ check, ok }) => [check, ok])), passes];
  };

  test.each<[string, OrderRequest, OrderContext, object, boolean]>([
    ['of a buy', buy, account(), { cash: true, maxOpenQuantity: true, pendingOrders: true, limitPrice: true }, true],
    ['of a sell', sell, account(), { shares: true, pendingOrders: true, limitPrice: true }, true],
    [
      'of a buy of unknown cost, where the service sets no maximum',
      { ...market, quantity: '10' },
      account({ instrument: { ...roomy, currencyCode: 'USD', maxOpenQuantity: undefined } }),
      { cash: undefined, maxOpenQuantity: undefined, pendingOrders: true },
      true,
    ],
    [
      'of prices without a last one',
      { ...stopLimit, side: 'BUY' },
      account({ positions: [] }),
      { cash: true, maxOpenQuantity: true, pendingOrders: true, limitPrice: undefined, stopPrice: undefined },
      true,
    ],
    [
      'of a stop price that is far, and a limit price that is near',
      { ...stopLimit, stopPrice: '17.9', limitPrice: '18' },
      account(),
      { shares: true, pendingOrders: true, limitPrice: true, stopPrice: false },
      false,
    ],
    [
      'of a limit price that is far, and a stop price that is near',
      { ...stopLimit, stopPrice: '18', limitPrice: '17.9' },
      account(),
      { shares: true, pendingOrders: true, limitPrice: false, stopPrice: true },
      false,
    ],
  ])('%s', (_, order, facts, checks, passes) => {
    expect(results(order, facts)).toStrictEqual([checks, passes]);
  });

  test.each([
    [buy, 'limitPrice', 'the last known price 20.'],
    [{ ...buy, limitPrice: '2000' }, 'limitPrice', '9,900.0% above the last known price 20. Pence or pounds?'],
    [buy, 'cash', 'Needs about £204.00 with a margin of 2.0%; £204.00 is available.'],
    [buy, 'maxOpenQuantity', 'At most 110 shares may be held.'],
    [sell, 'shares', 'At most 100 can be sold.'],
  ] as const)('%j say of %s: %s', (order, name, detail) => {
    expect(preview(order).checks.find(({ check }) => check === name)?.detail).toBe(detail);
  });

  const abroad = { ticker, type: 'STOCK', currencyCode: 'USD' };
  test.each([
    [
      'cash',
      { instrument: abroad },
      undefined,
      'The cost is unknown, so it cannot be compared with the available cash.',
    ],
    ['cash', { summary: { currency: 'GBP' } }, false, 'The service did not report the available cash.'],
    ['maxOpenQuantity', { instrument: abroad }, undefined, 'The service sets no maximum.'],
    ['limitPrice', { positions: [] }, undefined, 'No last price is known for comparison.'],
  ])('the check of %s with %j is %s: %s', (name, change, ok, detail) => {
    const found = preview(buy, account(change)).checks.find(({ check }) => check === name);
    expect(found).toEqual({ check: name, ok, detail });
  });
});

test('the available cash is less the largest value for an own order of unknown value', () => {
  const facts = account({ summary: { currency: 'GBP', cash: { availableToTrade: '1204' } } });
  const own = [{ ...placed(buy, '200'), value: undefined }];
  const { checks } = previewOrder(buy, facts, [], now, { ...limits, maxOrderValue: '1100' }, own);
  expect(checks.find(({ check }) => check === 'cash')).toEqual({
    check: 'cash',
    ok: false,
    detail: 'Needs about £204.00 with a margin of 2.0%; £104.00 is available.',
  });
});

test('the available cash has no currency where the service names none that can be shown', () => {
  const facts = account({
    instrument: { ...roomy, currencyCode: 'a coin' },
    summary: { currency: 'a coin', cash: { availableToTrade: '300' } },
  });
  expect(preview(buy, facts).checks.find(({ check }) => check === 'cash')?.detail).toBe(
    'Needs about 204.00 with a margin of 2.0%; 300.00 is available.',
  );
});

describe('the market', () => {
  const event = (at: number, type: string) => ({ date: new Date(at).toISOString(), type });
  const exchangeOf = (...timeEvents: object[]) =>
    [{ id: '1', name: 'Port Exchange', workingSchedules: [{ id: '70', timeEvents }] }] as unknown as Exchange[];
  const opens = event(now + 7_200_000, 'OPEN');
  const isOpen = exchangeOf(event(now - 3_600_000, 'OPEN'), event(now + 3_600_000, 'CLOSE'));
  const isClosed = exchangeOf(event(now - 3_600_000, 'CLOSE'), opens);
  const traded = account({ instrument: { ...roomy, name: 'Port plc', isin: 'GB00PORT0001', workingScheduleId: '70' } });

  test('is shown with the instrument, and nothing is sent', () => {
    expect(preview(buy, traded, isClosed)).toMatchObject({
      instrument: { ticker, name: 'Port plc', isin: 'GB00PORT0001', type: 'STOCK', currencyCode: 'GBP' },
      market: { exchange: 'Port Exchange', state: 'closed', openNow: false, nextOpenAt: opens.date },
      sent: false,
    });
  });

  // In the summer of London, an hour ahead of the schedule.
  const london = 'opens today 17:00';
  test.each<[string, OrderRequest, readonly Exchange[], RegExp[]]>([
    ['that is open needs no warning', market, isOpen, []],
    ['that is unknown is warned of', market, [], [/^Whether .+ unknown\.$/]],
    [
      'that is closed says when it opens, and that the order waits',
      buy,
      isClosed,
      [new RegExp(`closed\\. It ${london}[^.]*\\. The order waits at the broker until then\\.$`)],
    ],
    [
      'that is closed executes a market order later, at a price that is not known',
      market,
      isClosed,
      [new RegExp(`closed\\. It ${london}.+ at a price that is not yet known\\.$`)],
    ],
    [
      'that is closed can execute an order for extended hours before it opens',
      { ...market, extendedHours: true },
      isClosed,
      [
        new RegExp(
          `closed\\. It ${london}[^.]*\\. The order can be executed before, in extended hours, at a price that is not yet known\\.$`,
        ),
      ],
    ],
  ])('%s', (_, order, exchanges, warnings) => {
    expect(preview(order, traded, exchanges).warnings).toEqual(warnings.map((text) => expect.stringMatching(text)));
  });
});

describe('a person is warned', () => {
  const typed = (type: string | undefined) => account({ instrument: { ...roomy, type } });

  test.each<[string, OrderRequest, OrderContext, RegExp[]]>([
    ['of nothing, when an order is ordinary', buy, account(), []],
    ['of nothing, when a stop is below the last price, and its limit below the stop', stopLimit, account(), []],
    ['of nothing, when the instrument is an ETF', buy, typed('ETF'), []],
    ['of an instrument of another type', buy, typed('WARRANT'), [/neither .+ WARRANT\.$/]],
    ['of an instrument without a type', buy, typed(undefined), [/neither .+ unknown\.$/]],
    ['of prices in pence', buy, account({ instrument: { ...roomy, currencyCode: 'GBX' } }), [/pence/]],
    ['of an unknown value', buy, inDollars, [/value .+ is unknown/]],
    ['of a stop that triggers immediately', { ...stopLimit, stopPrice: '20', limitPrice: '20' }, account(), [/stop/]],
    ['of a buy above the last price', { ...buy, limitPrice: '20.01' }, account(), [/limit price is above the last/]],
    ['of a sell below the last price', { ...sell, limitPrice: '19.99' }, account(), [/limit price is below the last/]],
  ])('%s', (_, order, facts, warnings) => {
    expect(listOrderWarnings(order, facts)).toEqual(warnings.map((text) => expect.stringMatching(text)));
  });

  test('of an estimate at a price that the caller assumed, and not that its value is unknown', () => {
    const { warnings, estimate } = preview(market, account({ positions: [] }), [], '21');
    expect(estimate.assumed).toEqual({ price: '21', value: '21.00' });
    expect(warnings).toEqual([
      expect.stringMatching(/assumed price of 21/),
      expect.stringMatching(/^Whether the market/),
    ]);
  });
});
