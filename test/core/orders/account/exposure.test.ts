/** What our own orders take from the account, while the service may not show them yet. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Order, Position } from '../../../../src/core/endpoints/index.ts';
import type { AccountSnapshot } from '../../../../src/core/orders/account/account-snapshot.ts';
import {
  cashLeft,
  countPending,
  countsInLimits,
  holdingWithOwn,
  isFillShown,
  sharesLeft,
  staleSnapshotNote,
  totalValue,
  unlisted,
} from '../../../../src/core/orders/account/exposure.ts';
import type { Baseline, Intent } from '../../../../src/core/orders/intent/intent.ts';
import { allStates, type IntentState } from '../../../../src/core/orders/intent/states.ts';
import { approvedOrder, startAt as now, request } from '../send/approved-order.ts';

const lagMs = 30_000;
const { ticker } = request;

/** The account as it was read at `askedAt`: 1,000 in cash, and 10 shares. */
const facts = (changes: object = {}, askedAt = now): AccountSnapshot => ({
  summary: { currency: 'GBP', cash: { availableToTrade: '1000' } } as AccountSnapshot['summary'],
  positions: [{ instrument: { ticker }, quantity: '10' } as Position],
  pending: [],
  askedAt,
  asOf: askedAt,
  serviceOffsetMs: undefined,
  ...changes,
});

type Changes = Partial<Omit<Intent, 'request' | 'baseline'>> & {
  readonly request?: Partial<Intent['request']>;
  readonly baseline?: Partial<Baseline>;
};

/** An order of 4 shares for 400 that was placed just now. Its reading was made at its own moment, without figures. */
const intent = ({ request: terms, baseline, ...changes }: Changes = {}): Intent => ({
  ...approvedOrder,
  state: 'PLACED',
  value: '400',
  sentAt: now,
  ...changes,
  request: { ...request, quantity: '4', ...terms },
  baseline: { ...approvedOrder.baseline, position: '10', cash: undefined, ...baseline },
});

const sale: Changes = { request: { side: 'SELL' } };

