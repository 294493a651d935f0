/** Which rows explain the cash and the shares of an account, and with which sign. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CashFlow } from '../../../src/features/analytics/cash-flows.ts';
import { checkCash, checkHoldings } from '../../../src/features/analytics/reconciliation.ts';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import { action, at, buy, sell } from '../gains/trades.ts';
import { dividend, position, summaryOf } from './support.ts';

const flow = (amount: string, currency: string | undefined = 'GBP', type = 'DEPOSIT'): CashFlow => ({
  at: at('2024-01-01'),
  type,
  amount: new Big(amount),
  currency,
  isExternal: true,
});
const cashOf = (trades: readonly Trade[], flows: readonly CashFlow[] = [], dividends = [] as never[], cash = '0') =>
  checkCash({ trades, flows, dividends }, summaryOf({ cash }));

describe('the cash', () => {
  test('is what came in less what was paid', () => {
    const dividends = [dividend({ ticker: 'A', amount: '3', paidOn: '2024-02-01' })] as never[];
    const trades = [buy('2024-01-02', 10, 100), sell('2024-01-03', 5, 70)];
    const check = cashOf(trades, [flow('1000'), flow('-200', 'GBP', 'WITHDRAW')], dividends, '773');
    expect(check).toMatchObject({ expected: '773', actual: '773', residual: '0', holds: true });
    expect(check?.note).toBeUndefined();
  });

  test.each([
    ['773.005', true],
    ['773.0051', false],
    ['772.995', true],
    ['772.9949', false],
  ])('of %s is explained by 773: %s', (cash, holds) => {
    expect(cashOf([], [flow('773')], [], cash)?.holds).toBe(holds);
  });

  test('is that for trading, in pies and reserved', () => {
    const summary = { ...summaryOf({}), cash: { availableToTrade: '1', inPies: '20', reservedForOrders: '300' } };
    expect(checkCash({ trades: [], flows: [flow('321')], dividends: [] }, summary)?.holds).toBe(true);
  });

  test.each([
    ['a split without a value', action('2024-01-02', 'STOCK_SPLIT', 10), '0', undefined],
    ['a transfer with a value', action('2024-01-02', 'FOP', 10, 500), '0', undefined],
    ['a transfer out with a value', sell('2024-01-02', 10, 500, { type: 'FOP' }), '0', undefined],
    ['shares of a rights issue', action('2024-01-02', 'EQUITY_RIGHTS', 10, 50), '-50', undefined],
    ['shares taken over for cash', sell('2024-01-02', 10, 50, { type: 'STOCK_ACQUISITION' }), '50', undefined],
    ['a purchase without a value', buy('2024-01-02', 10, undefined), '0', 'BUY of A on 2024-01-02'],
    ['a sale without a value', sell('2024-01-02', 10, undefined), '0', 'SELL of A on 2024-01-02'],
    ['a sale in dollars', sell('2024-01-02', 10, 50, { valueCurrency: 'USD' }), '0', 'SELL of A on 2024-01-02 in USD'],
    ['a sale in pounds', sell('2024-01-02', 10, 50, { valueCurrency: 'GBP' }), '50', undefined],
  ])('changes by %s as it says', (_, trade, sum, left) => {
    const check = cashOf([trade], [], [], '9');
    expect(check?.expected).toBe(sum);
    expect(check?.note).toBe(
      left === undefined
        ? 'Rows are missing from the histories, a booking is in progress, or the account has bookings that no history lists.'
        : `Rows without an amount or in another currency are not counted: ${left}.`,
    );
  });

  test('leaves out bookings and dividends in another currency, and names them', () => {
    const dividends = [dividend({ ticker: 'A', amount: '3', paidOn: '2024-02-01', currency: 'USD' })] as never[];
    const check = cashOf([], [flow('10', 'EUR'), flow('7', undefined)], dividends, '9');
    expect([check?.expected, check?.note]).toEqual([
      '7',
      'Rows without an amount or in another currency are not counted: DEPOSIT on 2024-01-01 in EUR, dividend of A on 2024-02-01 in USD.',
    ]);
  });
});

describe('the shares', () => {
  const held = (ticker: string, quantity: string) => position({ ticker, quantity });

  test('are what came in less what left, whatever sign a sale has', () => {
    const trades = [
      buy('2024-01-02', 10, 100),
      sell('2024-01-03', 2, 30),
      sell('2024-01-04', -3, 30),
      action('2024-01-05', 'FOP', -1),
      action('2024-01-06', 'STOCK_SPLIT', 4),
    ];
    expect(checkHoldings(trades, [held('A', '5'), held('A', '3')])).toEqual([
      {
        name: 'tickers whose fills add up to the quantity held',
        expected: '1',
        actual: '1',
        residual: '0',
        holds: true,
      },
    ]);
  });

  test.each([
    ['10.00000001', true],
    ['10.000000011', false],
    ['9.99999999', true],
    ['9.999999989', false],
  ])('of %s are explained by 10: %s', (quantity, holds) => {
    expect(checkHoldings([buy('2024-01-02', 10, 100)], [held('A', quantity)])[0]?.holds).toBe(holds);
  });

  test('that are held without fills, or filled without being held, are each a line', () => {
    const [count, ...lines] = checkHoldings([buy('2024-01-02', 10, 100, { ticker: 'B' })], [held('A', '5')]);
    expect(count).toMatchObject({ expected: '2', actual: '0', holds: false, note: 'Those that do not follow.' });
    expect(lines.map(({ name, residual }) => [name, residual])).toEqual([
      ['fills of A = quantity held', '5'],
      ['fills of B = quantity held', '-10'],
    ]);
  });

  test.each([
    [20, 'Those that do not follow.'],
    [21, 'The first 20 follow.'],
  ])('of %i tickers that differ at most twenty are lines', (tickers, note) => {
    const positions = Array.from({ length: tickers }, (_, n) => held(`T${n}`, '1'));
    const [count, ...lines] = checkHoldings([], positions);
    expect([count?.note, lines.length]).toEqual([note, 20]);
  });
});
