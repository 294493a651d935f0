/** `npm run campaign -- [--trials N] [--seed N] [--only NAME] [--short] [--store postgres] [--records FOLDER]`: real processes under every fault, as a table. */
import { parseArgs } from 'node:util';
import { startPostgres } from '../../test/support/postgres.ts';
import { listFailures, mutantTable, tallyTable } from './result-table.ts';
import { runCampaign } from './run.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    records: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const startedAt = Date.now();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const postgres = values.store === 'postgres' ? await startPostgres() : undefined;
const { tally, mutants } = await runCampaign({
  trials: Number(values.trials),
  seed: Number(values.seed),
  short: values.short,
  only: values.only,
  postgres: postgres?.url,
  records: values.records,
  say,
}).finally(() => postgres?.stop());

say(`\nNode ${process.version}, seed ${values.seed}, ${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.\n`);
say(tallyTable(tally));
say(`\n${mutantTable(mutants)}`);
const failures = listFailures(tally, mutants);
say(failures.length === 0 ? '\nNo invariant was broken, and every mutant was caught.' : '\nFAILED:');
for (const failure of failures) say(`- ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
