import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createInstrumentSearch } from '../../../src/features/search/search.ts';
import { anyText } from '../../support/any-text.ts';
import { runs } from '../../support/runs.ts';
import { generateInstruments, instrument } from './generated-instruments.ts';

const listed = [
  instrument({
    ticker: 'NRTH_US_EQ',
    shortName: 'NRTH',
    name: 'North-Pier Foods Inc',
    isin: 'US0000000011',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'NRTHl_EQ',
    shortName: 'NRTH',
    name: 'North-Pier Foods (CDI)',
    isin: 'US0000000011',
    type: 'STOCK',
    currencyCode: 'GBX',
  }),
  instrument({
    ticker: 'NRTHX_US_EQ',
    shortName: 'NRTHX',
    name: 'Norther Exploration',
    isin: 'US0000000029',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'QX/A_US_EQ',
    shortName: 'QX.A',
    name: 'Quillon Xenith Group (Class A)',
    isin: 'US0000000037',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'QX/B_US_EQ',
    shortName: 'QX.B',
    name: 'Quillon Xenith Group (Class B)',
    isin: 'US0000000045',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'TL.l_EQ',
    shortName: 'TL.',
    name: 'Tolland PLC',
    isin: 'GB0000000052',
    type: 'STOCK',
    currencyCode: 'GBX',
  }),
  instrument({
    ticker: 'VRLAl_EQ',
    shortName: 'VRLA',
    name: 'Veralux World 500 UCITS ETF (Dist)',
    isin: 'IE0000000060',
    type: 'ETF',
    currencyCode: 'GBP',
  }),
  instrument({
    ticker: 'VRLPl_EQ',
    shortName: 'VRLP',
    name: 'Veralux World 500 UCITS ETF (Acc)',
    isin: 'IE0000000078',
    type: 'ETF',
    currencyCode: 'GBX',
  }),
  instrument({
    ticker: 'VRLA_EQ',
    shortName: 'VRLA',
    name: 'Varela SA',
    isin: 'FR0000000086',
    type: 'STOCK',
    currencyCode: 'EUR',
  }),
  instrument({
    ticker: 'MKRO_US_EQ',
    shortName: 'MKRO',
    name: 'Mikrovane Corporation',
    isin: 'US0000000094',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'OLDC_US_EQ',
    shortName: 'HALO',
    name: 'Halonet Platforms',
    isin: 'US0000000102',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'PLUM',
    shortName: 'PLUM',
    name: 'Plumeria Holdings',
    isin: 'KY0000000110',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'PLUMW',
    shortName: 'PLUMW',
    name: 'Plumeria Holdings',
    isin: 'KY0000000128',
    type: 'WARRANT',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'ZRCd_EQ',
    shortName: 'ZRC',
    name: 'Zürcher Rückbau AG',
    isin: 'CH0000000136',
    type: 'STOCK',
    currencyCode: 'EUR',
  }),
  instrument({
    ticker: 'ORL_US_EQ',
    shortName: 'ORL',
    name: "Orla's Kitchen",
    isin: 'US0000000144',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'ATK_US_EQ',
    shortName: 'ATK',
    name: 'A&T Kalvex Inc',
    isin: 'US0000000151',
    type: 'STOCK',
    currencyCode: 'USD',
  }),
  instrument({
    ticker: 'FMKR_US_EQ',
    shortName: 'FMKR',
    name: 'First Mikro Fund',
    isin: 'US0000000169',
    type: 'ETF',
    currencyCode: 'USD',
  }),
];
const crowd = generateInstruments(16_000);
const search = createInstrumentSearch([...crowd, ...listed]);

/** The tickers of the result, best first, and why the first one matched. */
function find(query: string, options: { type?: string; currency?: string } = {}) {
  const { matches, total } = search.search(query, { ...options, limit: 10 });
  return { tickers: matches.map((match) => match.instrument.ticker), why: matches[0]?.why, total };
}

