/**
 * Runs each test once as it is, and then again for each mutant that it reached and that nothing has killed yet. All of
 * that happens in one process, which has loaded the program once; Stryker's own runner loads it for each mutant.
 */
import { readFileSync } from 'node:fs';
import {
  type RunnerTestFile as File,
  type RunnerTestSuite as Suite,
  type RunnerTestCase as Test,
  TestRunner,
} from 'vitest';
import { type Entry, note, type Round, readLedger } from './ledger.ts';
import type { Share } from './search.ts';
import type { Switches } from './switches.ts';

const { MUTATION_LEDGER: path = '', MUTATION_SHARE: shareFile = '', MUTATION_ROUND = 'short' } = process.env;
const round = MUTATION_ROUND as Round;
const shared = globalThis as { __stryker__?: Switches };
const switches = shared.__stryker__ ?? {};
shared.__stryker__ = switches;
switches.mutantCoverage ??= { static: {}, perTest: {} };
const here = 'here';
const elsewhere = 'elsewhere';

interface Pass {
  readonly mutant: string | undefined;
  readonly startedAt: number;
  readonly cpuBefore: NodeJS.CpuUsage;
}

/** One test: what it covers, what is left to try, and what was killed since it last passed without a mutant. */
interface Search {
  baselineMs: number;
  hits: Readonly<Record<string, number>>;
  queue: string[];
  killed: { readonly mutant: string; readonly by: 'test' | 'time' }[];
  pass: Pass;
}

const share = JSON.parse(readFileSync(shareFile, 'utf8')) as Share;
const alive = new Set([...share.everywhere, ...share.inChanged]);
const everywhere = new Set(share.everywhere);
const changedTests = new Set(share.changedTests);
const finished = new Set<string>();
const suspects = new Set<string>();
for (const entry of readLedger(path)) {
  if (entry.kind === 'killed' || entry.kind === 'contaminates') {
    alive.delete(entry.mutant);
    everywhere.delete(entry.mutant);
  }
  if (entry.kind === 'done' || entry.kind === 'unusable') finished.add(entry.test);
  if (entry.kind === 'postponed' && round === 'short') finished.add(entry.test);
  if (entry.kind === 'suspect') suspects.add(entry.test);
}
/**
 * A mutant that the nearest tests let live for this much processor time counts as alive: nearly every test reaches the
 * busiest lines, and the score is then a little too low and never too high.
 */
const maxMsPerMutant = 10_000;
const spentMs = new Map<string, number>();
/** The longest tests that try mutants, in each round; one over four seconds would spend the time of its mutants alone. */
const maxTestMs = { short: 400, long: 4_000 };

/** The test runs again without a mutant after this number of kills, and they count when it passes. */
const maxKillsAtOnce = 25;

const say = (entry: Entry) => note(path, entry);

const timeIsUp = 'The time of the mutant is up.';

export default class MutationRunner extends TestRunner {
  private search: Search | undefined;

  /** What is evaluated without a name of a test is evaluated while modules load. */
  override onCollectStart(file: File): void {
    super.onCollectStart(file);
    switches.currentTestId = undefined;
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask(test);
    switches.currentTestId = elsewhere;
    if (test.mode !== 'run' && test.mode !== 'queued') return;
    const name = nameOf(test);
    if (finished.has(name) || alive.size === 0 || (everywhere.size === 0 && !changedTests.has(test.file.name))) {
      test.mode = 'skip';
      return;
    }
    this.search = undefined;
    // Until `end` says that nothing is left.
    test.repeats = Number.MAX_SAFE_INTEGER;
  }

