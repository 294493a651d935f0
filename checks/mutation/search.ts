/** Runs the tests against the mutants: one process that has all of them, and one for each that needs its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Entry, filesOf, note, type Round, readLedger } from './ledger.ts';

/** A mutated loop can run for ever without giving the process a turn. */
const maxSilenceMs = 60_000;
const maxRestarts = 200;

export interface SearchFiles {
  readonly folder: string;
  /** The changed texts, as JSON. */
  readonly texts: string;
  /** Folders and files of tests, the nearest first. */
  readonly tests: readonly string[];
  /** Whether tests run that need PostgreSQL, a browser or other processes. */
  readonly withProcesses: boolean;
}

/** What one process tries, by the numbers of the mutants. */
export interface Share {
  readonly everywhere: readonly string[];
  /** Only the changed tests are new to these. */
  readonly inChanged: readonly string[];
  readonly changedTests: readonly string[];
}

/** Searches in one process, and starts another when that one hangs or ends early. Returns what the ledger has. */
export async function searchTogether(
  { folder, texts, tests, withProcesses }: SearchFiles,
  name: string,
  share: Share,
): Promise<readonly Entry[]> {
  const ledger = join(folder, `ledger-${name}.jsonl`);
  const shareFile = join(folder, `share-${name}.json`);
  writeFileSync(ledger, '');
  writeFileSync(shareFile, JSON.stringify(share));
  let round: Round = 'short';
  for (let starts = 0; starts < maxRestarts; starts++) {
    const child = startTests(withProcesses, {
      MUTATION_TEXTS: texts,
      MUTATION_TESTS: tests.join(','),
      MUTATION_LEDGER: ledger,
      MUTATION_SHARE: shareFile,
      MUTATION_ROUND: round,
    });
    const hasHung = await watch(child, ledger);
    const entries = readLedger(ledger);
    const last = entries.at(-1);
    if (last?.kind === 'tries') note(ledger, { kind: 'killed', mutant: last.mutant, test: last.test, by: 'end' });
    else if (hasHung) throw new Error(`The tests hang without a mutant: see ${ledger}.`);
    else if (last?.kind === 'file' && last.round === round) {
      if (round === 'long' || filesOf(entries, 'long').only?.length === 0) return entries;
      round = 'long';
    }
  }
  throw new Error(`The tests were started ${maxRestarts} times: see ${ledger}.`);
}

/** Runs the tests in a process of its own, with one mutant on from the start, or with none. */
export async function runAlone(
  { folder, texts, tests, withProcesses }: SearchFiles,
  mutant?: string,
): Promise<{ readonly passes: boolean; readonly killer?: string | undefined }> {
  const found = join(folder, `alone-${mutant ?? 'none'}.json`);
  const child = startTests(
    withProcesses,
    {
      MUTATION_TEXTS: texts,
      MUTATION_TESTS: tests.join(','),
      MUTATION_FRESH: '1',
      ...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }),
    },
    ['--reporter=json', `--outputFile=${found}`],
  );
  const ended = once(child, 'exit');
  const code = await Promise.race([
    ended.then(([exit]) => exit as number | null),
    sleep(5 * maxSilenceMs, 'late', { ref: false }),
  ]);
  if (code === 'late') {
    end(child);
    await ended;
  }
  const killer = existsSync(found) ? firstFailed(JSON.parse(readFileSync(found, 'utf8'))) : undefined;
  rmSync(found, { force: true });
  return { passes: code === 0, killer };
}

const firstFailed = ({ testResults }: { testResults: { name: string; status: string }[] }): string | undefined => {
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed && relative(process.cwd(), failed.name);
};

function startTests(withProcesses: boolean, env: Record<string, string>, flags: readonly string[] = []): ChildProcess {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'checks/mutation/vitest.config.ts'];
  const tags = ['--tagsFilter=!slow', ...(withProcesses ? [] : ['--tagsFilter=!process'])];
  const child = spawn(process.execPath, [...args, ...tags, ...flags], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const running = new Set<ChildProcess>();

/** Ends the tests that still run. They lead process groups of their own, so a signal to this process does not reach them. */
export function endTests(): void {
  for (const child of running) end(child);
}

/** Ends a process with its workers. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/** Waits for the end of a process. True if nothing was written for too long, and the process was ended. */
async function watch(child: ChildProcess, ledger: string): Promise<boolean> {
  const ended = once(child, 'exit').then(() => true);
  const startedAt = Date.now();
  while (!(await Promise.race([ended, sleep(1_000, false)]))) {
    const lastAt = Math.max(startedAt, statSync(ledger).mtimeMs);
    if (Date.now() - lastAt < maxSilenceMs) continue;
    end(child);
    await ended;
    return true;
  }
  return false;
}
