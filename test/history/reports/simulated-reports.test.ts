import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { endpoints, type TradableInstrument } from '../../../src/catalogue/index.ts';
import { readReport } from '../../../src/history/reports/read-report.ts';
import { tickerResolver } from '../../../src/history/reports/resolve-ticker.ts';
import type { Quirks } from '../../../src/simulator/index.ts';
import { simulatedReport } from './support.ts';

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
  test.each(forms)('gives the rows of the books in the form %s', async (_, quirks) => {
    const report = await simulatedReport(quirks);
    const instruments = endpoints.listInstruments.response.parse(report.instruments) as TradableInstrument[];
    const byTicker = new Map(instruments.map((one) => [one.ticker, one]));
    const read = readReport(report.text, { resolveTicker: tickerResolver(instruments) });
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

  test('with only gross totals gives the rows without charges, and keeps the others apart', async () => {
    const { text, history, dividends } = await simulatedReport({ csvTotals: 'gross' });
    const { orders, unread, isComplete, ...rest } = readReport(text, { resolveTicker: () => undefined });
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
    const { orders } = readReport(text, { resolveTicker: () => undefined });
    const read = orders.filter(({ row }) => row.fill?.type === 'STOCK_SPLIT');
    expect(read.map(({ row }) => row.fill?.quantity)).toEqual(splits.map(({ fill }) => plain(fill?.quantity ?? '')));
    expect(read).toHaveLength(1);
  });
});
