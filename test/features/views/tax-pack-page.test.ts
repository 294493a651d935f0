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
