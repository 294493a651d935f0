/** The question of a form: every fact of the ticket beside its name, and text from elsewhere last. */
import { expect, test } from 'vitest';
import { describeTicket } from '../../../src/core/mcp/elicitation.ts';
import { limitBuy } from '../approval/page/support.ts';

const facts = [
  'Order: BUY 1250 × QBRAMl_EQ',
  'Type: LIMIT',
  'Limit price: 71.25 GBX (pence)',
  'At worst: 908.44 GBP, 4.2 % of the account',
  'Valid: GOOD_TILL_CANCEL',
  'Position after: 1650',
  'Prices of this instrument are in pence (GBX).',
  'Type the quantity to approve',
  'Name: “Brambleford Group plc”',
  'ISIN: GB00QBRAM001',
  'Kind: STOCK',
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
