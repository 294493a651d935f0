/** What search_instruments says of the list that it searched, and of what its filters exclude. */
import { expect, test } from 'vitest';
import type { TradableInstrument } from '../../../src/core/endpoints/index.ts';
import { searchInstruments } from '../../../src/features/search/search-tool.ts';
import { runWith, toolCall } from '../../core/tools/tool-call.ts';

const listing = (ticker: string, currencyCode: string) =>
  ({ ticker, name: 'Quayle Foods plc', type: 'STOCK', currencyCode }) as TradableInstrument;
const instruments = [
  listing('QUAYl_EQ', 'GBP'),
  listing('QUAY_US_EQ', 'USD'),
  { ticker: 'EURO_EQ', name: 'Other AG', type: 'STOCK', currencyCode: 'EUR' } as TradableInstrument,
];

async function search(args: { query: string; currency?: string }) {
  const call = toolCall({
    broker: { call: async () => ({ data: [] }) },
    directory: { instruments: async () => ({ instruments, answeredAt: 7, unreadable: 0 }) },
  });
  const { asOf, fields, list } = await runWith(searchInstruments, args, call);
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

test('a match has its name and its short name, and what could not be read is counted', async () => {
  const one = { ticker: 'A_EQ', name: 'Alder Group plc', shortName: 'ALDR', type: 'STOCK', currencyCode: 'GBP' };
  const call = toolCall({
    broker: { call: async () => ({ data: [] }) },
    directory: {
      instruments: async () => ({ instruments: [one], answeredAt: 7, unreadable: 3 }),
    },
  });
  const { fields, list } = await runWith(searchInstruments, { query: 'alder' }, call);
  const [row] = (list?.rows ?? []) as unknown[][];
  const cells = Object.fromEntries((list?.columns ?? []).map((name, at) => [name, row?.[at]]));
  expect(cells).toMatchObject({ ticker: 'A_EQ', name: 'Alder Group plc', shortName: 'ALDR' });
  expect(fields).toEqual({ found: 1, unreadable: 3 });
  const none = await runWith(searchInstruments, { query: 'zzzzzz' }, call);
  expect(none.fields?.note).toBe(
    'None of the 1 instruments matches; try the ISIN or fewer words. 3 more could not be read.',
  );
});

test('a search that reads every instrument says nothing of others', async () => {
  expect((await search({ query: 'zzzzzz' })).fields).toEqual({
    found: 0,
    note: 'None of the 3 instruments matches; try the ISIN or fewer words.',
  });
});

test.each([
  ['etf', 'ETF'],
  [' STOCK ', 'STOCK'],
])('the type %j is read as %s', (type, read) => {
  expect(searchInstruments.input.safeParse({ query: 'a', type }).data).toEqual({ query: 'a', type: read });
});

test.each(['SHARES', 5])('the type %j does not exist', (type) => {
  expect(searchInstruments.input.safeParse({ query: 'a', type }).success).toBe(false);
});
