/** `npm run check-gains -- [--accounts N] [--seed N]`: the gains of random accounts against a reference in fractions. */
import { parseArgs } from 'node:util';
import { createRandom } from '../campaign/random.ts';
import { compareAccount } from './compare.ts';
import { createAccount } from './random-account.ts';

const { values } = parseArgs({
  options: { accounts: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const first = Number(values.seed);
let [figures, different] = [0, 0];
for (let seed = first; seed < first + Number(values.accounts); seed++) {
  const comparison = compareAccount(createAccount(createRandom(seed)));
  figures += comparison.figures;
  if (comparison.differences.length === 0) continue;
  different++;
  if (different <= 5) say([`Account of seed ${seed}:`, ...comparison.differences.slice(0, 10)].join('\n  '));
}
say(`${values.accounts} accounts, ${figures} figures, ${different} accounts with a difference.`);
process.exitCode = different === 0 ? 0 : 1;
