import { expect, test } from 'vitest';
import { buildReportPage } from '../../../src/features/views/report-page.ts';
import { buildTaxPackPage } from '../../../src/features/views/tax-pack-page.ts';

const answer = {
  complete: true,
  remarks: ['A <remark>.'],
  checks: [{ name: 'one = two', holds: false, residual: '0.01' }],
  sections: [
    {
      name: 'interest',
      title: 'Interest',
      figures: [['INTEREST GBP', '1.23']],
      columns: ['paidOn', 'amount'],
      rows: [['2025-07-01', '<1.23>']],
    },
    { name: 'costs', title: 'Costs', columns: ['amount'], rows: [] },
  ],
};

test('the page has every table with the name of its file, remarks and failed checks, all escaped', () => {
  const page = buildTaxPackPage({ title: 'Year <2025/26>', madeAt: 0, answer, locale: 'en-GB', timeZone: 'UTC' });
  for (const text of [
    'Year &lt;2025/26&gt;',
    'A &lt;remark&gt;.',
    '&lt;1.23&gt;',
    'interest.csv',
    'costs.csv',
    'one = two',
  ])
    expect(page, text).toContain(text);
  // Tables without a row are one list.
  expect(/<h2>Nothing in this year<\/h2><ul class="soft">(.*?)<\/ul>/s.exec(page)?.[1]).toBe(
    '<li>Costs (costs.csv)</li>',
  );
  expect(page).not.toContain('<h2>Costs</h2>');
  expect(page).not.toContain('Not complete');
});

test('charges have their kinds, instruments their names, and totals their currency', () => {
  const columns = ['chargedOn', 'ticker', 'name', 'amount', 'currency'];
  const rows = [
    ['2025-07-01', 'HLDN_US_EQ', 'STAMP_DUTY_RESERVE_TAX', '1.20', 'GBP'],
    ['2025-07-02', 'account', 'ACCOUNT_FEE', '2.00', 'GBP'],
  ];
  const section = {
    ...{ name: 'costs', title: 'Costs', columns, rows },
    figures: [
      ['ACCOUNT_FEE GBP', '2.00'],
      ['STAMP_DUTY_RESERVE_TAX GBP', '1.20'],
    ],
    totals: [{ currency: 'GBP', count: 2, sums: { amount: '3.20' } }],
  };
  const names = { HLDN_US_EQ: 'Halden Energy' };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { names, sections: [section] } });
  for (const text of [
    // The kinds with their sums come first; the list is folded, and has a total too.
    '<th role="rowheader" scope="row" data-key="Stamp duty reserve tax">Stamp duty reserve tax</th><td role="cell" class="number" data-label="Charges" data-key="1">1</td><td role="cell" class="number sum" data-label="Amount" data-key="1.20">£1.20</td>',
    '<summary><h3>Costs</h3> <span class="soft">2 charges</span> <span class="soft">costs.csv</span></summary>',
    '>Stamp duty reserve tax</td>',
    '>Account fee</td>',
    '>Halden Energy<small>HLDN</small></th>',
    '>The account</th>',
  ])
    expect(page).toContain(text);
});

test('a table has its sums as the last row, in the columns that have one', () => {
  const section = {
    ...{ name: 'disposals', title: 'Disposals', columns: ['disposal', 'soldOn', 'ticker', 'proceeds', 'gain', 'rule'] },
    rows: [
      [1, '2025-07-01', 'HLDN_US_EQ', '10.00', '1.00', 'same_day'],
      [2, '2025-07-02', 'HLDN_US_EQ', '20.00', '-3.00', 'same_day'],
    ],
    totals: [{ currency: 'GBP', count: 2, sums: { proceeds: '30.00', gain: '-2.00' } }],
  };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { currency: 'GBP', sections: [section] } });
  const [, foot = ''] = /<tfoot[^>]*>(.*?)<\/tfoot>/s.exec(page) ?? [];
  expect(foot.match(/>[^<]*</g)?.filter((text) => text.trim().length > 2)).toEqual([
    '>Total of 2 disposals<',
    '>£30.00<',
    '>−£2.00<',
  ]);
});

test.each([
  ['2024/25', false],
  ['2025/26', true],
])('a pack of %s warns of other box numbers: %s', (taxYear, warns) => {
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { ...answer, taxYear } });
  expect(page.includes('The box numbers are those of the forms for 2024/25')).toBe(warns);
});

