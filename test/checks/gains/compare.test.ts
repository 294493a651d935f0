/** The gains of random accounts against a second implementation in exact fractions. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../checks/campaign/random.ts';
import { compareAccount } from '../../../checks/gains/compare.ts';
import { createAccount } from '../../../checks/gains/random-account.ts';

function compareAccounts(seeds: readonly number[]) {
  const differences: string[] = [];
  const met = new Map<string, number>();
  for (const seed of seeds) {
    const comparison = compareAccount(createAccount(createRandom(seed)));
    differences.push(...comparison.differences.map((line) => `seed ${seed}: ${line}`));
    for (const rule of comparison.rules) met.set(rule, (met.get(rule) ?? 0) + 1);
  }
  return { differences, met };
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

const rules = [
  'same_day',
  'thirty_day',
  'section_104',
  'fifo',
  'average',
  'not_held',
  'original_cost_unknown',
  'capital_beyond_cost',
];

test('eight small accounts that meet every rule agree with the reference', () => {
  const { differences, met } = compareAccounts([26, 48, 58, 109, 119, 123, 133, 150]);
  expect(differences).toEqual([]);
  for (const rule of rules) expect(met.get(rule), rule).toBeGreaterThan(5);
});

test('20 accounts agree with the reference', { tags: ['slow'] }, () => {
  expect(compareAccounts(from(10_001, 20)).differences).toEqual([]);
});

test('200 accounts agree with the reference, and each rule applies often', { tags: ['slow'] }, () => {
  const { differences, met } = compareAccounts(from(1, 200));
  expect(differences).toEqual([]);
  for (const rule of rules) expect(met.get(rule), rule).toBeGreaterThan(50);
});
