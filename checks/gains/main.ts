/**
 * `npm run check-gains -- [--accounts N] [--pairs N] [--seed N]`: the gains of random accounts, and of random pairs of
 * accounts of one person, against a reference in fractions.
 */
import { parseArgs } from 'node:util';
import { createRandom } from '../campaign/random.ts';
import { type Comparison, compareAccount } from './compare.ts';
import { accountNames, comparePair, kindsOf } from './compare-pair.ts';
import { createAccount } from './random-account.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '2000' },
    pairs: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const first = Number(values.seed);

/** Returns how many of them differ. */
async function compareAll(count: number, what: string, compare: (seed: number) => Comparison | Promise<Comparison>) {
  let [figures, different] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    const comparison = await compare(seed);
    figures += comparison.figures;
    if (comparison.differences.length === 0) continue;
    different++;
    if (different <= 5) say([`${what} of seed ${seed}:`, ...comparison.differences.slice(0, 10)].join('\n  '));
  }
  say(`${count} ${what}s, ${figures} figures, ${different} ${what}s with a difference.`);
  return different;
}

const different =
  (await compareAll(Number(values.accounts), 'account', (seed) => compareAccount(createAccount(createRandom(seed))))) +
  (await compareAll(Number(values.pairs), 'pair', (seed) =>
    comparePair(createAccount(createRandom(seed), accountNames), kindsOf(seed)),
  ));
process.exitCode = different === 0 ? 0 : 1;