test('an incomplete pack says so at its top', () => {
  const page = buildTaxPackPage({
    title: 'Year',
    madeAt: 0,
    answer: { ...answer, complete: false },
    lacks: ['Cut.', 'Import <reports>.'],
  });
  const [, notice = ''] = /<div class="cares" role="status">(.*?)<\/div>/s.exec(page) ?? [];
  expect(notice).toBe('<p><b>Not complete.</b></p><ul class="gaps"><li>Cut.</li><li>Import &lt;reports&gt;.</li></ul>');
  expect(page.indexOf(notice)).toBeLessThan(page.indexOf('interest.csv'));
});

test('the boxes of the form are the first figures, with the net gain, and each stands once', () => {
  const section = {
    ...{ name: 'capital-gains-summary', title: 'Totals for form SA108', figures: [['Net gain GBP', '100.00']] },
    columns: ['part', 'currency', 'disposals', 'proceeds', 'allowableCosts', 'gains', 'losses'],
    rows: [['year', 'GBP', 3, '900.00', '800.00', '150.00', '-50.00']],
  };
  const sections = [section, ...answer.sections];
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { currency: 'GBP', sections } });
  expect([...page.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*>([^<]*)/g)].map(([, term, text]) => [term, text])).toEqual([
    ['Disposals (box 23)', '3'],
    ['Proceeds (box 24)', '£900.00'],
    ['Allowable costs (box 25)', '£800.00'],
    ['Gains (box 26)', '£150.00'],
    ['Losses (box 27)', '£50.00'],
    ['Net gain', '+£100.00'],
    ['Interest', '£1.23'],
  ]);
});

test('each page of paper has the title at its foot, written so that it ends no rule', () => {
  const page = buildTaxPackPage({ title: 'UK tax year 2025/26 "}</style>', madeAt: 0, answer: {} });
  expect(page).toContain(String.raw`@page{@bottom-left{content:"UK tax year 2025/26 \22 \7d \3c /style\3e "}}</style>`);
});

test('countries stand in the order of their names', () => {
  const part = { name: 'dividends-by-country', title: 'Dividends', columns: ['country', 'paid'] };
  const rows = ['CH', 'DE', 'GB', 'FR'].map((country) => [country, '1.00']);
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections: [{ ...part, rows }] } });
  expect([...page.matchAll(/<th role="rowheader"[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual([
    ...['France', 'Germany', 'Switzerland', 'United Kingdom'],
  ]);
});

const pools = (quantities: readonly string[]) => {
  const part = { name: 'section-104-pools', title: 'Pools', columns: ['tickers', 'quantity'] };
  const rows = quantities.map((quantity, index) => [`T${index}_EQ`, quantity]);
  const page = buildTaxPackPage({
    title: 'Year',
    madeAt: 0,
    answer: { sections: [{ ...part, rows }] },
    locale: 'en-GB',
  });
  return [...page.matchAll(/data-label="Quantity"[^>]*>([^<]*)/g)].map(([, text]) => text);
};

test.each([
  // Rounded to four decimals, which all have.
  [
    ['58.09356921', '86.319', '7'],
    ['58.0936', '86.3190', '7.0000'],
  ],
  [
    ['1.5', '20'],
    ['1.5', '20.0'],
  ],
  [
    ['3', '1200'],
    ['3', '1,200'],
  ],
  // A share that four decimals would hide.
  [
    ['0.00004', '2', '0'],
    ['0.00004', '2.00000', '0.00000'],
  ],
])('the quantities %j of a column have the same number of decimals: %j', (quantities, shown) => {
  expect(pools(quantities)).toEqual(shown);
});

test('a match of a disposal has its shares, its purchase and its cost in columns', () => {
  const columns = ['disposal', 'soldOn', 'ticker', 'rule', 'matchedQuantity', 'acquiredOn', 'matchedCost', 'currency'];
  const rows = [
    [1, '2025-07-01', 'HLDN_US_EQ', 'thirty_day', '12.43921746', '2025-07-09', '110.55', 'GBP'],
    [1, null, null, 'section_104', '3', null, '20.00', null],
  ];
  const part = { name: 'disposals', title: 'Disposals', columns, rows };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections: [part] }, locale: 'en-GB' });
  const lines = [...page.matchAll(/<span class="match">(.*?)<\/span><\/span>/g)].map(([, line = '']) =>
    line.split(/<\/span> <span>/).map((cell) => cell.replace('<span>', '')),
  );
  expect(lines).toEqual([
    ['Shares', 'Matched with', 'Its cost'],
    ['12.4392', 'the next 30 days (9 Jul 2025)', '£110.55'],
    ['3.0000', 'the pool', '£20.00'],
  ]);
});

