import { expect, test } from 'vitest';
import { toTrades } from '../../src/analytics/trades.ts';
import type { HistoricalOrder } from '../../src/catalogue/index.ts';

const row = (quantity: string, at: string, fromReport?: true) =>
  ({
    order: { ticker: 'A_US_EQ', side: 'BUY' },
    fill: {
      filledAt: at,
      quantity: '1',
      walletImpact: { netValue: '10', currency: 'GBP', taxes: [{ name: 'STAMP_DUTY', quantity, currency: 'GBP' }] },
    },
    fromReport,
  }) as HistoricalOrder;

test('a charge is positive, whichever sign the pages and the reports write', () => {
  const rows = [
    row('0.5', '2025-06-01T08:00:00Z', true),
    row('-0.7', '2025-06-02T08:00:00Z'),
    row('-0.3', '2025-06-03T08:00:00Z'),
  ];
  const charged = toTrades(rows).map(({ charges }) => charges[0]?.amount.toFixed());
  expect(charged).toEqual(['0.5', '0.7', '0.3']);
});
