/** search_instruments: which of many instruments comes first, and what a filter that excludes all of them says. */
// @module-tag server
import { expect, test } from 'vitest';
import { against } from '../../support/fake-history.ts';

const fund = (ticker: string, name: string, currencyCode: string) => ({ ticker, name, type: 'ETF', currencyCode });
const instruments = [
  ...Array.from({ length: 12 }, (_, n) => fund(`A${n}_US_EQ`, `Ellerby World Value ${n} ETF (Acc)`, 'USD')),
  fund('HELDl_EQ', 'Sandbourne World Value ETF (Distributing)', 'GBX'),
  fund('ALLWl_EQ', 'Vanguard FTSE All-World (Acc)', 'GBP'),
  fund('COREl_EQ', 'iShares Core MSCI World (Acc)', 'GBX'),
  { ticker: 'WRLD_US_EQ', name: 'World Kitchens Inc', type: 'STOCK', currencyCode: 'USD' },
];
const positions = [
  { instrument: { ticker: 'HELDl_EQ' }, quantity: 1, walletImpact: { currency: 'GBP', currentValue: 1 } },
];

const account = (body: { positions: unknown; status?: number } = { positions }) =>
  against((path) => {
    if (path.endsWith('/metadata/instruments')) return { body: instruments };
    return path.endsWith('/positions')
      ? { status: body.status ?? 200, body: body.positions }
      : { status: 500, body: {} };
  });
const tickers = (rows: readonly string[][]) => rows.map(([ticker]) => ticker);

test.each(['world ETF', 'world etfs', 'world fund', 'world funds', 'ETF world'])(
  'the words "%s" find funds of any name; a held one and those in the account’s currency come first',
  async (query) => {
    const { body } = await (await account()).call('search_instruments', { query });
    expect(tickers(body.rows).slice(0, 3)).toEqual(['HELDl_EQ', 'ALLWl_EQ', 'COREl_EQ']);
  },
);

test('the word "stock" finds a company whose name does not have it', async () => {
  const { body } = await (await account()).call('search_instruments', { query: 'world stock', limit: 1 });
  expect(tickers(body.rows)).toEqual(['WRLD_US_EQ']);
});

test('a search works without the positions', async () => {
  const made = await account({ positions: {}, status: 403 });
  const { isError, body } = await made.call('search_instruments', { query: 'kitchens' });
  expect(isError).toBe(false);
  expect(tickers(body.rows)).toEqual(['WRLD_US_EQ']);
});

test('a type is accepted in any case', async () => {
  const { body } = await (await account()).call('search_instruments', { query: 'world', type: 'stock' });
  expect(tickers(body.rows)).toEqual(['WRLD_US_EQ']);
});

test('a currency that no instrument has is an error that lists the currencies', async () => {
  const { body } = await (await account()).call('search_instruments', { query: 'world', currency: 'POUNDS' });
  expect(body).toMatchObject({ code: 'invalid_argument', currencies: ['GBP', 'GBX', 'USD'] });
});

test('filters that exclude every match say what there is without them', async () => {
  const { body } = await (await account()).call('search_instruments', {
    query: 'kitchens',
    type: 'ETF',
    currency: 'gbp',
  });
  expect(body).toMatchObject({
    found: 0,
    note: 'No match is ETF and GBP; without this filter there are 1: STOCK in USD.',
  });
});
