/**
 * `npm run mutation -- FOLDER [--all] [--tests PATH]…`: changes the source of a folder in one place at a time, and
 * shows which changes no test notices. It keeps what its last run found and no change can have touched; `--all` tries
 * everything again. `--tests` is for somebody who writes tests: it runs those alone, and keeps nothing. Without a folder
 * it shows their names.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { folders, listSources, listTests, type MutatedFolder } from './folders.ts';
import { instrument, type Mutant } from './mutants.ts';
import { readJudgements, reportFolder } from './report.ts';
import { digestFiles, planRun, type Result, readResults, writeResults } from './results.ts';
import { endTests } from './search.ts';
import { tryMutants } from './try-mutants.ts';

const say = (line = ''): void => void process.stdout.write(`${line}\n`);

async function runFolder(name: string, folder: MutatedFolder, work: string, isWhole: boolean): Promise<boolean> {
  const startedAt = Date.now();
  const sources = listSources(folder);
  const { mutants, texts } = await instrument(sources, folder.operators ?? 'usual');
  const resultsFile = join(work, 'results.json');
  if (isWhole) rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const tests = listTests(folder);
  const { withProcesses = false } = folder;
  const files = { folder: work, texts: join(work, 'texts.json'), tests, withProcesses };
  writeFileSync(files.texts, JSON.stringify(texts));
  rmSync(join(work, 'compiled'), { recursive: true, force: true });
  const digests = digestFiles([...sources, ...tests]);
  const plan = planRun(mutants, readResults(resultsFile), digests);
  say(
    `${name}: ${mutants.length} mutants, ${plan.everywhere.length} to try, ${plan.inChanged.length} in changed tests`,
  );
  const keep = (found: ReadonlyMap<string, Result>): void =>
    writeResults(resultsFile, { files: digests, mutants: Object.fromEntries([...plan.kept, ...found]) });
  const results = new Map([...plan.kept, ...(await tryMutants(files, plan, keep))]);
  writeResults(resultsFile, { files: digests, mutants: Object.fromEntries(results) });
  const resultOf = ({ key }: Mutant) => results.get(key) ?? notReached;
  const { text, passes } = reportFolder(name, folder, mutants, resultOf, readJudgements(name));
  writeFileSync(join(work, 'report.md'), `${text}\n`);
  say(text);
  say(`${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
  return passes;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endTests();
    process.exit(1);
  });

const notReached: Result = { status: 'not reached' };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, tests: { type: 'string', multiple: true } },
});
const { tests } = values;
const isWhole = tests !== undefined || values.all === true;
const unknown = positionals.filter((name) => !Object.hasOwn(folders, name));
if (positionals.length === 0 || unknown.length > 0) {
  say(`Folders: ${Object.keys(folders).join(', ')}`);
  process.exitCode = 2;
} else
  for (const name of positionals) {
    const folder = folders[name as keyof typeof folders];
    const work = join('node_modules', '.mutation', tests ? `${name}-some` : name);
    if (!(await runFolder(name, tests ? { ...folder, tests } : folder, work, isWhole))) process.exitCode = 1;
  }
