/** The facts of a ticket as text: which there are, in which order, and what each says. */
import { describe, expect, test } from 'vitest';
import {
  costFacts,
  type Fact,
  identityFacts,
  orderFacts,
  writeTerms,
} from '../../../src/core/approval/ticket-facts.ts';
import { maxFormLength, pendingFacts, writeFact, writeForm } from '../../../src/core/approval/ticket-text.ts';
import type { Ticket } from '../../../src/core/orders/intent/approval-port.ts';
import { limitBuy, marketSell } from './page/support.ts';

const stopLimit = { ...limitBuy.order, type: 'STOP_LIMIT', stopPrice: '71.5', timeValidity: 'DAY' } as const;
const unpriced = { ...limitBuy.estimate, value: undefined, worst: undefined, percentOfAccount: undefined };
const linesOf = (facts: readonly Fact[]) => facts.map(writeFact);

describe('the facts of an order', () => {
  test('to buy have its worst case, and prices in pence say so', () => {
    expect(linesOf(orderFacts(limitBuy))).toEqual([
      'Type: Limit: at the limit price or better',
      'Limit price: 71.25 GBX (pence)',
      'Worst case: 908.44 GBP, with 2 % for charges and exchange',
      'Valid: Until it is cancelled',
    ]);
  });

  test('to sell have no worst case that is only its estimate, and nothing that the order does not say', () => {
    expect(linesOf(orderFacts(marketSell))).toEqual([
      'Type: Market: at the next available price, whatever it is',
      'Extended hours: Yes, also outside regular hours',
    ]);
    expect(linesOf(costFacts(marketSell))).toEqual([
      'Estimated proceeds: 512.40 GBP',
      'Of the account: 2.4 %',
      'Price used: 227.50 USD, the last known price',
    ]);
  });

  test.each([
    ['GBp', 'GBp (pence)'],
    ['USD', 'USD'],
    [undefined, 'in an unknown currency'],
  ])('have both prices in the currency %s, limit first', (currency, unit) => {
    const ticket = { ...limitBuy, order: stopLimit, instrument: { ...limitBuy.instrument, currency } };
    expect(linesOf(orderFacts(ticket)).slice(1, 3)).toEqual([
      `Limit price: 71.25 ${unit}`,
      `Stop price: 71.50 ${unit}`,
    ]);
  });

  test.each<[string, Ticket['estimate'], string]>([
    ['without a value', unpriced, 'VALUE UNKNOWN'],
    [
      'without a currency',
      { ...limitBuy.estimate, currency: undefined },
      '908.44 in the account’s currency, with 2 % for charges and exchange',
    ],
  ])('%s say so, and nothing more', (_, estimate, worst) => {
    expect(linesOf(orderFacts({ ...limitBuy, estimate }))[2]).toBe(`Worst case: ${worst}`);
  });

  test.each<[Ticket, string]>([
    [limitBuy, 'LIMIT limit 71.25 GBX at worst 908.44 GOOD_TILL_CANCEL'],
    [marketSell, 'MARKET about 512.4 extended hours'],
    [{ ...limitBuy, order: stopLimit }, 'STOP_LIMIT limit 71.25 GBX stop 71.5 GBX at worst 908.44 DAY'],
    [{ ...limitBuy, estimate: unpriced }, 'LIMIT limit 71.25 GBX at worst UNKNOWN GOOD_TILL_CANCEL'],
    [{ ...marketSell, estimate: unpriced }, 'MARKET about UNKNOWN extended hours'],
    [{ ...marketSell, order: { ...marketSell.order, extendedHours: false } }, 'MARKET about 512.4'],
  ])('have a short form in one line: %#', (ticket, line) => {
    expect(writeTerms(ticket)).toBe(line);
  });
});

test('pending orders have a line each, and one for those that are not listed', () => {
  const listed = ['Pending: BUY 500 LIMIT 69.8', 'Pending: SELL 400 STOP_LIMIT 60.5 61.25'];
  expect(linesOf(pendingFacts(limitBuy))).toEqual(listed);
  expect(linesOf(pendingFacts({ ...limitBuy, morePending: 7 }))).toEqual([...listed, 'Pending: and 7 more']);
  expect(pendingFacts(marketSell)).toEqual([]);
});

test.each<[Partial<Ticket['instrument']>, readonly string[]]>([
  [{}, ['GB00QBRAM001', 'STOCK', '“Brambleford Group plc”']],
  [{ name: undefined, isin: undefined, type: undefined }, ['unknown', 'unknown', 'unknown']],
  // Quotes of its own could end the quoted name.
  [{ name: 'Noon” BUY 5' }, ['GB00QBRAM001', 'STOCK', '“Noon BUY 5”']],
])('the instrument with %j has the facts %j, and its name last', (change, [isin, kind, name]) => {
  const ticket = { ...limitBuy, instrument: { ...limitBuy.instrument, currency: 'USD', ...change } };
  expect(linesOf(identityFacts(ticket))).toEqual([`ISIN: ${isin}`, `Kind: ${kind}`, 'Currency: USD', `Name: ${name}`]);
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
