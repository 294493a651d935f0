import { expect, test } from 'vitest';
import { toCashFlows } from '../../../src/features/analytics/cash-flows.ts';

const row = (type: string, amount: string, fromReport?: true) => ({
  type,
  amount,
  currency: 'GBP',
  dateTime: '2025-06-01T08:00:00Z',
  reference: undefined,
  fromReport,
});
const flows = (...rows: ReturnType<typeof row>[]) =>
  toCashFlows(rows).map(({ type, amount, isExternal }) => [type, amount.toFixed(), isExternal]);

test('card payments are money that the owner moved, and cashback and adjustments are not', () => {
  expect(
    flows(
      row('CARD_DEBIT', '-250'),
      row('CARD_CREDIT', '10'),
      row('CARD_REFUND', '0.75'),
      row('SPENDING_CASHBACK', '0.06'),
      row('RESULT_ADJUSTMENT', '-0.2'),
      row('CURRENCY_CONVERSION', '-100'),
    ),
  ).toEqual([
    ['CARD_DEBIT', '-250', true],
    ['CARD_CREDIT', '10', true],
    ['CARD_REFUND', '0.75', true],
    ['SPENDING_CASHBACK', '0.06', false],
    ['RESULT_ADJUSTMENT', '-0.2', false],
    ['CURRENCY_CONVERSION', '-100', false],
  ]);
});

test('signs of pages and of reports are judged apart', () => {
  expect(flows(row('WITHDRAW', '20'), row('WITHDRAW', '-30', true))).toEqual([
    ['WITHDRAW', '-20', true],
    ['WITHDRAW', '-30', true],
  ]);
});
