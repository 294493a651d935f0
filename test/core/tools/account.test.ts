/** The figures of the account and its positions, as the tools return them. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { getAccountSummary, listPositions } from '../../../src/core/tools/account-tools.ts';
import { runWith, toolCall } from './tool-call.ts';

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
  expect(await runWith(getAccountSummary, {}, callOf(summary))).toEqual({ asOf: 5, fields: summary });
});

test('the positions have their sums, and a row each, the largest first', async () => {
  const { asOf, fields, list } = await runWith(
    listPositions,
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

describe('a position', () => {
  const cellsOf = async (data: readonly object[], args: object, ...names: readonly string[]) => {
    const { fields, list } = await runWith(listPositions, args, callOf(data));
    const cells = list?.rows.map((row) => names.map((name) => (row as unknown[])[list.columns?.indexOf(name) ?? -1]));
    return { cells, fields };
  };
  const impact = (change: object) => {
    const one = position('A', '33', '3');
    return { ...one, walletImpact: { ...one.walletImpact, ...change } };
  };

  test.each([
    [{ totalCost: '-30' }, '-10.00'],
    [{ unrealizedProfitLoss: '0' }, '0.00'],
    [{ totalCost: '0' }, null],
    [{ totalCost: undefined }, null],
    [{ unrealizedProfitLoss: undefined }, null],
  ])('with %j has the profit in percent of its cost: %s', async (change, percent) => {
    expect((await cellsOf([impact(change)], {}, 'profitLossPercent')).cells).toEqual([[percent]]);
  });

  test('that is in pies in part has its whole quantity, and what of it can be sold', async () => {
    const inPies = {
      ...position('A', '33', '3'),
      quantity: '5',
      quantityInPies: '3',
      quantityAvailableForTrading: '2',
    };
    const names = ['quantity', 'quantityAvailableForTrading'];
    expect((await cellsOf([inPies], {}, ...names)).cells).toEqual([['5', '2']]);
  });

  test('of one ticker is alone in the list and in the sums', async () => {
    const data = [position('A', '33', '3'), position('B', '36', '6')];
    expect(await cellsOf(data, { ticker: 'A' }, 'ticker')).toEqual({
      cells: [['A']],
      fields: { positions: 1, currentValue: '33.00', unrealizedProfitLoss: '3.00', complete: true },
    });
  });

  test('of unknown value leaves the sum unknown', async () => {
    const { fields } = await cellsOf([impact({ currentValue: undefined }), position('B', '36', '6')], {});
    expect(fields).toMatchObject({ currentValue: undefined, unrealizedProfitLoss: '9.00' });
  });

  test.each([
    [{}, ['C', 'B', 'A', 'D']],
    [{ order: 'asc' }, ['A', 'B', 'C', 'D']],
    [{ sort: 'profitLoss' }, ['A', 'B', 'C', 'D']],
    [{ sort: 'ticker', order: 'desc' }, ['D', 'C', 'B', 'A']],
    [{ sort: 'ticker' }, ['A', 'B', 'C', 'D']],
  ])('is listed by %j; without the figure it is last', async (args, order) => {
    const without = { ...position('D', '1', '1'), walletImpact: {} };
    const data = [position('B', '20', '2'), without, position('C', '30', '1'), position('A', '10', '3')];
    expect((await cellsOf(data, args, 'ticker')).cells).toEqual(order.map((ticker) => [ticker]));
  });

  test('of unknown profit leaves the sum of the profits unknown', async () => {
    const { fields } = await cellsOf([impact({ unrealizedProfitLoss: undefined }), position('B', '36', '6')], {});
    expect(fields).toMatchObject({ currentValue: '69.00', unrealizedProfitLoss: undefined });
  });

  test('is listed by its profit in percent, where two without one keep their order at the end', async () => {
    const without = (ticker: string) => ({ ...position(ticker, '1', '1'), walletImpact: {} });
    const data = [
      without('Y'),
      position('A', '1', '1'),
      without('X'),
      position('B', '1', '-2'),
      position('C', '1', '3'),
    ];
    const byPercent = (order?: string) => cellsOf(data, { sort: 'profitLossPercent', order }, 'ticker');
    expect((await byPercent()).cells?.flat()).toEqual(['C', 'A', 'B', 'Y', 'X']);
    expect((await byPercent('desc')).cells?.flat()).toEqual(['C', 'A', 'B', 'Y', 'X']);
    expect((await byPercent('asc')).cells?.flat()).toEqual(['B', 'A', 'C', 'Y', 'X']);
  });
});

test.each(['value', 'profitLoss', 'profitLossPercent', 'ticker'])(
  'positions of which the service says little are listed, and have no sums; by %s',
  async (sort) => {
    const { fields, list } = await runWith(listPositions, { sort }, callOf([{ quantity: '1' }, { quantity: '1' }]));
    const empty = [null, null, null, '1', null, null, null, null, null, null, null];
    expect(list?.rows).toEqual([empty, empty]);
    expect(fields).toEqual({ positions: 2, currentValue: undefined, unrealizedProfitLoss: undefined, complete: true });
  },
);

test('positions of the same value keep the order of the service', async () => {
  const data = ['B', 'C', 'A'].map((ticker) => position(ticker, '33', '3'));
  for (const order of ['asc', 'desc']) {
    const { list } = await runWith(listPositions, { order }, callOf(data));
    expect(list?.rows.map((row) => (row as unknown[])[0])).toEqual(['B', 'C', 'A']);
  }
});

describe('an account that holds nothing', () => {
  test('has sums of zero, and no note of a ticker', async () => {
    expect((await runWith(listPositions, {}, callOf([]))).fields).toEqual({
      positions: 0,
      currentValue: '0.00',
      unrealizedProfitLoss: '0.00',
      complete: true,
    });
  });

  test('of a ticker says so, and a ticker that does not exist is an error', async () => {
    const asking = (getOrThrow: () => Promise<object>) =>
      runWith(listPositions, { ticker: 'C' }, toolCall({ broker: callOf([]).broker, directory: { getOrThrow } }));
    expect((await asking(async () => ({}))).fields?.note).toBe('The account holds no C.');
    const unknown = () => Promise.reject(new BrokerageError('unknown_ticker', 'NO SUCH', 'SEARCH'));
    await expect(asking(unknown)).rejects.toMatchObject({ code: 'unknown_ticker' });
  });
});
