/** What a person sees of each leg. */
import { expect, test } from 'vitest';
import { createLegTickets } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { paper } from '../../../core/orders/risk/example-account.ts';
import { draftLeg, exchangeWith, notHeld, now, toCheck } from './legs-to-check.ts';

const known = { environment: 'demo', limits: paper, own: [], exchanges: exchangeWith(), now };
const sell = (ticker: string, quantity: string) => toCheck(draftLeg({ ticker, side: 'SELL', quantity }));

test('a leg has its number in the draft, its order, both prices, and whether it waits for the sells', () => {
  const leg = draftLeg({ price: '19', reason: 'A text of the model.' });
  const [ticket] = createLegTickets([toCheck(leg, { number: 3, isDependent: true })], known);
  expect(ticket).toMatchObject({
    number: 3,
    priceThen: '19',
    priceNow: '20',
    isPriceAssumed: false,
    isDependent: true,
    ticket: {
      environment: 'demo',
      order: { type: 'MARKET', ticker: 'AAA_EQ', side: 'BUY', quantity: '10' },
      estimate: { value: '200.00', worst: '204.00', currency: 'GBP', percentOfAccount: '0.2' },
      isRepetition: false,
    },
  });
  expect(JSON.stringify(ticket)).not.toContain('A text of the model.');
});

test('a leg is no intent yet, so its ticket names none', () => {
  const [ticket] = createLegTickets([toCheck(draftLeg())], known);
  expect(ticket?.ticket).not.toHaveProperty('intentId');
});

test('a price that only the caller knew is named as assumed, and the value stays unknown', () => {
  const leg = draftLeg({ price: '25', isPriceAssumed: true });
  const [ticket] = createLegTickets([toCheck(leg, { facts: notHeld })], known);
  expect(ticket).toMatchObject({ priceThen: '25', priceNow: undefined, isPriceAssumed: true });
  expect(ticket?.ticket.estimate).toMatchObject({ value: undefined, assumed: { price: '25', value: '250.00' } });
});

test('only the leg that repeats an earlier order is marked as a repetition', () => {
  const legs = [toCheck(draftLeg(), { number: 1 }), toCheck(draftLeg({ ticker: 'BBB_EQ' }), { number: 2 })];
  const marks = (repeats?: ReadonlyMap<number, string>) =>
    createLegTickets(legs, { ...known, ...(repeats ? { repeats } : {}) }).map(({ ticket }) => ticket.isRepetition);
  expect(marks(new Map([[2, 'intent']]))).toEqual([false, true]);
  expect(marks(new Map())).toEqual([false, false]);
  expect(marks()).toEqual([false, false]);
});

test('the position of a leg is the one that the legs of its ticker before it leave', () => {
  const legs = [
    sell('AAA_EQ', '30'),
    sell('BBB_EQ', '1'),
    sell('AAA_EQ', '20.5'),
    toCheck(draftLeg({ ticker: 'AAA_EQ', quantity: '0.25' })),
    toCheck(draftLeg({ ticker: 'CCC_EQ', quantity: '5' }), { facts: notHeld }),
  ];
  expect(createLegTickets(legs, known).map(({ ticket }) => ticket.position)).toEqual([
    { before: '100', after: '70' },
    { before: '100', after: '99' },
    { before: '70', after: '49.5' },
    { before: '49.5', after: '49.75' },
    { before: '0', after: '5' },
  ]);
});