test('each row of dividends names its box, and the sum of each box is a figure', () => {
  const part = {
    ...{ name: 'dividends-by-country', title: 'Dividends', columns: ['country', 'treatment', 'currency', 'paid'] },
    rows: [
      ['GB', 'ordinary', 'GBP', '521.14'],
      ['GB', 'property_income', 'GBP', '4.00'],
      ['GB', 'interest', 'GBP', '5.00'],
      ['IE', 'interest', 'GBP', '114.46'],
      ['US', 'ordinary', 'GBP', '0.10'],
      ['FR', 'ordinary', 'GBP', '0.20'],
      ['US', 'property_income', 'GBP', '44.83'],
      ['US', 'return_of_capital', 'GBP', '7.00'],
      ['US', 'other', 'GBP', '8.00'],
      [null, 'ordinary', 'GBP', '9.00'],
      ['IE', 'interest', 'USD', null],
      ['unknown', 'ordinary', 'GBP', '3.00'],
    ],
    paidSums: [
      { isUk: true, treatment: 'ordinary', currency: 'GBP', paid: '521.14' },
      { isUk: false, treatment: 'ordinary', currency: 'GBP', paid: '0.30' },
      { isUk: true, treatment: 'property_income', currency: 'GBP', paid: '4.00' },
      { isUk: false, treatment: 'property_income', currency: 'GBP', paid: '44.83' },
      { isUk: true, treatment: 'interest', currency: 'GBP', paid: '5.00' },
      { isUk: false, treatment: 'interest', currency: 'GBP', paid: '114.46' },
      { isUk: false, treatment: 'interest', currency: 'USD', paid: undefined },
      { isUk: false, treatment: 'return_of_capital', currency: 'GBP', paid: '7.00' },
      { isUk: false, treatment: 'other', currency: 'GBP', paid: '8.00' },
      { isUk: undefined, treatment: 'ordinary', currency: 'GBP', paid: '3.00' },
    ],
  };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections: [part] }, locale: 'en-GB' });
  expect([...page.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*>([^<]*)/g)].map(([, term, text]) => [term, text])).toEqual([
    ['UK dividends (box 4 or 5)', '£521.14'],
    // Whether rents of a foreign company are a dividend, the payment does not say.
    ['Foreign dividends (SA106 or box 6)', '£0.30'],
    ['UK property income (box 17)', '£4.00'],
    ['UK fund interest (box 2)', '£5.00'],
    ['Foreign interest (SA106)', '£114.46'],
    ['Foreign interest (SA106)', 'unknown'],
    ['Property income, box unknown', '£44.83'],
    ['Other, box unknown', '£8.00'],
    ['Ordinary, box unknown', '£3.00'],
  ]);
  const named = [...page.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].flatMap(([, row = '']) => {
    const [, country = '', treatment = '', box = ''] =
      /data-key="([^"]*)">.*data-label="Treatment" data-key="([^"]*)".*data-label="Box"[^>]*>([^<]*)/s.exec(row) ?? [];
    return treatment === '' ? [] : [`${country} ${treatment}: ${box}`];
  });
  expect(named.sort()).toEqual(
    [
      'GB ordinary: SA100 box 4 or 5',
      'GB property_income: SA100 box 17',
      'GB interest: SA100 box 2',
      'IE interest: SA106 interest',
      'US ordinary: SA106 dividends',
      'FR ordinary: SA106 dividends',
      'US property_income: unknown',
      'US return_of_capital: ',
      'US other: unknown',
      ' ordinary: unknown',
      'unknown ordinary: unknown',
      'IE interest: SA106 interest',
    ].sort(),
  );
});

test.each([
  ['0.00', '0', ['£0.00', ''], ['£0.00', '']],
  // A sum that lacks a part is not shown.
  [undefined, '42', ['unknown', 'for 42 of 80'], ['unknown', 'for 42 of 80']],
  [undefined, '80', ['unknown', 'for 80 of 80'], ['unknown', 'for 80 of 80']],
])('a withheld tax of %s with %s unknown is the figure %j and the total %j', (withheld, count, figure, total) => {
  const columns = ['country', 'payments', 'gross', 'withheld', 'withheldUnknown'];
  const part = {
    ...{ name: 'dividends-by-country', title: 'Dividends', columns },
    rows: [
      ['GB', 38, '10.00', '0.00', 0],
      ['US', 42, null, null, 42],
    ],
    totals: [{ currency: 'GBP', count: 80, sums: { gross: withheld && '10.00', withheld, withheldUnknown: count } }],
  };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections: [part] }, locale: 'en-GB' });
  const [, ...shown] = /<dt>Tax withheld<\/dt><dd[^>]*>([^<]*?)(?: <small>([^<]*)<\/small>)?<\/dd>/.exec(page) ?? [];
  expect(shown.map((text) => text ?? '')).toEqual(figure);
  const foot = /<tfoot.*data-label="Withheld"[^>]*>([^<]*)(?:<small>([^<]*)<\/small>)?<\/td>/s.exec(page) ?? [];
  expect(foot.slice(1).map((text) => text ?? '')).toEqual(total);
  // Amounts of several currencies have no sum.
  const [, gross] = /<tfoot.*data-label="Gross"[^>]*>([^<]*)/s.exec(page) ?? [];
  expect(gross).toBe(withheld === undefined ? 'not added' : '£10.00');
});

