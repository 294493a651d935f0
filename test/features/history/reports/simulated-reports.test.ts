// @module-tag server
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { endpoints, fillTypes, type TradableInstrument } from '../../../../src/core/endpoints/index.ts';
import { tickerResolver } from '../../../../src/features/history/reports/resolve-ticker.ts';
import type { Quirks } from '../../../../src/simulator/index.ts';
import { readReport, simulatedReport } from './support.ts';

const forms: readonly (readonly [string, Partial<Quirks>])[] = [
  ...(['pair', 'inHeader', 'grossNet'] as const).flatMap((csvTotals) =>
    (['Time', 'Time (UTC)'] as const).flatMap((csvTimeHeader) =>
      (['middle', 'last', 'missing'] as const).map(
        (csvNotes) =>
          [`${csvTotals}, ${csvTimeHeader}, notes ${csvNotes}`, { csvTotals, csvTimeHeader, csvNotes }] as const,
      ),
    ),
  ),
  ['a byte order mark', { csvBom: true }],
  [
    'everything unusual at once',
    { csvTotals: 'grossNet', csvTimeHeader: 'Time (UTC)', csvNotes: 'last', csvBom: true },
  ],
];

/** Decimals of the books, without the zeros that the file adds or leaves out. */
const plain = (text: string) => new Big(text).toFixed();

/** Times in files are in seconds. */
const second = (at: number) => new Date(Math.floor(at / 1000) * 1000).toISOString();

