/**
 * A second implementation of section 104, share by share: every share is an object of its own, the three rules are
 * three loops over shares, and costs are fractions. It is slow and plain, and uses no product code.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { buy, gainsOf, sell } from './trades.ts';

interface Deal {
  readonly day: number;
  readonly hour: number;
  readonly isBuy: boolean;
  readonly shares: number;
  /** For all of them together. */
  readonly pounds: number;
}

type Fraction = readonly [bigint, bigint];
const reduced = (a: bigint, b: bigint): Fraction => {
  let [divisor, rest] = [a < 0n ? -a : a, b];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return [a / divisor, b / divisor];
};
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * d + c * b, b * d);
const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d]);
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * c, b * d);
const toNumber = ([a, b]: Fraction): number => Number((a * 10n ** 12n) / b) / 1e12;

interface Share {
  readonly day: number;
  readonly price: Fraction;
  isTaken: boolean;
}

interface Expected {
  cost: Fraction;
  same_day: number;
  thirty_day: number;
  section_104: number;
  unmatched: number;
}

function shareByShare(deals: readonly Deal[]): Map<number, Expected> {
  const days = [...new Set(deals.map(({ day }) => day))].sort((a, b) => a - b);
  const shares: Share[] = [];
  for (const day of days) {
    const bought = deals.filter((deal) => deal.day === day && deal.isBuy);
    const count = bought.reduce((sum, deal) => sum + deal.shares, 0);
    const pounds = bought.reduce((sum, deal) => sum + deal.pounds, 0);
    for (let n = 0; n < count; n++) shares.push({ day, price: [BigInt(pounds), BigInt(count)], isTaken: false });
  }
  const expected = new Map<number, Expected>();
  const open = new Map<number, number>();
  for (const day of days) {
    const sold = deals.filter((deal) => deal.day === day && !deal.isBuy).reduce((sum, deal) => sum + deal.shares, 0);
    if (sold === 0) continue;
    open.set(day, sold);
    expected.set(day, { cost: [0n, 1n], same_day: 0, thirty_day: 0, section_104: 0, unmatched: 0 });
  }
  const identify = (rule: 'same_day' | 'thirty_day', isWithin: (days: number) => boolean) => {
    for (const [day, result] of expected)
      for (const share of shares) {
        if (share.isTaken || !isWithin(share.day - day) || open.get(day) === 0) continue;
        share.isTaken = true;
        open.set(day, (open.get(day) as number) - 1);
        result[rule]++;
        result.cost = plus(result.cost, share.price);
      }
  };
  identify('same_day', (later) => later === 0);
  identify('thirty_day', (later) => later >= 1 && later <= 30);

  let pooled = 0;
  let poolCost: Fraction = [0n, 1n];
  for (const day of days) {
    for (const share of shares.filter((one) => one.day === day && !one.isTaken)) {
      pooled++;
      poolCost = plus(poolCost, share.price);
    }
    const result = expected.get(day);
    for (let rest = open.get(day) ?? 0; rest > 0 && result; rest--) {
      if (pooled === 0) {
        result.unmatched++;
        continue;
      }
      const one = times(poolCost, [1n, BigInt(pooled)]);
      poolCost = minus(poolCost, one);
      pooled--;
      result.section_104++;
      result.cost = plus(result.cost, one);
    }
  }
  return expected;
}

const deals = fc.array(
  fc.record({
    day: fc.integer({ min: 0, max: 75 }),
    hour: fc.integer({ min: 0, max: 22 }),
    isBuy: fc.boolean(),
    shares: fc.integer({ min: 1, max: 6 }),
    pounds: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 1, maxLength: 24, size: 'max' },
);

test('section 104 agrees with the share-by-share implementation, by rule and by cost', { tags: ['slow'] }, () => {
  const met = { same_day: 0, thirty_day: 0, section_104: 0, unmatched: 0 };
  fc.assert(
    fc.property(deals, (list) => {
      // Winter, so that a day of London is a day of UTC.
      const when = ({ day, hour }: Deal) => new Date(Date.UTC(2024, 10, 1 + day, hour)).toISOString();
      const gains = gainsOf(
        list.map((deal) => (deal.isBuy ? buy : sell)(when(deal), deal.shares, deal.pounds)),
        { method: 'uk_section_104' },
      );
      const expected = shareByShare(list);
      const dayOf = (at: number) =>
        Math.round((Math.floor(at / 86_400_000) * 86_400_000 - Date.UTC(2024, 10, 1)) / 86_400_000);
      for (const [day, wanted] of expected) {
        const disposal = gains.disposals.find(({ at }) => dayOf(at) === day);
        const shares = (rule: string) =>
          (disposal?.matches ?? []).reduce((sum, match) => sum + (match.rule === rule ? Number(match.quantity) : 0), 0);
        const unmatched = gains.unmatched.find(({ at }) => dayOf(at) === day);
        const got = {
          same_day: shares('same_day'),
          thirty_day: shares('thirty_day'),
          section_104: shares('section_104'),
          unmatched: Number(unmatched?.quantity ?? 0),
        };
        const { cost, ...counts } = wanted;
        expect(got).toEqual(counts);
        expect(Number(disposal?.cost ?? 0)).toBeCloseTo(toNumber(cost), 9);
        for (const rule of Object.keys(met) as (keyof typeof met)[]) met[rule] += got[rule];
      }
      expect(gains.disposals.length).toBe(
        [...expected.values()].filter((row) => row.same_day + row.thirty_day + row.section_104 > 0).length,
      );
    }),
    { numRuns: runs(400) },
  );
  // Each rule must apply often, or the comparison proves nothing about it.
  for (const shares of Object.values(met)) expect(shares).toBeGreaterThan(runs(200));
});
