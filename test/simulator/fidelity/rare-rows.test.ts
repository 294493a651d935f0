/** Values of the specification that an ordinary account seldom shows. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { dividendTypes, fillTypes, instrumentTypes } from '../../../src/core/endpoints/index.ts';
import { expectClosed } from '../books.ts';
import { setup, walk } from '../support.ts';

describe('rare rows', () => {
  test('have every type of fill and dividend, a transfer and all charges', { tags: ['slow'] }, async () => {
    const { get } = await setup({ rareRows: true });
    const orders = (await walk(get, '/equity/history/orders')).rows;
    const fills = orders.flatMap(({ fill }) => (fill ? [fill] : []));
    expect(new Set(fills.map(({ type }) => type))).toEqual(new Set(fillTypes));
    const charges = fills.flatMap(({ walletImpact }) => walletImpact.taxes.map(({ name }: { name: string }) => name));
    expect([...new Set(charges)].sort()).toEqual([
      'COMMISSION_TURNOVER',
      'CURRENCY_CONVERSION_FEE',
      'FINRA_FEE',
      'FRENCH_TRANSACTION_TAX',
      'PTM_LEVY',
      'STAMP_DUTY',
      'STAMP_DUTY_RESERVE_TAX',
      'TRANSACTION_FEE',
    ]);
    const dividends = (await walk(get, '/equity/history/dividends')).rows;
    expect(new Set(dividends.map(({ type }) => type))).toEqual(new Set(dividendTypes));
    const transactions = (await walk(get, '/equity/history/transactions')).rows;
    // Newest first: two conversions with both legs, transfers out and in, two adjustments, and a bank transfer.
    expect(
      transactions.filter(({ type }) => type === 'TRANSFER').map(({ amount, currency }) => `${amount} ${currency}`),
    ).toEqual(['10 GBP', '-12.64 USD', '12.64 USD', '-10 GBP', '-50 GBP', '50 GBP', '-0.3 GBP', '-0.2 GBP', '120 GBP']);
  });

  async function expectBooked(seed: number) {
    const { simulator, get } = await setup({ seed, rareRows: true });
    const books = simulator.groundTruth();
    expectClosed(books);
    const times = books.history.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.max(...times, ...books.dividends.map(({ at }) => at))).toBeLessThan(books.startedAt);
    expect(books.positions.find(({ ticker }) => ticker === 'QTIDEl_EQ')).toMatchObject({
      quantity: '2',
      totalCost: '0',
    });
    expect((await get('/equity/positions')).status).toBe(200);
  }

  test('are booked like all others', () => expectBooked(1));
  test.each([2, 17])('are booked like all others, with seed %i', { tags: ['slow'] }, expectBooked);

  test('are absent by default', async () => {
    const { simulator } = await setup();
    expect(new Set(simulator.groundTruth().history.flatMap(({ fill }) => fill?.type ?? []))).toEqual(
      new Set(['TRADE', 'STOCK_SPLIT']),
    );
  });
});

describe('the instruments', () => {
  test('have every type of the specification', { tags: ['slow'] }, async () => {
    const { get } = await setup({ instrumentCount: 15_000 });
    const types = (await get('/equity/metadata/instruments')).json.map(({ type }: { type: string }) => type);
    expect(new Set(types)).toEqual(new Set(instrumentTypes));
  });
});
