import { expect, test } from 'vitest';
import type { HistoricalOrder } from '../../../src/core/endpoints/index.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';

/** A fill with one charge. Rows of the interface have an order id, rows of a report have none. */
const row = (day: number, quantity: string, id: string | undefined): HistoricalOrder => ({
  ...(id === undefined ? { fromReport: true } : {}),
  order: { id, ticker: 'A', side: 'BUY' } as HistoricalOrder['order'],
  fill: {
    id: String(day),
    filledAt: `2026-01-0${day}T10:00:00Z`,
    quantity: '1',
    type: 'TRADE',
    walletImpact: { currency: 'GBP', netValue: '100', taxes: [{ name: 'STAMP_DUTY', quantity, currency: 'GBP' }] },
  } as HistoricalOrder['fill'],
});

const amounts = (rows: readonly HistoricalOrder[]) =>
  toTrades(rows).flatMap(({ charges }) => charges.map(({ amount }) => amount.toFixed(2)));

test.each([
  ['with a minus', ['-0.50', '-0.60', '0.10']],
  ['without a sign', ['0.50', '0.60', '-0.10']],
])('what is charged is above zero and a refund below, if a service writes charges %s', (_, quantities) => {
  expect(amounts(quantities.map((quantity, index) => row(index + 1, quantity, `${index}`)))).toEqual([
    '0.50',
    '0.60',
    '-0.10',
  ]);
});

test('charges of a report, without a sign, are charges beside those of the interface, with a minus', () => {
  const reported = [row(1, '0.50', undefined), row(2, '0.60', undefined), row(3, '0.70', undefined)];
  expect(amounts([...reported, row(4, '-0.80', '4')])).toEqual(['0.50', '0.60', '0.70', '0.80']);
});