describe('the instrument that a person means comes first, among 16,000 others', () => {
  test.each([
    ['an exact ticker', 'NRTH_US_EQ', 'NRTH_US_EQ', 'ticker'],
    ['a ticker with a slash', 'QX/B_US_EQ', 'QX/B_US_EQ', 'ticker'],
    ['a ticker with a venue letter', 'NRTHl_EQ', 'NRTHl_EQ', 'ticker'],
    ['an ISIN', 'CH0000000136', 'ZRCd_EQ', 'isin'],
    ['an ISIN in small letters with spaces', ' ch0000 000136 ', 'ZRCd_EQ', 'isin'],
    ['a symbol', 'NRTH', 'NRTH_US_EQ', 'shortName'],
    ['a symbol in small letters', 'mkro', 'MKRO_US_EQ', 'shortName'],
    ['a symbol with another separator', 'qx.b', 'QX/B_US_EQ', 'shortName'],
    ['a symbol without its separator', 'QXB', 'QX/B_US_EQ', 'shortName'],
    ['a symbol with a space in it', 'qx b', 'QX/B_US_EQ', 'shortName'],
    ['a symbol that ends in a dot', 'TL', 'TL.l_EQ', 'shortName'],
    ['the short name of a renamed company', 'halo', 'OLDC_US_EQ', 'shortName'],
    ['a whole name', 'Mikrovane Corporation', 'MKRO_US_EQ', 'name'],
    ['a name without its legal form', 'mikrovane', 'MKRO_US_EQ', 'name'],
    ['a name with another legal form', 'Mikrovane Inc', 'MKRO_US_EQ', 'name'],
    ['a name and what kind of thing it is', 'mikrovane stock', 'MKRO_US_EQ', 'name'],
    ['the beginning of a name', 'mikrova', 'MKRO_US_EQ', 'name'],
    ['the words in another order', 'xenith quillon class b', 'QX/B_US_EQ', 'name'],
    ['a name with punctuation', 'a&t kalvex', 'ATK_US_EQ', 'name'],
    ['a name without its accents', 'zurcher ruckbau', 'ZRCd_EQ', 'name'],
    ['a name with its accents', 'Zürcher', 'ZRCd_EQ', 'name'],
    ['a name without its apostrophe', 'orlas kitchen', 'ORL_US_EQ', 'name'],
    ['a hyphenated name in one word', 'northpier', 'NRTH_US_EQ', 'name'],
    ['one letter missing', 'mikrovne', 'MKRO_US_EQ', 'similar'],
    ['one letter too many', 'mikrovvane', 'MKRO_US_EQ', 'similar'],
    ['one letter wrong', 'mikrobane', 'MKRO_US_EQ', 'similar'],
    ['two letters swapped', 'mikrovnae', 'MKRO_US_EQ', 'similar'],
    ['the first letter missing', 'ikrovane', 'MKRO_US_EQ', 'name'],
    ['the first letters swapped', 'imkrovane', 'MKRO_US_EQ', 'similar'],
    ['the first letter wrong', 'nikrovane', 'MKRO_US_EQ', 'similar'],
    ['two letters wrong in a long word', 'mikobane', 'MKRO_US_EQ', 'similar'],
    ['a typo in each of two words', 'qiullon xenth', 'QX/A_US_EQ', 'similar'],
    ['a typo in one word and another order', 'xenith quilon', 'QX/A_US_EQ', 'similar'],
    ['more words than the name has', 'Zürcher Rückbau accumulating hedged', 'ZRCd_EQ', 'similar'],
    ['a ticker in the wrong case', 'nrthL_eq', 'NRTHl_EQ', 'similar'],
  ])('%s: %j', (_, query, ticker, why) => {
    const found = find(query);
    expect(found.tickers[0]).toBe(ticker);
    expect(found.why).toBe(why);
  });

  test('every listing of one ISIN is found', () => {
    expect(find('US0000000011').tickers).toEqual(expect.arrayContaining(['NRTH_US_EQ', 'NRTHl_EQ']));
  });

  test('a symbol comes before longer symbols that begin with it', () => {
    const { tickers } = find('nrth');
    expect(tickers.slice(0, 3)).toEqual(['NRTH_US_EQ', 'NRTHl_EQ', 'NRTHX_US_EQ']);
  });

  test('a share comes before a warrant of the same name', () => {
    expect(find('plumeria').tickers.slice(0, 2)).toEqual(['PLUM', 'PLUMW']);
  });

  test('the word for the type decides between similar names', () => {
    const alike = createInstrumentSearch([
      instrument({ ticker: 'A', name: 'Kestrowe Inc', type: 'STOCK' }),
      instrument({ ticker: 'B', name: 'Kestrowe ETF', type: 'ETF' }),
    ]);
    expect(alike.search('kestrowe etf', { limit: 1 }).matches[0]?.instrument.ticker).toBe('B');
  });

  test('complete words of a name come before words that only begin so', () => {
    const { tickers } = find('mikro');
    expect(tickers.indexOf('FMKR_US_EQ')).toBeLessThan(tickers.indexOf('MKRO_US_EQ'));
  });
});

describe('filters, limits and totals', () => {
  test('type and currency narrow the result, in any case', () => {
    expect(find('veralux', { type: 'etf', currency: 'gbx' }).tickers).toEqual(['VRLPl_EQ']);
    expect(find('vrla', { type: 'ETF' }).tickers[0]).toBe('VRLAl_EQ');
  });

  test('pounds do not match pence', () => {
    expect(find('veralux', { currency: 'GBP' }).tickers).toEqual(['VRLAl_EQ']);
  });

  test('the total includes what the limit cuts off', () => {
    const { matches, total } = search.search('veralux', { limit: 1 });
    expect(matches).toHaveLength(1);
    expect(total).toBe(2);
    expect(search.search('veralux', { limit: 0 })).toEqual({ matches: [], total: 2 });
  });

  test('words of no instrument match nothing', () => {
    expect(find('wqxzvkj jkqxvzw')).toEqual({ tickers: [], why: undefined, total: 0 });
  });

  test('a common word beside an unknown one matches nothing', () => {
    expect(find('wqxzvkj mining').total).toBe(0);
  });
});

