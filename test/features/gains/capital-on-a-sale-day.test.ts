/**
 * Capital that is returned on the day of a sale. TCGA 1992 s 122(2) deducts it from the cost of the shares held; a sale
 * later that day takes a cost that is already smaller. Expected figures are worked out by hand.
 */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { applyTaxRecords } from '../../../src/features/gains/apply-records.ts';
import { noTaxRecords } from '../../../src/features/gains/cost-entries.ts';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import type { GainsMethod } from '../../../src/features/gains/gain-types.ts';
import { action, buy, gainsOf, leftLines, methods, sell } from './trades.ts';

const day = '2024-06-10';
const bought = buy('2024-01-02', 100, 1000);
const sold = (time: string, quantity: number, value: number) => sell(`${day}T${time}:00Z`, quantity, value);
const capital = (time: string, amount: number, type = 'RETURN_OF_CAPITAL') =>
  ({ ticker: 'A', type, paidOn: `${day}T${time}:00Z`, amount: String(amount), currency: 'GBP' }) as Dividend;

function gainsWith(method: GainsMethod, rows: readonly Trade[], dividends: readonly Dividend[]) {
  const applied = applyTaxRecords(rows.toSorted(compareExecution), dividends, noTaxRecords, method);
  const gains = gainsOf(applied.trades, { method, ...applied.options });
  const unmatched = gains.unmatched.map(({ reason, proceeds }) => [reason, proceeds?.toFixed(2)]);
  return { gains, gain: gains.totals.gain.toFixed(2), unmatched, remarks: [...applied.remarks, ...gains.remarks] };
}

describe.each(methods)('by %s capital', (method) => {
  test('before the sale of all shares lowers the cost of the sale', () => {
    const { gain, unmatched } = gainsWith(method, [bought, sold('14:00', 100, 1200)], [capital('08:00', 50)]);
    expect([gain, unmatched]).toEqual(['250.00', []]);
  });

  test('before the sale of half lowers the cost of each half', () => {
    const { gains, gain } = gainsWith(method, [bought, sold('14:00', 50, 600)], [capital('08:00', 50)]);
    // 600 − (1,000 − 50) × 50 / 100.
    expect([gain, leftLines(gains)]).toEqual(['125.00', ['A 50: 475.00']]);
    const rule = method === 'uk_section_104' ? 'section_104' : method;
    expect(gains.disposals[0]?.matches.map((match) => match.rule)).toEqual([rule]);
  });

  test('after the sale of half lowers the cost of the rest', () => {
    const { gains, gain } = gainsWith(method, [bought, sold('08:00', 50, 600)], [capital('14:00', 50)]);
    expect([gain, leftLines(gains)]).toEqual(['100.00', ['A 50: 450.00']]);
  });

  test('between two sales lowers the cost of the second', () => {
    const rows = [bought, sold('08:00', 25, 300), sold('14:00', 25, 300)];
    const { gains } = gainsWith(method, rows, [capital('12:00', 50)]);
    // 250, and (750 − 50) × 25 / 75.
    expect([gains.totals.cost.toFixed(6), leftLines(gains)]).toEqual(['483.333333', ['A 50: 466.67']]);
  });
});

