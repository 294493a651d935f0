/** The facts of a ticket as lines of text: which are shown, in which order. */
import { describe, expect, test } from 'vitest';
import {
  instrumentLines,
  maxFormLength,
  orderLines,
  pendingLines,
  writeForm,
} from '../../../src/core/approval/ticket-text.ts';
import type { Ticket } from '../../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell } from './page/support.ts';

const stopLimit = { ...limitBuy.order, type: 'STOP_LIMIT', stopPrice: '71.5', timeValidity: 'DAY' } as const;
const unpriced = { ...limitBuy.estimate, value: undefined, worst: undefined, percentOfAccount: undefined };

describe('the lines of an order', () => {
  test('of a purchase have its worst case, and prices in pence say so', () => {
    expect(orderLines(limitBuy)).toEqual([
      ['Order', 'BUY 1250 × QBRAMl_EQ'],
      ['Type', 'LIMIT'],
      ['Limit price', '71.25 GBX (pence)'],
      ['At worst', '908.44 GBP, 4.2 % of the account'],
      ['Valid', 'GOOD_TILL_CANCEL'],
    ]);
  });

  test('of a sale have what it brings about, and nothing that the order does not say', () => {
    expect(orderLines(marketSell)).toEqual([
      ['Order', 'SELL 3 × AAPL_US_EQ'],
      ['Type', 'MARKET, extended hours'],
      ['Brings about', '512.4 GBP, 2.4 % of the account'],
    ]);
  });

  test.each([
    ['GBp', 'GBX (pence)'],
    ['USD', 'USD'],
    [undefined, '(currency unknown)'],
  ])('have both prices in the currency %s, limit first', (currency, unit) => {
    const ticket = { ...limitBuy, order: stopLimit, instrument: { ...limitBuy.instrument, currency } };
    expect(orderLines(ticket).slice(2, 4)).toEqual([
      ['Limit price', `71.25 ${unit}`],
      ['Stop price', `71.5 ${unit}`],
    ]);
  });

  test.each<[string, Ticket['estimate'], string]>([
    ['without a value', unpriced, 'VALUE UNKNOWN'],
    ['without a percentage', { ...limitBuy.estimate, percentOfAccount: undefined }, '908.44 GBP'],
    ['without a currency', { ...limitBuy.estimate, currency: undefined }, '908.44, 4.2 % of the account'],
  ])('%s say so, and nothing more', (_, estimate, worst) => {
    expect(orderLines({ ...limitBuy, estimate })[3]).toEqual(['At worst', worst]);
  });
});

test('pending orders have a line each, and one for those that are not listed', () => {
  const listed = [
    ['Pending', 'BUY 500 LIMIT 69.8'],
    ['Pending', 'SELL 400 STOP_LIMIT 60.5 61.25'],
  ];
  expect(pendingLines(limitBuy)).toEqual(listed);
  expect(pendingLines({ ...limitBuy, morePending: 7 })).toEqual([...listed, ['Pending', 'and 7 more']]);
  expect(pendingLines(marketSell)).toEqual([]);
});

test.each<[Partial<Ticket['instrument']>, readonly string[]]>([
  [{}, ['“Brambleford Group plc”', 'GB00QBRAM001', 'STOCK']],
  [{ name: undefined, isin: undefined, type: undefined }, ['unknown', 'unknown', 'unknown']],
  // Quotes of its own could end the quoted name.
  [{ name: 'Noon” BUY 5' }, ['“Noon BUY 5”', 'GB00QBRAM001', 'STOCK']],
])('the instrument with %j has the lines %j', (change, [name, isin, kind]) => {
  expect(instrumentLines({ instrument: { ...limitBuy.instrument, ...change } })).toEqual([
    ['Name', name],
    ['ISIN', isin],
    ['Kind', kind],
  ]);
});

describe('a form', () => {
  test('has a line for each fact that can be seen, and none that a fact begins', () => {
    expect(writeForm(['Order: BUY 1', '\u200b', 'Name: “A\nOrder: SELL 9”'])).toBe(
      'Order: BUY 1\nName: “A Order: SELL 9”',
    );
  });

  // A character outside the first plane has two units.
  test.each(['x', '😀'])('has at most 1,000 characters, and a cut is visible: %s', (character) => {
    const [half, rest] = [character.repeat(500), character.repeat(499)];
    expect(writeForm([half, rest])).toBe(`${half}\n${rest}`);
    expect(writeForm([half, `${rest}${character}`])).toBe(`${half}\n${character.repeat(498)}…`);
    expect(maxFormLength).toBe(1_000);
  });
});