describe('tickers', () => {
  test.each([
    ['a bare symbol', 'NRTH', 'NRTH_US_EQ'],
    ['the wrong case', 'NRTHL_EQ', 'NRTHl_EQ'],
    ['the wrong suffix', 'MKRO_GB_EQ', 'MKRO_US_EQ'],
    ['a suffix too many', 'PLUM_US_EQ', 'PLUM'],
    ['a new name for an old ticker', 'HALO_US_EQ', 'OLDC_US_EQ'],
    ['another separator', 'QX.B_US_EQ', 'QX/B_US_EQ'],
    ['a forgotten separator', 'MKROUS_EQ', 'MKRO_US_EQ'],
    ['a typo in a longer symbol', 'NRTHXX_US_EQ', 'NRTHX_US_EQ'],
  ])('%s suggests the one that was meant: %s', (_, wanted, ticker) => {
    expect(createInstrumentSearch(listed).nearestTickers(wanted, 3)[0]).toBe(ticker);
  });

  test('nothing is suggested where nothing is near, and never more than requested', () => {
    expect(search.nearestTickers('', 5)).toEqual([]);
    expect(search.nearestTickers('NRTH', 0)).toEqual([]);
    expect(search.nearestTickers('NRTH', 2)).toHaveLength(2);
    expect(createInstrumentSearch(listed).nearestTickers('WWWWWWWW', 5)).toEqual([]);
  });
});

describe('hostile queries', () => {
  const hostile = [
    '',
    '   ',
    '.*+?^{}$()|[]\\',
    '"',
    '((((((',
    '🙂🙃',
    '\u0000\u202e\u200b',
    '-',
    '-- "a" -b',
    '_',
    '\ud800',
  ];

  test.each(hostile)('%j returns a result', (query) => {
    const { matches, total } = search.search(query, { limit: 10 });
    expect(matches.length).toBeLessThanOrEqual(Math.min(10, total));
  });

  test('a query without letters and digits matches nothing', () => {
    for (const query of ['', '  ', '.*', '()', '🙂', '---']) expect(find(query).total).toBe(0);
  });

  test('a word reserved by the fuzzy matcher is an ordinary word', () => {
    expect(find('eexxaacctt').total).toBe(0);
    expect(find('eexxaacctt mikrovnae').total).toBeGreaterThanOrEqual(0);
  });

  test('a quotation mark or a minus is not an operator', () => {
    expect(find('"mikrovane"').tickers[0]).toBe('MKRO_US_EQ');
    expect(find('-mikrovane').tickers[0]).toBe('MKRO_US_EQ');
  });

  test('letters of other scripts match', () => {
    const greek = createInstrumentSearch([instrument({ ticker: 'GRK', name: 'Ελλάδα Τρόφιμα' })]);
    expect(greek.search('τροφιμα', { limit: 1 }).matches[0]?.instrument.ticker).toBe('GRK');
  });

  test('instruments without fields, and an empty list, do no harm', () => {
    const empty = createInstrumentSearch([instrument({}), instrument({ name: 'Solo Works' })]);
    expect(empty.search('solo', { limit: 5 }).total).toBe(1);
    expect(empty.search('undefined', { limit: 5 }).total).toBe(0);
    expect(empty.nearestTickers('SOLO', 5)).toEqual([]);
    expect(createInstrumentSearch([]).search('solo works', { limit: 5 })).toEqual({ matches: [], total: 0 });
    expect(createInstrumentSearch([]).size).toBe(0);
  });

  test('no query throws, and the same query returns the same result', () => {
    const small = createInstrumentSearch([...listed, ...crowd.slice(0, 200)]);
    const query = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'abekmnoqrtvx01&._/ \'"-'), maxLength: 30 }),
    );
    fc.assert(
      fc.property(query, fc.nat(20), (text, limit) => {
        const first = small.search(text, { limit });
        expect(first.matches.length).toBe(Math.min(limit, first.total));
        expect(new Set(first.matches.map((match) => match.instrument)).size).toBe(first.matches.length);
        expect(small.search(text, { limit })).toEqual(first);
        small.nearestTickers(text, 3);
      }),
      { numRuns: runs(500) },
    );
  });

  test('every instrument is found by its own ticker and ISIN', () => {
    fc.assert(
      fc.property(fc.nat(crowd.length - 1), (index) => {
        const wanted = crowd[index];
        const byTicker = search.search(wanted?.ticker ?? '', { limit: 1 });
        const byIsin = search.search(wanted?.isin ?? '', { limit: 1 });
        expect(byTicker.matches[0]).toMatchObject({ instrument: { ticker: wanted?.ticker }, why: 'ticker' });
        expect(byIsin.matches[0]).toMatchObject({ instrument: { isin: wanted?.isin }, why: 'isin' });
      }),
      { numRuns: runs(100) },
    );
  });
});
