/**
 * `npm run mutation -- FOLDER [--all] [--tests PATH]…`: changes the source of a folder in one place at a time, and
 * shows which changes no test notices. It keeps what its last run found and no change can have touched; `--all` tries
 * everything again. `--tests` is for somebody who writes tests: it runs those alone, and keeps nothing. Without a folder
 * it shows their names.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { folders, type MutatedFolder } from './folders.ts';
import { type Entry, fileOf } from './ledger.ts';
import { instrument, type Mutant } from './mutants.ts';
import { readJudgements, reportFolder } from './report.ts';
import { digestFiles, type Plan, planRun, type Result, readResults, writeResults } from './results.ts';
import { runAlone, type SearchFiles, searchTogether } from './search.ts';

const say = (line = ''): void => void process.stdout.write(`${line}\n`);
const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, (_, n) => n);

async function runFolder(name: string, folder: MutatedFolder, work: string, isWhole: boolean): Promise<boolean> {
  const startedAt = Date.now();
  const { mutants, texts } = await instrument(join('src', folder.source));
  const resultsFile = join(work, 'results.json');
  if (isWhole) rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const tests = folder.tests.map((path) => join('test', path));
  const files = { folder: work, texts: join(work, 'texts.json'), tests };
  writeFileSync(files.texts, JSON.stringify(texts));
  const digests = digestFiles([join('src', folder.source), ...tests]);
  const plan = planRun(mutants, readResults(resultsFile), digests);
  say(
    `${name}: ${mutants.length} mutants, ${plan.everywhere.length} to try, ${plan.inChanged.length} in changed tests`,
  );
  const found = await search(files, plan);
  const results = new Map([...plan.kept, ...found]);
  writeResults(resultsFile, { files: digests, mutants: Object.fromEntries(results) });
  const resultOf = ({ key }: Mutant) => results.get(key) ?? notReached;
  const { text, passes } = reportFolder(name, folder, mutants, resultOf, readJudgements(name));
  writeFileSync(join(work, 'report.md'), `${text}\n`);
  say(text);
  say(`${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
  return passes;
}

const notReached: Result = { status: 'not reached' };

/** Tries what the plan names. Returns what it found, by the keys. */
async function search(files: SearchFiles, plan: Plan): Promise<ReadonlyMap<string, Result>> {
  const { everywhere, inChanged, changedTests } = plan;
  const tried = [...everywhere, ...inChanged];
  if (tried.length === 0) return new Map();
  const searched = everywhere.length > 0 ? files : { ...files, tests: changedTests };
  const inLane = (mutants: readonly Mutant[], lane: number) =>
    mutants.filter((_, n) => n % lanes.length === lane).map(({ id }) => id);
  const ledgers = await Promise.all(
    lanes.map((lane) => {
      const share = { everywhere: inLane(everywhere, lane), inChanged: inLane(inChanged, lane), changedTests };
      return searchTogether(searched, String(lane), share);
    }),
  );
  const seen = readEntries(ledgers.flat());
  const found = new Map<string, Result>();
  for (const { key, id } of tried) {
    const killer = seen.killers.get(id);
    if (killer !== undefined) found.set(key, { status: 'killed', killer });
    else if (seen.covered.has(id)) found.set(key, { status: 'survived' });
  }
  const isAlive = ({ key }: Mutant) => found.get(key)?.status !== 'killed';
  const alone = tried.filter(
    (mutant) =>
      isAlive(mutant) && (seen.spoilt.has(mutant.id) || (seen.fixed.has(mutant.id) && !seen.covered.has(mutant.id))),
  );
  if (alone.length > 0 && !(await runAlone(searched)).passes) throw new Error('The tests fail without a mutant.');
  await Promise.all(
    lanes.map(async (lane) => {
      for (const { key, id } of alone.filter((_, n) => n % lanes.length === lane)) {
        const spoilt = seen.spoilt.get(id);
        const first = spoilt === undefined ? undefined : await runAlone({ ...files, tests: [spoilt] }, id);
        found.set(key, resultAlone(first?.passes === false ? first : await runAlone(searched, id)));
      }
    }),
  );
  return found;
}

const resultAlone = ({ passes, killer }: Awaited<ReturnType<typeof runAlone>>): Result =>
  passes ? { status: 'survived' } : { status: 'killed', killer };

/** What the processes wrote: who killed what, what was reached, and what needs a process of its own. */
function readEntries(entries: readonly Entry[]) {
  const killers = new Map<string, string>();
  const covered = new Set<string>();
  const fixed = new Set<string>();
  /** The test file that a mutant failed and spoilt. */
  const spoilt = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'killed') killers.set(entry.mutant, fileOf(entry.test));
    else if (entry.kind === 'done') for (const id of entry.covers) covered.add(id);
    else if (entry.kind === 'file') for (const id of entry.static) fixed.add(id);
    else if (entry.kind === 'contaminates') spoilt.set(entry.mutant, fileOf(entry.test));
  }
  return { killers, covered, fixed, spoilt };
}

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