describe('a report of the simulator', () => {
  test.each(forms)('gives the rows of the books in the form %s', { tags: ['slow'] }, async (_, quirks) => {
    const report = await simulatedReport(quirks);
    const instruments = endpoints.listInstruments.response.parse(report.instruments) as TradableInstrument[];
    const byTicker = new Map(instruments.map((one) => [one.ticker, one]));
    const read = await readReport(report.text, { resolveTicker: tickerResolver(instruments) });
    const hasIds = quirks.csvNotes !== 'missing';
    const named = (ticker: string) => {
      const { name, isin, currencyCode: currency } = byTicker.get(ticker) as TradableInstrument;
      return { ticker, name, isin, currency };
    };

    expect(read).toMatchObject({ unread: [], isComplete: true });
    expect(read).not.toHaveProperty('reason');

    const fills = report.history.flatMap(({ order, fill }) => (fill ? [{ order, fill }] : []));
    expect(read.orders.map(({ row }) => row)).toEqual(
      fills.map(({ order, fill }) => ({
        order: {
          ticker: order.ticker,
          side: order.side,
          type: fill.type === 'TRADE' ? order.type : undefined,
          status: 'FILLED',
          instrument: named(order.ticker),
        },
        fill: {
          id: hasIds ? fill.id : undefined,
          filledAt: second(fill.filledAt),
          price: plain(fill.price),
          quantity: plain(fill.quantity),
          type: fill.type,
          walletImpact: {
            currency: 'GBP',
            netValue: plain(fill.netValue),
            realisedProfitLoss: order.side === 'SELL' ? plain(fill.realisedProfitLoss) : undefined,
            fxRate: plain(fill.fxRate),
            taxes: expect.toSatisfy(
              (taxes: { name: string; quantity: string; currency: string }[]) =>
                taxes.every(({ currency }) => currency === 'GBP') &&
                JSON.stringify(taxes.map(({ name, quantity }) => [name, quantity]).sort()) ===
                  JSON.stringify(fill.taxes.map(({ name, quantity }) => [name, plain(quantity)]).sort()),
            ),
          },
        },
      })),
    );
    expect(read.dividends.map(({ row }) => row)).toEqual(
      report.dividends.map((paid) => ({
        ticker: paid.ticker,
        instrument: named(paid.ticker),
        quantity: plain(paid.quantity),
        amount: plain(paid.amount),
        currency: 'GBP',
        grossAmountPerShare: plain(paid.grossAmountPerShare),
        tickerCurrency: named(paid.ticker).currency,
        paidOn: second(paid.at),
        type: paid.type,
        withholdingTax: plain(paid.withheld),
        withholdingTaxCurrency: named(paid.ticker).currency,
      })),
    );
    expect(read.transactions.map(({ row }) => row)).toEqual(
      report.transactions.map(({ type, amount, at, reference }) => ({
        type,
        amount: plain(amount),
        currency: 'GBP',
        dateTime: second(at),
        reference: hasIds ? reference : undefined,
      })),
    );
    const all = [...read.orders, ...read.dividends, ...read.transactions];
    expect(all).toHaveLength(read.totalRows);
    expect(all.filter(({ tickerIsShort }) => tickerIsShort)).toEqual([]);
    expect(new Set(all.map(({ line }) => line)).size).toBe(read.totalRows);
    // The year contains the rows that this test needs.
    expect(fills.filter(({ order }) => order.side === 'SELL').length).toBeGreaterThan(5);
    expect(fills.flatMap(({ fill }) => fill.taxes).length).toBeGreaterThan(20);
    expect(Math.min(read.dividends.length, read.transactions.length)).toBeGreaterThan(10);
  });

  test.each(['pair', 'inHeader', 'grossNet'] as const)(
    'has every rare row as the histories have it, with totals as %s',
    async (csvTotals) => {
      // The seeded past ends at the start of the clock.
      const range = { timeFrom: '2025-12-01T00:00:00Z', timeTo: '2026-11-30T00:00:00Z' };
      const { text, history, transactions, dividends } = await simulatedReport({ csvTotals }, range, {
        rareRows: true,
      });
      const read = await readReport(text, { resolveTicker: () => undefined });
      expect(read.unread).toEqual([]);
      expect(read.dividends).toHaveLength(dividends.length);
      const fills = history.flatMap(({ fill }) => fill ?? []);
      expect(new Set(fills.map(({ type }) => type))).toEqual(new Set(fillTypes));
      // A report has no name for a correction of a transfer.
      const nameType = (type: string) => (type === 'FOP_CORRECTION' ? 'FOP' : type);
      expect(read.orders.map(({ row: { fill } }) => [fill?.id, fill?.type, fill?.quantity])).toEqual(
        fills.map(({ id, type, quantity }) => [String(id), nameType(type), plain(quantity)]),
      );
      const rare = read.transactions.filter(
        ({ row }) => !['DEPOSIT', 'WITHDRAW', 'FEE', 'INTEREST_ON_FREE_CASH'].includes(row.type ?? ''),
      );
      expect(rare.map(({ row }) => [row.type, row.amount, row.currency])).toEqual([
        ['TRANSFER', '120', 'GBP'],
        ['CARD_DEBIT', '-12.4', 'GBP'],
        ['CARD_CREDIT', '3', 'GBP'],
        ['CARD_REFUND', '0.75', 'GBP'],
        ['SPENDING_CASHBACK', '0.06', 'GBP'],
        ['LENDING_INTEREST', '0.02', 'GBP'],
        ['RESULT_ADJUSTMENT', '-0.2', 'GBP'],
        ['DIVIDEND_ADJUSTMENT', '-0.3', 'GBP'],
        ['TRANSFER', '50', 'GBP'],
        ['TRANSFER', '-50', 'GBP'],
        ['CURRENCY_CONVERSION', '-10', 'GBP'],
        ['CURRENCY_CONVERSION', '12.64', 'USD'],
        ['CURRENCY_CONVERSION', '-12.64', 'USD'],
        ['CURRENCY_CONVERSION', '10', 'GBP'],
      ]);
      // Cash of each currency is what the histories say.
      const sumOf = (
        rows: readonly { amount?: string | undefined; currency?: string | undefined }[],
        currency: string,
      ) =>
        rows
          .filter((row) => (row.currency ?? 'GBP') === currency)
          .reduce((sum, { amount }) => sum.plus(amount ?? 0), new Big(0))
          .toFixed(2);
      for (const currency of ['GBP', 'USD'])
        expect(
          sumOf(
            read.transactions.map(({ row }) => row),
            currency,
          ),
        ).toBe(sumOf(transactions, currency));
    },
  );

  test('with only gross totals gives the rows without charges, and keeps the others apart', async () => {
    const { text, history, dividends } = await simulatedReport({ csvTotals: 'gross' });
    const { orders, unread, isComplete, ...rest } = await readReport(text, { resolveTicker: () => undefined });
    const fills = history.flatMap(({ fill }) => fill ?? []);
    expect(isComplete).toBe(true);
    expect(orders.map(({ row }) => row.fill?.id)).toEqual(
      fills.flatMap(({ id, taxes }) => (taxes.length === 0 ? String(id) : [])),
    );
    expect(rest.dividends.length).toBe(dividends.filter(({ withheld }) => Number(withheld) === 0).length);
    expect(new Set(unread.map(({ code, kinds }) => `${code} ${kinds}`))).toEqual(
      new Set(['unreadable_value orders', 'unreadable_value dividends']),
    );
    expect(orders.length + rest.dividends.length + rest.transactions.length + unread.length).toBe(rest.totalRows);
  });

  test('contains its split too', async () => {
    const range = { timeFrom: '2024-11-21T00:00:00Z', timeTo: '2025-11-21T00:00:00Z' };
    const { text, history } = await simulatedReport({}, range);
    const splits = history.filter(({ fill }) => fill?.type === 'STOCK_SPLIT');
    const { orders } = await readReport(text, { resolveTicker: () => undefined });
    const read = orders.filter(({ row }) => row.fill?.type === 'STOCK_SPLIT');
    expect(read.map(({ row }) => row.fill?.quantity)).toEqual(splits.map(({ fill }) => plain(fill?.quantity ?? '')));
    expect(read).toHaveLength(1);
  });
});