const unsent: readonly IntentState[] = ['DRAFT', 'AWAITING_APPROVAL', 'APPROVED'];
const undecided: readonly IntentState[] = ['SENDING', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT'];
const ended: readonly IntentState[] = ['REFUSED', 'DECLINED', 'EXPIRED', 'NOT_SENT', 'REJECTED', 'CLOSED'];

describe('an order counts in the limits', () => {
  test.each(allStates)('in the state %s exactly if it was placed or may be', (state) => {
    expect(countsInLimits(intent({ state }), now)).toBe([...unsent, ...undecided, 'PLACED'].includes(state));
  });

  test('until its time without an approval, a minute, is over', () => {
    const waiting = intent({ state: 'APPROVED', createdAt: now });
    expect([now + 59_999, now + 60_000].map((at) => countsInLimits(waiting, at))).toEqual([true, false]);
  });

  test('while its sender may try it again', () => {
    const limited = intent({ state: 'NOT_SENT', retryUntil: now + 1_000 });
    expect([now + 999, now + 1_000].map((at) => countsInLimits(limited, at))).toEqual([true, false]);
  });
});

/** The states that take nothing from the service yet, and those in which it is unknown whether they do. */

/** What is left for a new order: of cash, of shares to sell, and the shares held after all purchases. */
const left = (own: readonly Intent[], account = facts(), at = now) => {
  const question = { facts: account, own, now: at };
  return [
    cashLeft(question, '900')?.toNumber(),
    sharesLeft(ticker, question).toNumber(),
    holdingWithOwn(ticker, question).toNumber(),
  ];
};
const untouched = [1_000, 10, 10];

describe('what is left for a new order', () => {
  test('is what the service reports where no own order is young', () => {
    expect(left([])).toEqual(untouched);
    expect(left([intent({ changedAt: now - lagMs })])).toEqual(untouched);
  });

  test.each([...unsent, ...undecided, 'PLACED'] as const)('is less by an order in the state %s', (state) => {
    expect(left([intent({ state })])).toEqual([600, 10, 14]);
    expect(left([intent({ ...sale, state })])).toEqual([1_000, 6, 10]);
  });

  test.each(ended)('is not less by an order in the state %s', (state) => {
    expect(left([intent({ state }), intent({ ...sale, state })])).toEqual(untouched);
  });

  test('is not less by an order that ended without a fill', () => {
    expect(left([intent({ endedAs: 'CANCELLED' }), intent({ ...sale, endedAs: 'CANCELLED' })])).toEqual(untouched);
  });

  test('is less by a purchase of unknown value as if it were the largest allowed', () => {
    expect(left([intent({ value: undefined })])).toEqual([100, 10, 14]);
    expect(left([intent({ ...sale, value: undefined })])).toEqual([1_000, 6, 10]);
  });

  test('counts shares of the ticker alone, and the cash of all', () => {
    expect(left([intent({ ticker: 'B' }), intent({ ...sale, ticker: 'B' })])).toEqual([600, 10, 10]);
  });

  test.each(undecided)('is less by an order in the state %s, however old it is', (state) => {
    expect(left([intent({ state, changedAt: now - 10 * lagMs })])).toEqual([600, 10, 14]);
  });

  test('is less by a placed order until a reading of 30 seconds after it', () => {
    const own = [intent({ changedAt: now })];
    expect(left(own, facts({}, now + lagMs - 1), now + lagMs)).toEqual([600, 10, 14]);
    expect(left(own, facts({}, now + lagMs), now + lagMs)).toEqual(untouched);
  });

  test('is less by an order that a clock ahead placed, as if that were when it was seen', () => {
    const ahead = intent({ changedAt: now + 3_600_000, seenAheadAt: now - lagMs });
    expect(left([ahead])).toEqual(untouched);
    expect(left([{ ...ahead, seenAheadAt: now - lagMs + 1 }])).toEqual([600, 10, 14]);
  });

  test('includes what the service already took for the order, by the reading before it', () => {
    // The figures dropped by 400, by 4 shares, and the holding rose by 4 since.
    const baseline = { askedAt: now - 1_000, cash: '1400', free: '14', bought: '6' };
    expect(left([intent({ baseline })])).toEqual(untouched);
    expect(left([intent({ ...sale, baseline })])).toEqual(untouched);
    // They changed by half of that.
    const halved = { askedAt: now - 1_000, cash: '1200', free: '12', bought: '8' };
    expect(left([intent({ baseline: halved })])).toEqual([800, 10, 12]);
    expect(left([intent({ ...sale, baseline: halved })])).toEqual([1_000, 8, 10]);
  });

  test.each(undecided)('includes what the service already took for an order in the state %s', (state) => {
    const baseline = { askedAt: now - 1_000, cash: '1400', free: '14', bought: '6' };
    expect(left([intent({ state, baseline })])).toEqual(untouched);
    expect(left([intent({ ...sale, state, baseline })])).toEqual(untouched);
  });

  test.each(unsent)('is less by an order in the state %s, whatever the service took meanwhile', (state) => {
    const baseline = { askedAt: now - 1_000, cash: '1400', free: '14', bought: '6' };
    expect(left([intent({ state, baseline })])).toEqual([600, 10, 14]);
    expect(left([intent({ ...sale, state, baseline })])).toEqual([1_000, 6, 10]);
  });

  test('is what is left of the order where the reading before it has no figures', () => {
    const baseline = { askedAt: now - 1_000, cash: undefined, free: undefined, bought: undefined };
    expect(left([intent({ baseline })])).toEqual([600, 10, 14]);
    expect(left([intent({ ...sale, baseline })])).toEqual([1_000, 6, 10]);
  });

  test('compares the readings of all orders for cash, and those of the ticker for shares', () => {
    const baseline = { askedAt: now - 1_000, cash: '1400', free: '14', bought: '6' };
    const other = intent({ ticker: 'B', state: 'CLOSED', baseline });
    expect(left([intent(), other])).toEqual([1_000, 10, 14]);
    expect(left([intent(sale), other])).toEqual([1_000, 6, 10]);
  });

  test('is unknown in cash where the service does not report it', () => {
    expect(left([intent()], facts({ summary: { cash: {} } }))).toEqual([undefined, 10, 14]);
    expect(left([intent()], facts({ summary: {} }))).toEqual([undefined, 10, 14]);
  });

  test('starts from the pending orders that the service lists', () => {
    const pending = [
      { ticker, side: 'BUY', quantity: '3' },
      { ticker, side: 'SELL', quantity: '-2' },
    ] as Order[];
    expect(left([], facts({ pending }))).toEqual([1_000, 8, 13]);
  });
});

describe('an own order may be missing in the list of pending orders', () => {
  const pending = [{ id: '7', ticker }] as Order[];
  const ids = (own: readonly Intent[], account = facts({ pending }), at = now) =>
    unlisted({ facts: account, own, now: at }).map(({ id }) => id);

  test.each([...unsent, ...undecided, 'PLACED'] as const)('in the state %s', (state) => {
    expect(ids([intent({ id: 'a', state })])).toEqual(['a']);
  });

  test.each(ended)('but not in the state %s', (state) => {
    expect(ids([intent({ state })])).toEqual([]);
  });

  test('but not when it ended without a fill', () => {
    expect(ids([intent({ endedAs: 'CANCELLED' })])).toEqual([]);
  });

  test('but not when its id is listed, whatever its state', () => {
    expect(ids([intent({ orderId: '7' }), intent({ orderId: '7', state: 'UNKNOWN' })])).toEqual([]);
    expect(ids([intent({ id: 'a', orderId: '8' })])).toEqual(['a']);
  });

  test('without an id, although a listed order has none either', () => {
    expect(ids([intent({ id: 'a', orderId: undefined })], facts({ pending: [{ ticker }] }))).toEqual(['a']);
  });

  test('until the list is read 30 seconds after it was placed', () => {
    const own = [intent({ id: 'a', changedAt: now })];
    expect(ids(own, facts({}, now + lagMs - 1), now + lagMs)).toEqual(['a']);
    expect(ids(own, facts({}, now + lagMs), now + lagMs)).toEqual([]);
  });

  test.each(undecided)('however old it is in the state %s', (state) => {
    expect(ids([intent({ id: 'a', state, changedAt: now - 10 * lagMs })])).toEqual(['a']);
  });

  test('placed by a clock ahead, by when that was seen', () => {
    const ahead = intent({ id: 'a', changedAt: now + 3_600_000, seenAheadAt: now - lagMs });
    expect(ids([ahead])).toEqual([]);
    expect(ids([{ ...ahead, seenAheadAt: now - lagMs + 1 }])).toEqual(['a']);
  });

  test('and then counts as pending on its ticker', () => {
    const listed = [...pending, { id: '8', ticker: 'B' }] as Order[];
    const own = [intent(), intent(), intent({ orderId: '7' }), intent({ ticker: 'B' }), intent({ state: 'REJECTED' })];
    expect(countPending(ticker, { facts: facts({ pending: listed }), own, now })).toBe(3);
  });
});

describe('a person is told of own orders that the account data may not include', () => {
  /** The numbers and words of the note that are facts. */
  const factsOf = (own: readonly Intent[], account = facts()) =>
    staleSnapshotNote({ facts: account, own, now }).map(
      (note) =>
        note.match(/\d+ (seconds?|other orders?)|before|after|(BUY|SELL) \d+ \w+|that order(?=\.| yet\.| and )/g) ?? [],
    );

  test.each<[string, readonly Intent[]]>([
    ['there is none', []],
    ['none was sent', [intent({ state: 'APPROVED', sentAt: undefined })]],
    ['the list includes it', [intent({ changedAt: now - lagMs, sentAt: now - lagMs })]],
  ])('but not where %s', (_, own) => {
    expect(factsOf(own)).toEqual([]);
  });

  test('but not of one whose fill the position shows', () => {
    // 6 shares before it, and 10 now; 14 before the sale.
    expect(factsOf([intent({ baseline: { position: '6' } })])).toEqual([]);
    expect(factsOf([intent({ ...sale, baseline: { position: '14' } })])).toEqual([]);
  });

  test.each<[string, number, Changes, readonly string[]]>([
    ['eight seconds before', -8_000, {}, ['8 seconds', 'before', `BUY 4 ${ticker}`, 'that order']],
    ['eight seconds after', 8_000, {}, ['8 seconds', 'after', `BUY 4 ${ticker}`, 'that order']],
    ['one second after', 1_000, sale, ['1 second', 'after', `SELL 4 ${ticker}`, 'that order']],
    ['at the moment of', 0, {}, ['0 seconds', 'after', `BUY 4 ${ticker}`, 'that order']],
  ])('read %s the order', (_, apart, changes, expected) => {
    const sentAt = now - 10_000;
    expect(factsOf([intent({ ...changes, sentAt })], facts({}, sentAt + apart))).toEqual([expected]);
  });

  test('and of the newest, where there are more', () => {
    const sent = (quantity: string, ms: number) => intent({ sentAt: now - ms, request: { quantity } });
    const newest = ['3 seconds', 'after', `BUY 2 ${ticker}`, 'that order'];
    expect(factsOf([sent('1', 5_000), sent('2', 3_000)])).toEqual([[...newest, '1 other order']]);
    expect(factsOf([sent('1', 5_000), sent('2', 3_000), sent('3', 9_000)])).toEqual([[...newest, '2 other orders']]);
  });

  test('sent by a clock ahead as if that were when it was seen', () => {
    const ahead = intent({ sentAt: now + 3_600_000, seenAheadAt: now - 4_000 });
    expect(factsOf([ahead])).toEqual([['4 seconds', 'after', `BUY 4 ${ticker}`, 'that order']]);
  });
});

test.each<[string, Changes, string, boolean]>([
  ['a purchase that moved it completely', {}, '14', true],
  ['a purchase that moved it in part', {}, '13', false],
  ['a purchase that moved it not', {}, '10', false],
  ['a purchase while it fell', {}, '6', false],
  ['a sale that moved it completely', sale, '6', true],
  ['a sale that moved it in part', sale, '7', false],
  ['a sale while it rose', sale, '14', false],
  ['a purchase of 4.0', { request: { quantity: '4.0' } }, '14.00', true],
])('whether the position shows the fill: %s', (_, changes, quantity, expected) => {
  const positions = [{ instrument: { ticker }, quantity } as Position];
  expect(isFillShown(intent(changes), facts({ positions }))).toBe(expected);
});

test('the fill of a sale of everything is shown by a position that is gone', () => {
  expect(isFillShown(intent({ ...sale, baseline: { position: '4' } }), facts({ positions: [] }))).toBe(true);
});

test('a sum is of the known values, with the number of unknown ones', () => {
  const { known, unknown } = totalValue([{ value: '1.50' }, { value: undefined }, { value: '2' }]);
  expect([known, unknown]).toEqual([new Big('3.5'), 1]);
  expect(totalValue([])).toEqual({ known: new Big(0), unknown: 0 });
});
