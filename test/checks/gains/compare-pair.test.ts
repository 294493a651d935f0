/** The gains of random pairs of accounts against a second implementation, which notices how they are matched. */
import { expect, test } from 'vitest';
import { createRandom } from '../../../checks/campaign/random.ts';
import { addTo, type Figures } from '../../../checks/gains/compare.ts';
import { accountNames, askRunner, comparePair, type Kinds, kindsOf } from '../../../checks/gains/compare-pair.ts';
import { createAccount } from '../../../checks/gains/random-account.ts';

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

async function comparePairs(seeds: readonly number[], choose = kindsOf, ask = askRunner) {
  const differences: string[] = [];
  for (const seed of seeds) {
    const pair = createAccount(createRandom(seed), accountNames);
    const comparison = await comparePair(pair, choose(seed), ask);
    differences.push(...comparison.differences.map((line) => `seed ${seed}: ${line}`));
  }
  return differences;
}

test('six pairs, of which three have an ISA, agree with the reference', async () => {
  expect(await comparePairs(from(1, 6))).toEqual([]);
});

test('200 pairs agree with the reference', { tags: ['slow'] }, async () => {
  expect(await comparePairs(from(10_001, 200))).toEqual([]);
});

const withIsa = (): Kinds => ({ first: 'invest', second: 'isa' });
const taxable = (): Kinds => ({ first: 'invest', second: 'invest' });

test('purchases in an ISA that are matched with sales outside of it are noticed', async () => {
  const faulty: typeof askRunner = (pair, _, asked) => askRunner(pair, taxable(), asked);
  const differences = await comparePairs(from(1, 6), withIsa, faulty);
  expect(differences.filter((line) => line.includes('all accounts: day'))).not.toEqual([]);
  expect(differences.filter((line) => !line.includes('all accounts'))).toEqual([]);
});

test('taxable accounts that are matched apart are noticed', async () => {
  const faulty: typeof askRunner = async (pair, kinds, asked) => {
    if (asked !== undefined) return askRunner(pair, kinds, asked);
    const sum: Figures = new Map();
    for (const name of accountNames)
      for (const [figure, value] of await askRunner(pair, kinds, name)) addTo(sum, figure, value);
    return sum;
  };
  const differences = await comparePairs(from(1, 6), taxable, faulty);
  expect(differences.filter((line) => / section_104 cost: /.test(line))).not.toEqual([]);
});
