import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDecimalString } from '../../../../src/core/endpoints/decimal.ts';
import { parseTimestamp, readDecimal } from '../../../../src/features/history/reports/parse-cell.ts';
import { runs } from '../../../support/runs.ts';

describe('a time', () => {
  test.each([
    ['2025-06-01 09:30:15', '2025-06-01T09:30:15.000Z'],
    ['2025-06-01 09:30:15.1', '2025-06-01T09:30:15.100Z'],
    ['2025-06-01 09:30:15.123', '2025-06-01T09:30:15.123Z'],
    ['2025-06-01 09:30:15.123456789', '2025-06-01T09:30:15.123Z'],
    ['2025-06-01T09:30:15Z', '2025-06-01T09:30:15.000Z'],
    ['2025-06-01T09:30:15.5Z', '2025-06-01T09:30:15.500Z'],
    ['2024-02-29 23:59:59', '2024-02-29T23:59:59.000Z'],
    ['2025-06-01 09:30:15+00:00', '2025-06-01T09:30:15.000Z'],
    ['2025-06-01 00:30:15.98+02:00', '2025-05-31T22:30:15.980Z'],
  ])('%s is one moment in UTC', (cell, iso) => {
    expect(parseTimestamp(cell)).toEqual({ iso, at: new Date(iso).getTime() });
  });

  test.each([
    ...['', '2025-06-01', '2025-06-01 09:30', '2025-02-29 09:30:15', '2025-04-31 09:30:15', '2025-13-01 09:30:15'],
    ...['2025-12-31 24:00:00', '2025-06-01 09:60:00', '2025-06-00 09:30:15', '2025-06-01 09:30:15+0200', '١٢٣'],
    ...['x2025-06-01 09:30:15', '2025-06-01 09:30:15 ', '2025-06-01 09:30:15.'],
  ])('%j is none', (cell) => {
    expect(parseTimestamp(cell)).toBeUndefined();
  });

  test('survives writing and reading', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
        const iso = new Date(at).toISOString();
        expect(parseTimestamp(iso.replace('T', ' ').replace('Z', ''))).toEqual({ iso, at });
      }),
    );
  });
});

describe('a number', () => {
  test.each([
    ['12.3400000000', '12.34'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['0E-10', '0'],
    ['+5', '5'],
    ['007.10', '7.1'],
    ['12345678901234567890.00000000000000000001', '12345678901234567890.00000000000000000001'],
    ['1,234.50', '1234.5'],
    ['-12,345,678.9', '-12345678.9'],
  ])('%s is %s', (cell, exact) => {
    expect(readDecimal(cell)).toBe(exact);
  });

  test.each([
    '',
    '1,234',
    '1.234,5',
    '12,34.5',
    '1 234',
    '£5',
    '--5',
    '.5',
    '5%',
    'NaN',
    '1e99999',
    '５',
    '1e-31',
    '1e31',
    `1${'0'.repeat(100_000)}`,
    `0.${'1'.repeat(41)}`,
  ])('%j is none', (cell) => {
    expect(readDecimal(cell)).toBeUndefined();
  });

  test('is the same as everywhere else in the program, and has the value of its text', () => {
    const digits = fc.array(fc.constantFrom('0', '0', '1', '9', '.', '-'), { maxLength: 8 });
    fc.assert(
      fc.property(digits, (parts) => {
        const cell = parts.join('');
        const exact = readDecimal(cell);
        expect(exact).toBe(toDecimalString(cell));
        if (exact !== undefined) expect(new Big(exact).eq(new Big(cell.replace(/\.$/, '')))).toBe(true);
      }),
      { numRuns: runs(5000) },
    );
  });
});
