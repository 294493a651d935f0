/** list_positions: both ends of an order can be asked for. */
// @module-tag server
import { expect, test } from 'vitest';
import { against } from '../../support/fake-history.ts';

const position = (ticker: string, currentValue: number, unrealizedProfitLoss?: number) => ({
  instrument: { ticker, name: ticker, currency: 'GBP' },
  quantity: 1,
  walletImpact: { currency: 'GBP', currentValue, totalCost: 100, unrealizedProfitLoss },
});
const positions = [position('B', 130, 30), position('D', 10), position('A', 60, -40), position('C', 95, -5)];

test.each([
  [{}, ['B', 'C', 'A', 'D']],
  [{ sort: 'profitLoss' }, ['B', 'C', 'A', 'D']],
  [{ sort: 'profitLoss', order: 'asc' }, ['A', 'C', 'B', 'D']],
  [{ sort: 'profitLossPercent', order: 'asc' }, ['A', 'C', 'B', 'D']],
  [{ sort: 'value', order: 'asc' }, ['D', 'A', 'C', 'B']],
  [{ sort: 'ticker' }, ['A', 'B', 'C', 'D']],
  [{ sort: 'ticker', order: 'desc' }, ['D', 'C', 'B', 'A']],
])('%j lists the positions as %j; one without the figure is last', async (args, expected) => {
  const { call } = await against(() => ({ body: positions }));
  const { body } = await call('list_positions', args);
  expect(body.rows.map(([ticker]: string[]) => ticker)).toEqual(expected);
});

test('a ticker that exists and is not held says so', async () => {
  const instruments = [{ ticker: 'E', name: 'E', type: 'STOCK', currencyCode: 'GBP' }];
  const { call } = await against((path) => ({ body: path.endsWith('/instruments') ? instruments : positions }));
  expect((await call('list_positions', { ticker: 'E' })).body).toMatchObject({
    rows: [],
    note: 'The account holds no E.',
  });
});
