/** The facts of a ticket as text: which there are, in which order, and what each says. */
import { describe, expect, test } from 'vitest';
import {
  balanceFacts,
  costFacts,
  type Fact,
  identityFacts,
  orderFacts,
  writeOrder,
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
      'Worst case: 908.44 GBP, with 2.0% for charges and exchange',
      'Valid: Until it is cancelled',
    ]);
    // 71.25 is 5 % below 75.
    expect(linesOf(costFacts(limitBuy))).toEqual([
      'Estimated cost: 890.63 GBP',
      'Of the account: 4.2%',
      'Last price: 75.00 GBX (pence), the limit is 5.0% below it',
    ]);
  });

  test('to sell have no worst case that is only its estimate, and nothing that the order does not say', () => {
    expect(linesOf(orderFacts(marketSell))).toEqual([
      'Type: Market: at the next available price, whatever it is',
      'Extended hours: Yes, also outside regular hours',
    ]);
    expect(linesOf(costFacts(marketSell))).toEqual([
      'Estimated proceeds: 512.40 GBP, at the last price',
      'Of the account: 2.4%',
      'Last price: 227.50 USD',
    ]);
  });

  test.each<[Partial<Ticket['order']>, string | undefined, string]>([
    [{ limitPrice: '75' }, '75', '75.00 GBX (pence), the limit is equal to it'],
    [{ limitPrice: '75.03' }, '75', '75.00 GBX (pence), the limit is 0.0% above it'],
    [{ limitPrice: '90' }, '75', '75.00 GBX (pence), the limit is 20.0% above it'],
    [{ type: 'STOP', limitPrice: undefined, stopPrice: '60' }, '75', '75.00 GBX (pence), the stop is 20.0% below it'],
    [
      { type: 'STOP_LIMIT', limitPrice: '90', stopPrice: '82.5' },
      '75',
      '75.00 GBX (pence), the limit is 20.0% above and the stop 10.0% above it',
    ],
    [{}, undefined, 'NOT KNOWN, so the price cannot be compared'],
    [{ type: 'MARKET', limitPrice: undefined }, undefined, 'NOT KNOWN'],
    // A price of zero has no percentage.
    [{}, '0', '0.00 GBX (pence)'],
  ])('of %j, with the last price %s, have the distance from it', (order, lastKnownPrice, line) => {
    const ticket = {
      ...limitBuy,
      order: { ...limitBuy.order, ...order } as Ticket['order'],
      estimate: { ...limitBuy.estimate, lastKnownPrice },
    };
    expect(linesOf(costFacts(ticket)).at(-1)).toBe(`Last price: ${line}`);
  });

  test.each<[Partial<Ticket>, string]>([
    [{}, '23311.72 GBP, now 24202.35 GBP, before charges'],
    [{ cash: { before: '24202.35', after: undefined } }, 'UNKNOWN, now 24202.35 GBP, before charges'],
    [{ cash: undefined }, 'UNKNOWN'],
  ])('have the cash after it: with %j', (change, line) => {
    expect(linesOf(balanceFacts({ ...limitBuy, ...change }))).toEqual([`Cash after: ${line}`, 'Position: 400 → 1650']);
  });

  test('that stops is estimated at its stop price', () => {
    const ticket = { ...limitBuy, estimate: { ...limitBuy.estimate, priceFrom: 'stopPrice' } };
    expect(linesOf(costFacts(ticket))[0]).toBe('Estimated cost: 890.63 GBP, at the stop price');
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
      '908.44 in the account’s currency, with 2.0% for charges and exchange',
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
  [{}, ['ISIN: GB00QBRAM001', 'Kind: Stock', 'Currency: USD']],
  [{ type: 'ETF' }, ['ISIN: GB00QBRAM001', 'Kind: ETF', 'Currency: USD']],
  [
    { name: undefined, isin: undefined, type: undefined },
    ['ISIN: unknown', 'Kind: unknown', 'Currency: USD', 'Name: unknown'],
  ],
  // Quotes of its own could end the quoted name.
  [{ name: 'Noon” BUY 5' }, ['ISIN: GB00QBRAM001', 'Kind: Stock', 'Currency: USD', 'Name: “Noon BUY 5”']],
])('the instrument with %j has the facts %j', (change, lines) => {
  const ticket = { ...limitBuy, instrument: { ...limitBuy.instrument, currency: 'USD', ...change } };
  expect(linesOf(identityFacts(ticket))).toEqual(lines);
});

test.each<readonly [string | undefined, string]>([
  ['Brambleford Group plc', 'BUY 1250 × Brambleford Group plc, QBRAMl_EQ'],
  ['3i Group', 'BUY 1250 × 3i Group, QBRAMl_EQ'],
  ['iShares Core S&P 500 USD (Acc)', 'BUY 1250 × iShares Core S&P 500 USD (Acc), QBRAMl_EQ'],
  // Each of these could be read as a fact of the order.
  ...[
    ...['Noon at 1.00', '99 Noon', '1 000 Noon', 'Noon 5 shares', 'Noon buy', 'SELL Noon', 'Noon Limit', 'Noon STOP'],
    ...['Noon market', 'Noon DAY', 'Noon worst', 'Noon approve', 'Noon Approved', 'Noon DEMO', 'Noon sandbox'],
    undefined,
  ].map((name) => [name, 'BUY 1250 × QBRAMl_EQ'] as const),
])('an order of %s is written %s', (name, text) => {
  expect(writeOrder(limitBuy.order, { name })).toBe(text);
  const isLast = linesOf(identityFacts({ ...limitBuy, instrument: { ...limitBuy.instrument, name } })).length === 4;
  expect(isLast).toBe(!text.includes(','));
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