describe('by the UK rules', () => {
  const uk = (rows: readonly Trade[], dividends: readonly Dividend[]) => gainsWith('uk_section_104', rows, dividends);

  test('capital after the sale of all shares lowers the cost of the sale, because the shares of the day had it', () => {
    const { gain, unmatched, gains } = uk([bought, sold('08:00', 100, 1200)], [capital('14:00', 50)]);
    expect([gain, unmatched, leftLines(gains)]).toEqual(['250.00', [], ['A 0: 0.00']]);
  });

  test('capital above the cost of all shares of the day is beyond it', () => {
    const { gain, unmatched, remarks } = uk([bought, sold('08:00', 100, 1200)], [capital('14:00', 1010)]);
    expect([gain, unmatched]).toEqual(['1200.00', [['capital_beyond_cost', '10.00']]]);
    // Only what was deducted.
    expect(remarks[0]).toContain('1000.00 of returned capital');
  });

  test('shares of the same day and of the 30 days after keep the cost of their purchase', () => {
    const rows = [bought, sold('10:00', 40, 600), buy(`${day}T11:00:00Z`, 10, 130), buy('2024-06-20', 10, 140)];
    const { gains } = uk(rows, [capital('08:00', 50)]);
    // 130, 140, and (1,000 − 50) × 20 / 100.
    expect(gains.totals.cost.toFixed(2)).toBe('460.00');
    expect(gains.disposals.map(formatPool)).toEqual(['80 = 760.00']);
  });

  test('the pool after the sales of the day is the one before later capital', () => {
    const { gains } = uk([bought, sold('08:00', 50, 600)], [capital('14:00', 50)]);
    expect(gains.disposals.map(formatPool)).toEqual(['50 = 500.00']);
  });

  test('capital after a matched repurchase lowers the cost of the pool alone', () => {
    const rows = [buy('2024-01-02', 30, 300), sell('2024-06-01', 10, 200), buy('2024-06-09', 10, 150)];
    const { gain, gains } = uk(rows, [{ ...capital('12:00', 90), paidOn: '2024-06-14T12:00:00Z' }]);
    // The example of docs/history.md: 200 − 150, and 300 − 90.
    expect([gain, leftLines(gains)]).toEqual(['50.00', ['A 30: 210.00']]);
  });

  test('shares of an unknown cost give none', () => {
    const rows = [bought, action('2024-02-02', 'FOP', 10), sold('08:00', 110, 1200)];
    const { unmatched, remarks } = uk(rows, [capital('14:00', 50)]);
    expect(unmatched.map(([reason]) => reason)).toEqual(['original_cost_unknown', 'original_cost_unknown']);
    expect(remarks.filter((remark) => remark.includes('returned capital'))).toEqual([]);
  });
});

test.each(methods)('a remark adds up only what was deducted, by %s', (method) => {
  const { remarks, unmatched } = gainsWith(method, [buy('2024-01-02', 10, 100)], [capital('08:00', 120)]);
  expect(unmatched).toEqual([['capital_beyond_cost', '20.00']]);
  expect(remarks).toEqual([
    'A (2024-06-10): 100.00 of returned capital is deducted from the cost of the shares held, as TCGA 1992 s 122 allows for a small distribution.',
  ]);
});

test.each(methods)('a payment of the borrower of lent shares is no capital of the company, by %s', (method) => {
  const type = 'RETURN_OF_CAPITAL_MANUFACTURED_PAYMENT';
  const { remarks, gain } = gainsWith(method, [bought, sold('14:00', 100, 1200)], [capital('08:00', 50, type)]);
  expect([gain, remarks]).toEqual([
    '200.00',
    [
      'A: 50.00 GBP of RETURN_OF_CAPITAL_MANUFACTURED_PAYMENT came from the borrower of the shares and not from the company, so it is not deducted from their cost, and no gain includes it.',
    ],
  ]);
});

test.each(methods)('a sale of nothing for nothing has the currency of the account, by %s', (method) => {
  const pounds = { valueCurrency: 'GBP' };
  const gains = gainsOf(
    [
      buy('2024-01-02', 10, 100, pounds),
      sell('2024-02-02', 10, 150, pounds),
      buy('2024-01-02', '0.3', 0, { ...pounds, ticker: 'B' }),
      sell('2024-02-02', '0.3', 0, { ...pounds, ticker: 'B' }),
      buy('2024-01-02', '0.3', 0, { ticker: 'C' }),
      sell('2024-02-02', '0.3', 0, { ticker: 'C' }),
    ],
    { method },
  );
  expect(gains.totalsByCurrency.map(({ currency, disposals, gain }) => [currency, disposals, gain.toFixed()])).toEqual([
    ['GBP', 3, '50'],
  ]);
  expect(gains.byTicker.map(({ ticker, currency }) => [ticker, currency])).toEqual([
    ['A', 'GBP'],
    ['B', 'GBP'],
    ['C', undefined],
  ]);
});

test('amounts are exact over a day of three sales whose parts are periodic', () => {
  const rows = [buy('2024-01-02', 7, 100), sold('08:00', 1, 10), sold('12:00', 1, 10), sold('14:00', 1, 10)];
  const { gains } = gainsWith('uk_section_104', rows, [capital('10:00', 1)]);
  // 100/7 + 2 × (600/7 − 1)/6 = 900/21 − 1/3.
  expect(
    gains.totals.cost
      .minus(new Big(900).div(21).minus(new Big(1).div(3)))
      .abs()
      .lt('1e-15'),
  ).toBe(true);
  expect(gains.totals.cost.plus(gains.left[0]?.cost ?? 0).toFixed()).toBe('99');
});
