/** Tries what a plan names, in two processes at once, and then alone what can only be tried alone. */
import { availableParallelism } from 'node:os';
import { type Entry, fileOf } from './ledger.ts';
import type { Mutant } from './mutants.ts';
import type { Plan, Result } from './results.ts';
import { runAlone, type SearchFiles, searchTogether } from './search.ts';

const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, (_, n) => n);

type Found = ReadonlyMap<string, Result>;

/** Returns what it found, by the keys of the mutants. `keep` gets what is known before the long part, and after each of it. */
export async function tryMutants(files: SearchFiles, plan: Plan, keep: (found: Found) => void): Promise<Found> {
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
  keep(found);
  const isAlive = ({ key }: Mutant) => found.get(key)?.status !== 'killed';
  const alone = tried.filter(
    (mutant) =>
      isAlive(mutant) && (seen.spoilt.has(mutant.id) || (seen.fixed.has(mutant.id) && !seen.covered.has(mutant.id))),
  );
  if (alone.length > 0 && !(await runAlone(searched)).passes) throw new Error('The tests fail without a mutant.');
  /** How often a test file killed a mutant of a source file that was tried alone. */
  const killedAlone = new Map<string, number>();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const { key, id, file } of alone.filter((_, n) => n % lanes.length === lane)) {
        const spoilt = seen.spoilt.get(id);
        const likely = listLikelyKillers(file, tried, found).toSorted(
          (a, b) => (killedAlone.get(`${file} ${b}`) ?? 0) - (killedAlone.get(`${file} ${a}`) ?? 0),
        );
        const [first, ...others] = spoilt === undefined ? likely : [spoilt];
        let end: Awaited<ReturnType<typeof runAlone>> | undefined;
        // The one that kills most by itself, because a process with a single test file is done in a few seconds.
        for (const tests of [first === undefined ? [] : [first], others])
          if (tests.length > 0 && end?.passes !== false) end = await runAlone({ ...files, tests }, id);
        if (end?.passes !== false) end = await runAlone(searched, id);
        if (end.killer !== undefined) {
          const name = `${file} ${end.killer}`;
          killedAlone.set(name, (killedAlone.get(name) ?? 0) + 1);
        }
        found.set(key, resultAlone(end));
        keep(found);
      }
    }),
  );
  return found;
}

/** The test files that killed most of the mutants of a source file so far. All tests take ten times as long as these. */
function listLikelyKillers(file: string, mutants: readonly Mutant[], found: Found): readonly string[] {
  const counts = new Map<string, number>();
  for (const mutant of mutants) {
    const killer = mutant.file === file ? found.get(mutant.key)?.killer : undefined;
    if (killer !== undefined) counts.set(killer, (counts.get(killer) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  return byCount.slice(0, maxLikely).map(([killer]) => killer);
}

const maxLikely = 4;

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
