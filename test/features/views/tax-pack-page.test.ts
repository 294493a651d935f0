import { expect, test } from 'vitest';
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
  expect(page).toContain('Nothing in this year.');
  expect(page).not.toContain('not complete');
});

test('charges have their kinds, instruments their names, and totals their currency', () => {
  const columns = ['chargedOn', 'ticker', 'name', 'amount', 'currency'];
  const rows = [
    ['2025-07-01', 'HLDN_US_EQ', 'STAMP_DUTY_RESERVE_TAX', '1.20', 'GBP'],
    ['2025-07-02', 'account', 'ACCOUNT_FEE', '2.00', 'GBP'],
  ];
  const section = { name: 'costs', title: 'Costs', figures: [['STAMP_DUTY_RESERVE_TAX GBP', '1.20']], columns, rows };
  const names = { HLDN_US_EQ: 'Halden Energy' };
  const page = buildTaxPackPage({ title: 'Year', madeAt: 0, answer: { names, sections: [section] } });
  for (const text of [
    '<dt>Stamp duty reserve tax</dt><dd class="">£1.20</dd>',
    '>Stamp duty reserve tax</td>',
    '>Account fee</td>',
    '>Halden Energy<small>HLDN</small></th>',
    '>The account</th>',
  ])
    expect(page).toContain(text);
});

test('an incomplete pack says so at its top', () => {
  const page = buildTaxPackPage({
    title: 'Year',
    madeAt: 0,
    answer: { ...answer, complete: false },
    incomplete: 'Cut.',
  });
  expect(page.indexOf('not complete')).toBeLessThan(page.indexOf('interest.csv'));
});

test('a result without tables gives a page', () => {
  expect(buildTaxPackPage({ title: 'Year', madeAt: 0, answer: {} })).toContain('<h1>Year</h1>');
});
