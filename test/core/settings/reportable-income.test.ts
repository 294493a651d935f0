/** The file eri.csv: what is accepted, and the line that an error names. */
import { expect, test } from 'vitest';
import { parseReportableIncome } from '../../../src/core/settings/tax-entries.ts';

const header = 'isin,period_end,amount_per_share,currency';
const parse = (text: string) =>
  parseReportableIncome(text, 'eri.csv').map(({ amountPerShare, ...row }) => [
    row.isin,
    row.periodEnd,
    amountPerShare.toFixed(),
    row.currency,
  ]);

test('reads the columns in any order, and skips empty lines and comments', () => {
  const text =
    '\ufeff# from the fund’s report\r\ncurrency, isin ,period_end,amount_per_share\r\n\r\nGBP,IE00B3XXRP09,2024-06-30,0.1234\r\n';
  expect(parse(text)).toEqual([['IE00B3XXRP09', '2024-06-30', '0.1234', 'GBP']]);
  expect(parse('')).toEqual([]);
  expect(parse(header)).toEqual([]);
});

test.each([
  [
    'IE00B3XXRP0,2024-06-30,0.1,GBP',
    /^eri\.csv, line 2: isin is "IE00B3XXRP0" and should be written as in IE00B3XXRP09\.$/,
  ],
  ['IE00B3XXRP09,2024-06-31,0.1,GBP', /line 2: period_end is "2024-06-31"/],
  ['IE00B3XXRP09,30/06/2024,0.1,GBP', /line 2: period_end/],
  ['IE00B3XXRP09,2024-06-30,"0,1",GBP', /line 2: amount_per_share/],
  ['IE00B3XXRP09,2024-06-30,-0.1,GBP', /line 2: amount_per_share is "-0.1"/],
  [`IE00B3XXRP09,2024-06-30,0.${'1'.repeat(41)},GBP`, /line 2: amount_per_share is "0\.1{38}" and/],
  [`IE00B3XXRP09,2024-06-30,${'9'.repeat(400_000)},GBP`, /line 2: amount_per_share is "9{40}" and/],
  ['IE00B3XXRP09,2024-06-30,0.1', /line 2: currency is ""/],
  [
    'IE00B3XXRP09,2024-06-30,0.1,GBP\nIE00B3XXRP09,2024-06-30,0.2,GBP',
    /line 3: IE00B3XXRP09 has a line for the period/,
  ],
])('%j is one sentence with the line', (lines, message) => {
  expect(() => parse(`${header}\n${lines}\n`)).toThrow(message);
});
