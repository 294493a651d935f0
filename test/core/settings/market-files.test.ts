/** The files benchmark.csv and funds/ISIN.csv: what is accepted, and the line and column that an error names. */
import { describe, expect, test } from 'vitest';
import { parseBenchmark, parseFundHoldings } from '../../../src/core/settings/market-files.ts';

const benchmark = (text: string) =>
  parseBenchmark(text, 'benchmark.csv').map(({ day, value }) => [day, value.toFixed()]);
const fund = (text: string) =>
  parseFundHoldings(text, 'F.csv').map(({ weightPercent, ...row }) => ({ ...row, weight: weightPercent.toFixed() }));

describe('benchmark.csv', () => {
  test('has a date and a value, in any order and beside other columns', () => {
    expect(benchmark('\ufeff# an index\r\nValue,note,Date\r\n\r\n100.5,x,2026-01-02\r\n101,,2026-01-05\r\n')).toEqual([
      ['2026-01-02', '100.5'],
      ['2026-01-05', '101'],
    ]);
    expect(benchmark('')).toEqual([]);
  });

  test.each([
    ['day,value\n2026-01-02,1', 'benchmark.csv, line 1: the column date is missing.'],
    ['date,value\n02/01/2026,1', 'benchmark.csv, line 2: date is "02/01/2026" and should be written as in 2026-01-30.'],
    ['date,value\n2026-02-30,1', 'benchmark.csv, line 2: date is "2026-02-30" and should be written as in 2026-01-30.'],
    ['date,value\n2026-01-02,0', 'benchmark.csv, line 2: value is "0" and should be written as in 104.25.'],
    ['date,value\n2026-01-02,"1,5"', 'benchmark.csv, line 2: value is "1,5" and should be written as in 104.25.'],
    ['date,value\n2026-01-02', 'benchmark.csv, line 2: value is "" and should be written as in 104.25.'],
    [
      'date,value\n2026-01-05,1\n\n2026-01-02,1',
      'benchmark.csv, line 4: date is 2026-01-02 and must be after 2026-01-05.',
    ],
    [
      'date,value\n2026-01-05,1\n2026-01-05,2',
      'benchmark.csv, line 3: date is 2026-01-05 and must be after 2026-01-05.',
    ],
    [
      `date,value\n${'2026-01-05,1\n'.repeat(100_000)}`,
      'benchmark.csv, line 20002: the file has more than 20000 rows.',
    ],
  ])('%.60j is one sentence with the line and the column', (text, message) => {
    expect(() => benchmark(text)).toThrow(expect.objectContaining({ message }));
  });
});

describe('a list of what a fund holds', () => {
  test('has names and weights, and more where it is known; cells can be quoted', () => {
    expect(
      fund('Name,ISIN,Weight,Country,Sector\n"Abc, Inc. ""A""",US0000000002,60.5,US,Technology\nDef plc,,39.5,,\n'),
    ).toEqual([
      { name: 'Abc, Inc. "A"', isin: 'US0000000002', weight: '60.5', country: 'US', sector: 'Technology' },
      { name: 'Def plc', isin: undefined, weight: '39.5', country: undefined, sector: undefined },
    ]);
    expect(fund('name,weight\nAbc,100.5')).toMatchObject([{ weight: '100.5' }]);
  });

  test.each([
    ['name,country\nAbc,US', 'F.csv, line 1: the column weight is missing.'],
    ['name,weight\n,5', 'F.csv, line 2: name is "" and should be written as in Example plc.'],
    ['name,weight\nAbc,-5', 'F.csv, line 2: weight is "-5" and should be written as in 4.25.'],
    ['name,weight\nAbc,5 %', 'F.csv, line 2: weight is "5 %" and should be written as in 4.25.'],
    ['name,weight,country\nAbc,5,USA', 'F.csv, line 2: country is "USA" and should be written as in GB.'],
    ['name,weight,isin\nAbc,5,US1', 'F.csv, line 2: isin is "US1" and should be written as in GB0000000009.'],
    ['name,weight\nAbc,60\nDef,40.51', 'F.csv, line 3: weight brings the sum to 100.51, which is over 100.'],
    [`name,weight\n${'Abc,0\n'.repeat(100_000)}`, 'F.csv, line 20002: the file has more than 20000 rows.'],
    [
      `name,weight\n${'A'.repeat(500_000)},5`,
      `F.csv, line 2: name is "${'A'.repeat(40)}" and should be written as in Example plc.`,
    ],
  ])('%.60j is one sentence with the line and the column', (text, message) => {
    expect(() => fund(text)).toThrow(expect.objectContaining({ message }));
  });
});
