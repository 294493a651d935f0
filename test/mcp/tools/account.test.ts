/** The figures of the account and its positions, as the tools return them. */
import { expect, test } from 'vitest';
import { getAccountSummary, listPositions } from '../../../src/mcp/tools/account.ts';
import { toolCall } from './tool-call.ts';

const callOf = (data: unknown) => toolCall({ broker: { call: async () => ({ data, answeredAt: 5 }) } });

const position = (ticker: string, currentValue: string, unrealizedProfitLoss: string) => ({
  instrument: { ticker, name: `Company ${ticker}`, currency: 'GBX' },
  quantity: '3',
  quantityAvailableForTrading: '2',
  averagePricePaid: '10',
  currentPrice: '12',
  walletImpact: { currentValue, totalCost: '30', unrealizedProfitLoss },
});

test('the summary of the account is returned with its time', async () => {
  const summary = { id: '1', currency: 'GBP', totalValue: '10', cash: { availableToTrade: '4' } };
  expect(await getAccountSummary.run({}, callOf(summary))).toEqual({ asOf: 5, fields: summary });
});

test('the positions have their sums, and a row each, the largest first', async () => {
  const { asOf, fields, list } = await listPositions.run(
    {},
    callOf([position('A', '33', '3'), position('B', '36', '6')]),
  );
  expect({ asOf, fields }).toEqual({
    asOf: 5,
    fields: { positions: 2, currentValue: '69.00', unrealizedProfitLoss: '9.00', complete: true },
  });
  expect(list).toMatchObject({
    columns: [
      'ticker',
      'name',
      'currency',
      'quantity',
      'quantityAvailableForTrading',
      'averagePricePaid',
      'currentPrice',
      'currentValue',
      'totalCost',
      'unrealizedProfitLoss',
      'profitLossPercent',
    ],
    rows: [
      ['B', 'Company B', 'GBX', '3', '2', '10', '12', '36', '30', '6', '20.00'],
      ['A', 'Company A', 'GBX', '3', '2', '10', '12', '33', '30', '3', '10.00'],
    ],
  });
});
