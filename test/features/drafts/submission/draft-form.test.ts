/** What the form of a host shows of a draft, line by line, and which drafts get none. */
import { describe, expect, test } from 'vitest';
import type { DraftLegTicket, DraftTicket, LegTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import {
  canUseForm,
  getFormTotal,
  writeDraftForm,
} from '../../../../src/features/drafts/submission/announce-approval.ts';
import { buyLeg, sellLeg, twoLegs } from '../page/draft-ticket-support.ts';

/** A form has at most 1,000 characters. */
const maxLength = 1_000;

const linesOf = (ticket: DraftTicket, problem?: string): readonly string[] =>
  writeDraftForm(ticket, problem).split('\n');

/** A draft with one leg, which differs from a market order to buy by what is given. */
function withLeg(change: Partial<DraftLegTicket>, ticket: Partial<LegTicket> = {}): DraftTicket {
  const { limitPrice: _, timeValidity: __, ...order } = buyLeg.ticket.order;
  const plain: LegTicket = { ...buyLeg.ticket, order: { ...order, type: 'MARKET' }, warnings: [], ...ticket };
  return { ...twoLegs, legs: [{ ...buyLeg, isPriceAssumed: false, isDependent: false, ticket: plain, ...change }] };
}

const plainOrder = withLeg({}).legs[0]?.ticket.order as LegTicket['order'];
const withOrder = (order: Partial<LegTicket['order']>, ticket: Partial<LegTicket> = {}): DraftTicket =>
  withLeg({}, { order: { ...plainOrder, ...order }, ...ticket });
const withTotals = (totals: Partial<DraftTicket['totals']>): DraftTicket => ({
  ...twoLegs,
  totals: { ...twoLegs.totals, ...totals },
});

test('a form has the environment, the orders in their sequence with their numbers in the draft, the totals, the warnings, the question, and the names last', () => {
  expect(linesOf(twoLegs)).toEqual([
    'LIVE, 2 ORDERS',
    '2: SELL 3 × AAPL_US_EQ MARKET about 512.4 extended hours',
    '1: BUY 1250 × QBRAMl_EQ LIMIT limit 71.25 GBX at worst 908.44 GOOD_TILL_CANCEL price assumed after the sells',
    'Buys: 890.63 GBP, at worst 908.44 GBP',
    'Sells: 512.40 GBP',
    'Cash if all are filled: 23819.67 GBP, now 24202.35 GBP',
    'Charges: 4.45 GBP, estimated',
    'Largest order: 4.2% of the account',
    'Largest instrument: 4.3% of the account, QBRAMl_EQ',
    'Total: 1403.03',
    '1: Prices of this instrument are in pence (GBX).',
    'Type the number of orders and the total to approve',
    'AAPL_US_EQ, US0378331005, Stock, USD, “Apple Inc.”',
    'QBRAMl_EQ, GB00QBRAM001, Stock, GBX prices in pence 100 GBX are 1 GBP, “Brambleford Group plc”',
  ]);
});

describe('the line of a leg', () => {
  test.each<[string, DraftTicket, string]>([
    ['has only what its order has', withOrder({}), 'BUY 1250 × QBRAMl_EQ MARKET at worst 908.44'],
    [
      'has a limit price with its currency',
      withOrder({ type: 'LIMIT', limitPrice: '71.25' }),
      'BUY 1250 × QBRAMl_EQ LIMIT limit 71.25 GBX at worst 908.44',
    ],
    [
      'has a stop price with its currency',
      withOrder({ type: 'STOP', stopPrice: '80' }),
      'BUY 1250 × QBRAMl_EQ STOP stop 80 GBX at worst 908.44',
    ],
    [
      'has the limit before the stop, each with its currency',
      withOrder({ type: 'STOP_LIMIT', stopPrice: '80', limitPrice: '81' }),
      'BUY 1250 × QBRAMl_EQ STOP_LIMIT limit 81 GBX stop 80 GBX at worst 908.44',
    ],
    [
      'says that the currency of its prices is unknown',
      withOrder(
        { type: 'LIMIT', limitPrice: '71.25' },
        { instrument: { ...buyLeg.ticket.instrument, currency: undefined } },
      ),
      'BUY 1250 × QBRAMl_EQ LIMIT limit 71.25 (currency unknown) at worst 908.44',
    ],
    [
      'says that its value is unknown',
      withOrder({}, { estimate: { ...buyLeg.ticket.estimate, worst: undefined } }),
      'BUY 1250 × QBRAMl_EQ MARKET at worst UNKNOWN',
    ],
    [
      'does not call what a sell brings its worst case',
      withOrder({ side: 'SELL' }),
      'SELL 1250 × QBRAMl_EQ MARKET about 908.44',
    ],
    ['has how long it is valid', withOrder({ timeValidity: 'DAY' }), 'BUY 1250 × QBRAMl_EQ MARKET at worst 908.44 DAY'],
    [
      'says that it trades outside the session',
      withOrder({ extendedHours: true }),
      'BUY 1250 × QBRAMl_EQ MARKET at worst 908.44 extended hours',
    ],
    [
      'begins with a repetition',
      withOrder({}, { isRepetition: true }),
      'SECOND IDENTICAL ORDER: BUY 1250 × QBRAMl_EQ MARKET at worst 908.44',
    ],
    [
      'says that its price was assumed',
      withLeg({ isPriceAssumed: true }),
      'BUY 1250 × QBRAMl_EQ MARKET at worst 908.44 price assumed',
    ],
    [
      'says that it waits for the sells',
      withLeg({ isDependent: true }),
      'BUY 1250 × QBRAMl_EQ MARKET at worst 908.44 after the sells',
    ],
  ])('%s', (_, ticket, line) => {
    expect(linesOf(ticket)[1]).toBe(`1: ${line}`);
  });
});

describe('the totals', () => {
  test('one order is not counted in the plural', () => {
    expect(linesOf(withLeg({}))[0]).toBe('LIVE, 1 ORDER');
  });

  test('a largest order and a largest ticker of unknown size are called unknown', () => {
    const lines = linesOf(withTotals({ largestPercent: undefined, largestShare: undefined }));
    expect(lines.filter((line) => line.startsWith('Largest'))).toEqual([
      'Largest order: unknown',
      'Largest instrument: unknown',
    ]);
  });

  test('an account of unknown currency has amounts in the currency of the account', () => {
    expect(linesOf(withTotals({ currency: undefined }))).toContain('Sells: 512.40 in the account’s currency');
  });

  test.each([
    ['890.63', '512.40', '1403.03'],
    ['0.10', '0.20', '0.30'],
    ['5.00', '0.00', '5.00'],
    ['0.00', '7.50', '7.50'],
  ])('the total that a person types for buys of %s and sells of %s is %s', (bought, sold, total) => {
    expect(getFormTotal(withTotals({ bought, sold }))).toBe(total);
    expect(linesOf(withTotals({ bought, sold }))).toContain(`Total: ${total}`);
  });
});

test('a warning is named once, with the numbers of all orders that it is about', () => {
  const warned = (leg: DraftLegTicket, ...warnings: string[]) => ({ ...leg, ticket: { ...leg.ticket, warnings } });
  const legs = [
    warned(sellLeg, 'Closed.'),
    warned(buyLeg, 'Pence.', 'Closed.'),
    { ...warned(buyLeg, 'Pence.'), number: 3 },
  ];
  const lines = linesOf({ ...twoLegs, legs });
  const from = lines.findIndex((line) => line.startsWith('Total')) + 1;
  expect(lines.slice(from, from + 3)).toEqual([
    '1, 2: Closed.',
    '1, 3: Pence.',
    'Type the number of orders and the total to approve',
  ]);
});

test('what was wrong with the form before is its first line', () => {
  expect(linesOf(twoLegs, 'You typed 3 orders.')).toEqual(['You typed 3 orders.', ...linesOf(twoLegs)]);
});

describe('a form is for a draft', () => {
  const withLegs = (count: number): DraftTicket => ({
    ...twoLegs,
    legs: Array.from({ length: count }, () => withOrder({}).legs[0] as DraftLegTicket),
  });
  /** A draft whose facts have this many characters. */
  const withLength = (length: number): DraftTicket => {
    const warned = (text: string) => withLeg({}, { warnings: [text] });
    const facts = linesOf(warned('x')).slice(0, -1).join('\n');
    return warned('x'.repeat(length - facts.length + 1));
  };

  test.each([
    [1, true],
    [10, true],
    [11, false],
  ])('of at most ten orders: %i', (count, isPossible) => {
    expect(canUseForm(withLegs(count))).toBe(isPossible);
  });

  test.each([
    [0, true],
    [1, false],
    [2, false],
  ])('in which no value is unknown: %i', (unknownValues, isPossible) => {
    expect(canUseForm(withTotals({ unknownValues }))).toBe(isPossible);
  });

  test.each([
    [maxLength - 1, true],
    [maxLength, true],
    [maxLength + 1, false],
  ])('whose facts have at most 1,000 characters: %i', (length, isPossible) => {
    expect(canUseForm(withLength(length))).toBe(isPossible);
  });

  test('and what was wrong with the form before counts too, with its line end', () => {
    const problem = 'You typed 3 orders.';
    expect(canUseForm(withLength(maxLength - problem.length - 1), problem)).toBe(true);
    expect(canUseForm(withLength(maxLength - problem.length), problem)).toBe(false);
  });

  test('so that every fact is seen, and only the names are cut', () => {
    const text = writeDraftForm(withLength(maxLength - 10));
    expect(text).toHaveLength(maxLength);
    expect(text).toContain('\nType the number of orders and the total to approve\nQBRAMl_E…');
  });
});