test.each([
  [undefined, []],
  [0, []],
  [
    1,
    [
      '1 offshore fund has no line in eri.csv for this year. Their excess reportable income is missing from every figure here.',
    ],
  ],
  [
    4,
    [
      '4 offshore funds have no line in eri.csv for this year. Their excess reportable income is missing from every figure here.',
    ],
  ],
])('%s offshore funds without an entry are said before the figures', (fundsWithoutIncome, said) => {
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { ...answer, fundsWithoutIncome } });
  const [, first = ''] = /<div class="cares" role="status"><p><b>Check first\.<\/b><\/p>(.*?)<\/div>/s.exec(page) ?? [];
  expect([...first.matchAll(/<li>([^<]*)/g)].map(([, text]) => text)).toEqual(said);
});

test.each([
  [20, false],
  [21, true],
])('paper has a narrow table of %d rows in two columns: %s, below its name', (count, isSplit) => {
  const part = { name: 'interest', title: 'Interest', columns: ['paidOn', 'amount'] };
  const rows = Array.from({ length: count }, () => ['2025-07-01', '1.00']);
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections: [{ ...part, rows }] } });
  const name = `<summary><h3>Interest</h3> <span class="soft">${count} payments</span> <span class="soft">interest.csv</span></summary>`;
  expect(
    page
      .split(name)[1]
      ?.trim()
      .startsWith(`<div class="narrow ${isSplit ? 'split' : ''}">`),
  ).toBe(true);
});

test('the tables behind the figures are one list after all others, each to open', () => {
  const part = (name: string) => ({ name, title: name.toUpperCase(), columns: ['amount'], rows: [['1.00']] });
  const names = ['capital-gains-summary', 'disposals', 'unmatched', 'section-104-pools', 'dividends-by-country'];
  const sections = [...names, 'dividends', 'interest', 'costs'].map(part);
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { sections }, locale: 'en-GB' });
  const heads = [...page.matchAll(/<(h2|h3)[^>]*>([^<]*)/g)].map(([, head, text]) => `${head} ${text}`);
  expect(heads).toEqual([
    ...['h2 CAPITAL-GAINS-SUMMARY', 'h2 DIVIDENDS-BY-COUNTRY', 'h2 INTEREST', 'h2 UNMATCHED', 'h2 Row by row'],
    ...['h3 DISPOSALS', 'h3 SECTION-104-POOLS', 'h3 DIVIDENDS', 'h3 INTEREST', 'h3 COSTS', 'h2 Remarks'],
  ]);
});

test.each([
  [{ env: 'sandbox', simulated: true }, 'SANDBOX', 'Simulated account, no real money', 'Year (simulated account)'],
  [{ env: 'demo' }, 'DEMO', 'Practice account, no real money', 'Year'],
  [{ env: 'live' }, 'LIVE · Real money', '', 'Year'],
  [{}, undefined, undefined, 'Year'],
])('a page of %j has its kind of account once, at its head: %s', (frame, name, meaning, title) => {
  const pages = [
    buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { ...answer, ...frame } }),
    buildReportPage({ title: 'Year', madeAt: 0, answers: { portfolio: { ...frame, columns: [], rows: [] } } }),
  ];
  for (const page of pages) {
    const badges = [...page.matchAll(/<span class="badge [^"]*">([^<]*)<\/span> ?([^<]*)/g)].map(([, ...said]) => said);
    expect(badges).toEqual(name === undefined ? [] : [[name, meaning]]);
    expect(/<title>(.*?)<\/title>/.exec(page)?.[1]).toBe(title);
  }
});

test('a result without tables gives a page', () => {
  expect(buildTaxPackPage({ title: 'Year', madeAt: 0, answer: {} })).toContain('<h1>Year</h1>');
});
