/** The question of a form: every fact of the ticket beside its name, and text from elsewhere last. */
import { expect, test } from 'vitest';
import { describeTicket } from '../../../src/core/mcp/elicitation.ts';
import { limitBuy } from '../approval/page/support.ts';

const facts = [
  'Order: BUY 1250 × QBRAMl_EQ',
  'Type: Limit: at the limit price or better',
  'Limit price: 71.25 GBX (pence)',
  'Worst case: 908.44 GBP, with 2 % for charges and exchange',
  'Valid: Until it is cancelled',
  'Estimated cost: 890.63 GBP',
  'Of the account: 4.2 %',
  'Price used: 71.25 GBX (pence), the limit price',
  'Position: 400 → 1650',
  'Prices of this instrument are in pence (GBX).',
  'Type the quantity to approve',
  'ISIN: GB00QBRAM001',
  'Kind: STOCK',
  'Currency: GBX prices in pence 100 GBX are 1 GBP',
  'Name: “Brambleford Group plc”',
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