  override onBeforeTryTask(test: Test): void {
    super.onBeforeTryTask(test);
    const { search } = this;
    const mutant = search && nextMutant(search, nameOf(test));
    if (search && mutant !== undefined) say({ kind: 'tries', test: nameOf(test), mutant });
    switches.currentTestId = search ? elsewhere : here;
    if (!search && switches.mutantCoverage) switches.mutantCoverage.perTest = {};
    switches.activeMutant = mutant;
    switches.hitCount = mutant === undefined ? undefined : 0;
    switches.hitLimit = 10_000 + 100 * (mutant === undefined ? 0 : (search?.hits[mutant] ?? 0));
    const pass = { mutant, startedAt: performance.now(), cpuBefore: process.cpuUsage() };
    this.search = search ? { ...search, pass } : { baselineMs: 0, hits: {}, queue: [], killed: [], pass };
  }

  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const { search } = this;
    if (search?.pass.mutant === undefined) return await run();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(timeIsUp)), 3_000 + 5 * search.baselineMs);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  onAfterRetryTask(test: Test): void {
    const { search } = this;
    const { result } = test;
    if (!search || !result) return;
    const isToTry = (id: string) => alive.has(id) && (everywhere.has(id) || changedTests.has(test.file.name));
    const hits = switches.mutantCoverage?.perTest[here] ?? {};
    Object.assign(switches, { activeMutant: undefined, currentTestId: elsewhere, hitCount: undefined });
    const hasFailed = result.state === 'fail';
    const isLate = result.errors?.some(({ message }) => message === timeIsUp) ?? false;
    const { mutant } = search.pass;
    if (result.state === 'skip') return;
    Object.assign(result, { state: 'run', errors: undefined });
    if (search.baselineMs === 0) {
      search.baselineMs = Math.max(1, performance.now() - search.pass.startedAt);
      search.hits = hits;
      const isLong = search.baselineMs > maxTestMs[round];
      const isSpent = (id: string) => (spentMs.get(id) ?? 0) >= maxMsPerMutant;
      search.queue = isLong ? [] : Object.keys(hits).filter((id) => isToTry(id) && !isSpent(id));
      if (hasFailed) {
        end(test, { kind: 'unusable', test: nameOf(test) });
        return;
      }
      if (isLong && round === 'short') {
        end(test, { kind: 'postponed', test: nameOf(test) });
        return;
      }
    } else if (mutant !== undefined) {
      search.queue.shift();
      const { user, system } = process.cpuUsage(search.pass.cpuBefore);
      spentMs.set(mutant, (spentMs.get(mutant) ?? 0) + (user + system) / 1_000);
      if (hasFailed) search.killed.push({ mutant, by: isLate ? 'time' : 'test' });
    } else if (hasFailed) restart(test, search);
    else {
      for (const { mutant: id, by } of search.killed.splice(0)) {
        alive.delete(id);
        everywhere.delete(id);
        say({ kind: 'killed', mutant: id, test: nameOf(test), by });
      }
    }
    if (search.queue.length > 0 || search.killed.length > 0) return;
    end(test, {
      kind: 'done',
      test: nameOf(test),
      covers: Object.keys(search.hits),
      ms: Math.round(search.baselineMs),
    });
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if ('filepath' in suite)
      say({ kind: 'file', file: suite.name, round, static: Object.keys(switches.mutantCoverage?.static ?? {}) });
  }
}

/** Undefined is a pass without a mutant. */
function nextMutant({ killed, queue }: Search, test: string): string | undefined {
  const isFull = killed.length >= (suspects.has(test) ? 1 : maxKillsAtOnce);
  return isFull ? undefined : queue[0];
}

/** Something that a mutant left makes the test fail, so another process goes on. */
function restart(test: Test, { killed }: Search): never {
  const name = nameOf(test);
  const isTriedOneByOne = suspects.has(name);
  for (const { mutant } of isTriedOneByOne ? killed : []) say({ kind: 'contaminates', mutant, test: name });
  if (!isTriedOneByOne) say({ kind: 'suspect', test: name });
  // Vitest turns `process.exit` into an error of the test.
  process.kill(process.pid, 'SIGKILL');
  throw new Error('The process ends.');
}

function end(test: Test, entry: Entry): void {
  say(entry);
  if (test.result) Object.assign(test.result, { state: 'skip', pending: true });
}

function nameOf(test: Test): string {
  const parts = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite) parts.unshift(suite.name);
  return [test.file.name, ...parts].join(' > ');
}
