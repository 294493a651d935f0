import { expect, test } from 'vitest';
import { describeOpenYear, parseTaxYear } from '../../../src/core/text/dates.ts';

const inLondon = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'medium',
});

test('2025/26 is 6 April 2025 to 5 April 2026, from midnight in London, which is 23:00 UTC', () => {
  expect(parseTaxYear('2025/26')).toEqual({
    since: Date.parse('2025-04-05T23:00:00Z'),
    until: Date.parse('2026-04-05T23:00:00Z'),
  });
});

test('every year begins at midnight of 6 April in London, where the previous one ended', () => {
  let last: number | undefined;
  for (let year = 1972; year < 2100; year++) {
    const taxYear = parseTaxYear(`${year}/${String(year + 1).slice(2)}`);
    expect(inLondon.format(taxYear?.since)).toBe(`06/04/${year}, 00:00:00`);
    if (last !== undefined) expect(taxYear?.since).toBe(last);
    last = taxYear?.until;
  }
});

test('the year across the turn of a century is written with two zeros', () => {
  expect(parseTaxYear('1999/00')?.until).toBe(Date.parse('2000-04-05T23:00:00Z'));
});

test.each([
  '2025/27',
  '2025/25',
  '25/26',
  '2025/2026',
  '2025-26',
  '2025',
  '2025/6',
  '2025/26 ',
  ' 2025/26',
  '1971/72',
  '0000/01',
  '',
  '٢٠٢٥/٢٦',
])('"%s" is no tax year', (text) => {
  expect(parseTaxYear(text)).toBeUndefined();
});

test.each([
  ['2025-04-05T22:59:59.999Z', 'has not begun'],
  ['2025-04-05T23:00:00.000Z', 'has not ended'],
  ['2026-04-05T22:59:59.999Z', 'has not ended'],
  ['2026-04-05T23:00:00.000Z', undefined],
])('at %s the year 2025/26 %s', (moment, state) => {
  const bounds = { since: Date.parse('2025-04-05T23:00:00Z'), until: Date.parse('2026-04-05T23:00:00Z') };
  const expected = state === undefined ? undefined : expect.stringContaining(`The tax year ${state}: `);
  expect(describeOpenYear(bounds, Date.parse(moment))).toEqual(expected);
});
