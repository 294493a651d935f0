/** What the legs of a draft are likely to be charged, read without letting the draft wait for long. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { CallContext } from '../../../src/core/broker/types.ts';
import { readLegCharges, sumCharges } from '../../../src/features/drafts/order-outlook.ts';
import { buy } from '../gains/trades.ts';
import { now, openPlanWorld } from './plan-world.ts';

const context: CallContext = { priority: 'place', deadlineAt: now + 50_000 };
const order = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '10' } as const;
/** 100 pounds of the ticker were charged one pound. */
const charges = [{ name: 'FEE', amount: new Big('1'), currency: 'GBP' }];
const trades = [buy('2026-01-06', 10, 101, { charges })];

test('each leg has the rate of own fills times its value, or none where that is unknown', async () => {
  const { deps } = openPlanWorld({ trades });
  const legs = [
    { order, value: '250.00' },
    { order, value: undefined },
    { order: { ...order, side: 'SELL' } as const, value: '250.00' },
    { order: { ...order, ticker: 'UNLISTED' }, value: '250.00' },
  ];
  expect(await readLegCharges(deps, legs, context)).toEqual(['2.50', undefined, undefined, undefined]);
});

test('a ticker without fills has the rate of those with its currency, country and type', async () => {
  const { deps } = openPlanWorld({ trades: [buy('2026-01-06', 10, 101, { charges, isin: 'GB0000000002' })] });
  const legs = [{ order: { ...order, ticker: 'B' }, value: '250.00' }];
  expect(await readLegCharges(deps, legs, context)).toEqual(['2.50']);
});

test('the history has three seconds and only its newest page is asked for, after what places orders', async () => {
  const { deps, asked } = openPlanWorld({ trades });
  await readLegCharges(deps, [{ order, value: '1.00' }], context);
  expect(asked).toEqual([
    ['orders', { context: { ...context, priority: 'read', waitUntil: now + 3_000 }, newestOnly: true }],
  ]);
});

test.each([
  [['1.10', '2.25'], '3.35'],
  [[], '0.00'],
  [['1.10', undefined, '1.00'], undefined],
])('the sum of %j is %s', (amounts, sum) => {
  expect(sumCharges(amounts)).toBe(sum);
});
