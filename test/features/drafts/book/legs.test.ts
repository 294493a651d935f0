/** When two lists of legs are the same orders or the same plan, and what of a leg is an order. */
import { expect, test } from 'vitest';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import {
  assumedPriceOf,
  checkLegs,
  isSameOrders,
  isSamePlan,
  toOrder,
  valueLegs,
  wrongLeg,
} from '../../../../src/features/drafts/book/legs.ts';
import { leg } from './support.ts';

const other = leg({ ticker: 'BBB_EQ' });
const priced = (price: string | undefined): DraftLeg => ({ ...leg(), price });

test.each<[string, Partial<DraftLeg>]>([
  ['type', { type: 'STOP' }],
  ['ticker', { ticker: 'CCC_EQ' }],
  ['side', { side: 'SELL' }],
  ['quantity', { quantity: '3' }],
  ['limit price', { limitPrice: '11' }],
  ['stop price', { stopPrice: '9' }],
  ['validity', { timeValidity: 'GOOD_TILL_CANCEL' }],
  ['extended hours', { extendedHours: true }],
])('another %s is another order, in whichever leg', (_, change) => {
  expect(isSameOrders([leg(), other], [leg(), { ...other, ...change }])).toBe(false);
  expect(isSameOrders([leg(), other], [{ ...leg(), ...change }, other])).toBe(false);
});

test('the same orders are the same whatever explains them, but not in another sequence or number', () => {
  const explained: DraftLeg = { ...leg(), reason: 'why', price: '9', isPriceAssumed: true, extendedHours: false };
  expect(isSameOrders([leg(), other], [explained, other])).toBe(true);
  expect(isSameOrders([leg(), other], [other, leg()])).toBe(false);
  expect(isSameOrders([leg(), other], [leg()])).toBe(false);
});

// A plan with a price that moved by more than 1 % is a new one.
test.each([
  ['100', '101', true],
  ['100', '99', true],
  ['100', '101.01', false],
  ['100', '98.99', false],
  ['0', '0', true],
  ['0', '1', false],
  [undefined, undefined, true],
  [undefined, '100', false],
  ['100', undefined, false],
])('the same orders at prices of %s and %s are the same plan: %s', (a, b, same) => {
  expect(isSamePlan([priced(a)], [priced(b)])).toBe(same);
  expect(isSamePlan([priced('5'), { ...other, price: a }], [priced('5'), { ...other, price: b }])).toBe(same);
  expect(isSamePlan([{ ...other, price: a }, priced('5')], [{ ...other, price: b }, priced('5')])).toBe(same);
});

test('other orders are another plan at any price', () => {
  expect(isSamePlan([priced('5')], [{ ...priced('5'), quantity: '3' }])).toBe(false);
});

test('the order of a leg is the leg without what explains it', () => {
  const weight = { before: '1', target: '2', after: '2', change: '1' };
  const explained: DraftLeg = { ...leg(), reason: 'why', price: '9', isPriceAssumed: true, weight };
  expect(toOrder(explained)).toEqual(leg());
});

test('a price is assumed only where the account showed none', () => {
  expect(assumedPriceOf({ ...leg(), price: '9', isPriceAssumed: true })).toBe('9');
  expect(assumedPriceOf({ ...leg(), price: '9' })).toBeUndefined();
});

test('an error about a leg has its number as a fact', () => {
  const { code, message, facts } = wrongLeg(3, 'is odd', 'Change it.');
  expect({ code, message, facts }).toEqual({ code: 'invalid_argument', message: 'Leg 3 is odd.', facts: { leg: 3 } });
});

test.each<[string, DraftLeg[], number | undefined, RegExp]>([
  ['an empty list', [], undefined, /^Give at least one leg/],
  ['31 legs', Array.from({ length: 31 }, (_, n) => leg({ ticker: `T${n}_EQ` })), undefined, /^Split the legs/],
  ['two equal legs', [other, leg(), leg()], 3, /^Combine/],
  ['a buy and a sell of one ticker', [other, leg(), leg({ side: 'SELL' })], 3, /^Keep either/],
])('%s is refused with the next step for it', (_, legs, number, next) => {
  const facts = number === undefined ? {} : { leg: number };
  expect(() => checkLegs(legs)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', next: expect.stringMatching(next), facts }),
  );
});

test('a leg in the opposite direction of an earlier one names both', () => {
  const opposite = leg({ ticker: 'BBB_EQ', side: 'SELL', quantity: '1' });
  const refuse = () => checkLegs([leg(), other, leg({ ticker: 'CCC_EQ' }), opposite]);
  expect(refuse).toThrow('Leg 4 trades BBB_EQ in the opposite direction of leg 2.');
  expect(refuse).toThrow(expect.objectContaining({ code: 'invalid_argument', facts: { leg: 4 } }));
});

test('a leg that equals an earlier one names both', () => {
  expect(() => checkLegs([leg(), other, leg({ ticker: 'CCC_EQ' }), other])).toThrow('Leg 4 equals leg 2.');
});

const currencyOf = (ticker: string) => ({ A_US_EQ: 'USD', Bl_EQ: 'GBX', Cl_EQ: 'GBP' })[ticker];
const sized = (ticker: string, change: Partial<DraftLeg> = {}): DraftLeg => ({
  ...leg({ ticker, side: 'BUY', quantity: '3' }),
  limitPrice: undefined,
  price: '10.5',
  ...change,
});

test('a draft is worth its quantities at their prices, by side and currency, with pence as pounds', () => {
  const legs = [
    sized('A_US_EQ'),
    sized('Bl_EQ', { quantity: '200', price: '71.25' }),
    // At its limit, as its estimate on the pages.
    sized('Cl_EQ', { price: '9', limitPrice: '10.5' }),
    sized('Cl_EQ', { side: 'SELL', price: undefined, limitPrice: '2' }),
  ];
  // 3 × 10.50 dollars; 200 × 71.25p and 3 × £10.50; 3 × £2.
  expect(valueLegs(legs, currencyOf)).toEqual({ buys: { USD: '31.50', GBP: '174.00' }, sells: { GBP: '6.00' } });
});

test.each<[string, DraftLeg]>([
  ['without a price', sized('A_US_EQ', { price: undefined })],
  ['with an assumed price', sized('A_US_EQ', { isPriceAssumed: true })],
  ['of an instrument whose currency is unknown', sized('D_US_EQ')],
])('a draft with a leg %s is worth an unknown amount', (_, one) => {
  expect(valueLegs([sized('Cl_EQ'), one], currencyOf)).toBeUndefined();
});
