import { describe, expect, test } from 'vitest';
import { endpoints, type TradableInstrument } from '../../../../src/core/endpoints/index.ts';
import { tickerResolver } from '../../../../src/features/history/reports/resolve-ticker.ts';

const listing = (ticker: string, shortName: string, isin: string, currencyCode: string) => ({
  ticker,
  shortName,
  isin,
  currencyCode,
});

const tickerOf = tickerResolver(
  endpoints.listInstruments.response.parse([
    listing('AAA_US_EQ', 'AAA', 'US01', 'USD'),
    listing('AAAd_EQ', 'AAA', 'US01', 'EUR'),
    listing('AAAl_EQ', 'AAAl', 'US01', 'GBX'),
    listing('FUNDl_EQ', 'FUND', 'IE01', 'GBX'),
    listing('FUNDpl_EQ', 'FUND', 'IE01', 'GBP'),
    listing('TWO1_EQ', 'TWO', 'GB01', 'GBX'),
    listing('TWO2_EQ', 'TWO', 'GB01', 'GBX'),
    listing('ONE_EQ', 'ONE', 'GB02', 'GBX'),
    { ticker: 'NAMELESS_EQ', isin: 'GB03', currencyCode: 'GBX' },
  ]) as TradableInstrument[],
);

describe('the full ticker', () => {
  test.each([
    ['of two currencies, the one of the row', 'US01', 'AAA', 'EUR', 'AAAd_EQ'],
    ['pence are not pounds', 'IE01', 'FUND', 'GBP', 'FUNDpl_EQ'],
    ['nor pounds pence', 'IE01', 'FUND', 'GBX', 'FUNDl_EQ'],
    ['a single listing, in whatever currency', 'GB02', 'ONE', 'GBP', 'ONE_EQ'],
    ['a single listing, without a currency', 'GB02', 'ONE', undefined, 'ONE_EQ'],
    ['case matters', 'US01', 'AAAl', 'GBX', 'AAAl_EQ'],
    ['case matters here too', 'GB02', 'one', 'GBX', undefined],
    ['several in one currency', 'GB01', 'TWO', 'GBX', undefined],
    ['several, none of them in the currency', 'US01', 'AAA', 'CHF', undefined],
    ['several and no currency', 'US01', 'AAA', undefined, undefined],
    ['another ISIN', 'US02', 'AAA', 'USD', undefined],
    ['no ISIN', undefined, 'AAA', 'USD', undefined],
    ['no name', 'GB03', undefined, 'GBX', undefined],
    ['an empty name', 'GB03', '', 'GBX', undefined],
  ])('%s', (_, isin, shortName, currency, ticker) => {
    expect(tickerOf({ isin, shortName, currency })).toBe(ticker);
  });
});
