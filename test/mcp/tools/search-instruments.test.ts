/** What search_instruments says of the list that it searched, and of what its filters exclude. */
import { expect, test } from 'vitest';
import type { TradableInstrument } from '../../../src/catalogue/index.ts';
import { createInstrumentSearch } from '../../../src/market/search.ts';
import { searchInstruments } from '../../../src/mcp/tools/instruments.ts';
import { toolCall } from './tool-call.ts';

const listing = (ticker: string, currencyCode: string) =>
  ({ ticker, name: 'Quayle Foods plc', type: 'STOCK', currencyCode }) as TradableInstrument;
const index = createInstrumentSearch([
  listing('QUAYl_EQ', 'GBP'),
  listing('QUAY_US_EQ', 'USD'),
  { ticker: 'EURO_EQ', name: 'Other AG', type: 'STOCK', currencyCode: 'EUR' } as TradableInstrument,
]);

async function search(args: { query: string; currency?: string }) {
  const call = toolCall({
    broker: { call: async () => ({ data: [] }) },
    directory: { search: async () => ({ index, answeredAt: 7, unreadable: 0 }) },
  });
  const { asOf, fields, list } = await searchInstruments.run(args, call);
  return { asOf, fields, tickers: list?.rows.map((cells) => (cells as string[])[0]).sort() };
}

test('a search is as old as the list of instruments', async () => {
  expect(await search({ query: 'quayle' })).toEqual({
    asOf: 7,
    fields: { found: 2 },
    tickers: ['QUAY_US_EQ', 'QUAYl_EQ'],
  });
});

test('a currency leaves the listings in it', async () => {
  expect(await search({ query: 'quayle', currency: 'usd' })).toEqual({
    asOf: 7,
    fields: { found: 1 },
    tickers: ['QUAY_US_EQ'],
  });
});

test('a currency that excludes every match is named, with what there is without it', async () => {
  expect(await search({ query: 'other', currency: 'USD' })).toEqual({
    asOf: 7,
    fields: { found: 0, note: 'No match is USD; without this filter there are 1: STOCK in EUR.' },
    tickers: [],
  });
});
