/** The remaining cash or shares, with a broker that shows our orders late. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountLeft, lagMs, type OwnTake, type Reading } from '../../../../src/core/orders/account/exposure.ts';
import { runs } from '../../../support/runs.ts';

interface Step {
  readonly afterMs: number;
  readonly kind: 'place' | 'deposit';
  readonly amount: number;
  /** How late the broker shows it. */
  readonly lateMs: number;
  /** Age of the reading that the order is checked against. */
  readonly readingAgeMs: number;
}

/** The true account, and as it is shown at a moment. */
function createAccount(start: number) {
  const changes: { at: number; shownAt: number; amount: number }[] = [];
  const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, start);
  return {
    change: (at: number, lateMs: number, amount: number) => changes.push({ at, shownAt: at + lateMs, amount }),
    truth: () => sum(changes),
    shown: (at: number) => sum(changes.filter(({ shownAt }) => shownAt <= at)),
  };
}

const steps = fc.array(
  fc.record<Step>({
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    kind: fc.constantFrom('place', 'place', 'place', 'place', 'deposit'),
    amount: fc.integer({ min: 1, max: 900 }),
    lateMs: fc.integer({ min: 0, max: lagMs - 1 }),
    readingAgeMs: fc.integer({ min: 0, max: 30_000 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Orders in turn, each accepted when the remaining amount allows it; every shown order is one of ours. */
function play(list: readonly Step[]) {
  const account = createAccount(2_500);
  const own: OwnTake[] = [];
  const readings: Reading[] = [];
  let now = 1_000_000;
  const read = (at: number): Reading => ({ askedAt: at, amount: new Big(account.shown(at)) });
  const leastLeft = [account.truth()];
  for (const { afterMs, kind, amount, lateMs, readingAgeMs } of list) {
    now += afterMs;
    if (kind === 'deposit') {
      account.change(now, lateMs, amount);
      continue;
    }
    const reading = read(now - readingAgeMs);
    if (amountLeft(reading, own, readings).lt(amount)) continue;
    account.change(now, lateMs, -amount);
    own.push({ amount: new Big(amount), placedAt: now });
    readings.push(reading);
    leastLeft.push(account.truth());
  }
  return { account, own, readings, read, now, leastLeft: Math.min(...leastLeft) };
}

test('nothing is spent twice, in any order and however late the broker shows orders and deposits', () => {
  fc.assert(
    fc.property(steps, (list) => {
      expect(play(list).leastLeft).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: runs(2_000) },
  );
});

test('once the lag of every order is over, the full amount that the broker shows is available', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const { account, own, readings, read, now } = play(list);
      expect(amountLeft(read(now + lagMs), own, readings).toNumber()).toBe(account.truth());
    }),
    { numRuns: runs(500) },
  );
});

test('an order that the broker shows at once is never counted twice', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 20 }), (amounts) => {
      const list = amounts.map((amount): Step => {
        return { afterMs: 100, kind: 'place', amount, lateMs: 0, readingAgeMs: 0 };
      });
      const { account, own, readings, read, now } = play(list);
      expect(amountLeft(read(now + 1), own, readings).toNumber()).toBe(account.truth());
    }),
    { numRuns: runs(500) },
  );
});

const reading = (amount: number, askedAt = 0): Reading => ({ askedAt, amount: new Big(amount) });
const take = (amount: number, placedAt: OwnTake['placedAt']): OwnTake => ({ amount: new Big(amount), placedAt });

test.each<[string, number, OwnTake[], Reading[]]>([
  ['an order that has not been sent is held back, whatever dropped', 500, [take(400, undefined)], [reading(1_300, -1)]],
  ['an unknown order counts however old it is', 500, [take(400, 'undecided')], []],
  ['a drop counts once: of two orders one is still missing', 500, [take(400, -5), take(400, -5)], [reading(1_300, -9)]],
  ['a reading of over a minute ago is not compared', 500, [take(400, -5)], [reading(5_000, -60_001)]],
  ['a reading that was asked for later is not compared', 500, [take(400, -5)], [reading(1_300, 1)]],
])('%s', (_, expected, own, earlier) => {
  expect(amountLeft(reading(900), own, earlier).toNumber()).toBe(expected);
});

/** The reading is of 900, at the time 0. */
test.each<[string, number, OwnTake[], Reading[]]>([
  ['nothing is taken without orders', 900, [], []],
  ['an order of less than 30 seconds ago is missing', 500, [take(400, -29_999)], []],
  ['an order of 30 seconds ago is shown', 900, [take(400, -30_000)], []],
  ['an order of after the reading is missing', 500, [take(400, 1)], []],
  [
    'orders that are missing, unknown and unsent add up',
    300,
    [take(100, -5), take(200, 'undecided'), take(300, undefined)],
    [],
  ],
  ['more can be taken than there is', -100, [take(600, -5), take(400, undefined)], []],
  ['a drop shows the part of an order that it has taken', 700, [take(400, -5)], [reading(1_100, -9)]],
  ['a drop of more than the orders is of others, and adds nothing', 900, [take(400, -5)], [reading(2_000, -9)]],
  ['a rise since a reading takes nothing more', 500, [take(400, -5)], [reading(100, -9)]],
  ['a reading of a minute ago is compared', 900, [take(400, -5)], [reading(1_300, -60_000)]],
  ['a reading of the same moment is compared', 900, [take(400, -5)], [reading(1_300, 0)]],
  [
    'a drop from a reading that included an older order does not show it',
    900,
    [take(400, -35_000)],
    [reading(1_300, -1)],
  ],
  // The first reading shows 300 of both orders; the second, which may include the first one, all of the second.
  [
    'of several readings, the one that leaves the most counts',
    600,
    [take(300, -29_000), take(300, -5)],
    [reading(1_200, -40), reading(1_000, -9)],
  ],
])('of what the service shows, %s', (_, expected, own, earlier) => {
  expect(amountLeft(reading(900), own, earlier).toNumber()).toBe(expected);
});
