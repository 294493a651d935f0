/** The service accepts the quantities of a plan. */
// @module-tag server
import { expect, test } from 'vitest';
import { readOwnHistory } from '../../../src/features/drafts/cost-history.ts';
import { historyOfRows } from '../../support/derived-history.ts';
import { setup } from '../../support/setup.ts';

const row = (ticker: string, order: object, fill: object = {}) => ({
  order: { ticker, side: 'BUY', ...order },
  fill: { type: 'TRADE', quantity: order, filledAt: '2026-01-02T10:00:00Z', walletImpact: { netValue: '10' }, ...fill },
});

test('the decimals of a quantity are those of orders by quantity, not of fills of orders by value', async () => {
  const rows = [
    row('A', { strategy: 'QUANTITY', quantity: '1.25' }, { quantity: '1.25' }),
    row('A', { strategy: 'QUANTITY', quantity: '2.5' }, { quantity: '2.5' }),
    row('A', { strategy: 'VALUE', value: '100' }, { quantity: '1.12345678' }),
    row('B', { strategy: 'VALUE', value: '100' }, { quantity: '1.12345678' }),
    row('C', { value: '100' }, { quantity: '1.12345678' }),
    { ...row('D', { quantity: '1.1234567' }, { quantity: '1.1234567' }), fromReport: true },
    row('E', { quantity: '3' }, { quantity: '3' }),
    row('F', { strategy: 'QUANTITY', quantity: '1.5' }, { quantity: '1.5', type: 'STOCK_SPLIT' }),
  ];
  const history = historyOfRows(async () => ({ rows, coverage: undefined, asOf: 0 }));
  const byTicker = () => undefined;
  const { getTradedDecimals } = await readOwnHistory(history, byTicker, { context: {} } as never);
  const found = ['A', 'B', 'C', 'D', 'E', 'F'].map(getTradedDecimals);
  expect(found).toEqual([2, undefined, undefined, undefined, 0, undefined]);
});

test('the decimals of a limit price are those of all prices that were ordered, filled or not', async () => {
  const rows = [
    { order: { ticker: 'A', limitPrice: '19', status: 'CANCELLED' } },
    { order: { ticker: 'A', limitPrice: '19.125', status: 'CANCELLED' } },
    { order: { ticker: 'B', stopPrice: '0.0525' } },
    row('C', { quantity: '1' }, { quantity: '1' }),
  ];
  const history = historyOfRows(async () => ({ rows, coverage: undefined, asOf: 0 }));
  const byTicker = () => undefined;
  const { getPriceDecimals } = await readOwnHistory(history, byTicker, { context: {} } as never);
  expect(['A', 'B', 'C'].map(getPriceDecimals)).toEqual([3, 4, undefined]);
});

test('every order of a plan that raises cash from all holdings is placed', { tags: ['slow'] }, async () => {
  const made = await setup({ limitScale: 0.01, config: { limits: { ordersPerMinute: 100, ordersPerHour: 300 } } });
  for (let pages = 0; pages < 40; pages++) {
    const { body } = await made.call('fetch_history', { kind: 'orders', limit: 1, waitSeconds: 50 });
    if (body.complete) break;
  }
  const { body: plan } = await made.call('plan_orders', { goal: 'raise', amount: 2000 });
  expect(plan.chargesKnown).toBe(true);
  const { draftId, version } = plan;
  await made.call('submit_draft', { draftId, version });
  const show = async () => (await made.call('list_drafts', { draftId })).body.submission;
  await expect.poll(async () => (await show()).outcome).toMatch(/^(done|stopped)$/);
  const { outcome, reason, legs } = await show();
  expect([outcome, reason]).toEqual(['done', undefined]);
  expect(legs.rows?.length ?? legs.length).toBe(plan.legs);
});
