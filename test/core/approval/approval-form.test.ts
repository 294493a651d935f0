/** The question of a form: every fact of the ticket beside its name, and text from elsewhere last. */
import { expect, test } from 'vitest';
import { describeTicket } from '../../../src/core/approval/approval-form.ts';
import { limitBuy } from './page/support.ts';

const facts = [
  'Order: BUY 1250 × Brambleford Group plc, QBRAMl_EQ',
  'Type: Limit: at the limit price or better',
  'Limit price: 71.25 GBX (pence)',
  'Worst case: 908.44 GBP, with 2.0% for charges and exchange',
  'Valid: Until it is cancelled',
  'Estimated cost: 890.63 GBP',
  'Of the account: 4.2%',
  'Last price: 75.00 GBX (pence), the limit is 5.0% below it',
  'Cash after: 23311.72 GBP, now 24202.35 GBP, before charges',
  'Position: 400 → 1650',
  'Prices of this instrument are in pence (GBX).',
  'Type the quantity to approve',
  'ISIN: GB00QBRAM001',
  'Kind: Stock',
  'Currency: GBX prices in pence 100 GBX are 1 GBP',
];

test('a form has the facts of its order, each with its name', () => {
  expect(describeTicket(limitBuy).split('\n')).toEqual(['LIVE', ...facts]);
});

test('a form that was wrong says what was wrong first, and a repetition says that it is one', () => {
  expect(describeTicket({ ...limitBuy, isRepetition: true }, 'WRONG QUANTITY').split('\n')).toEqual([
    'WRONG QUANTITY',
    'LIVE, SECOND IDENTICAL ORDER',
    ...facts,
  ]);
});
