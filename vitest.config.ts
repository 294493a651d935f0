import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { skipTaggedFiles } from './test/support/skip-tagged-files.ts';

/** Files that wait more than they compute: for browsers, databases, other processes and real time. The longest first. */
const waiting = [
  'test/core/approval/page/browser.',
  'test/features/views/browser.',
  'test/core/store/postgres.',
  'test/core/store/store.',
  'test/core/approval/page/page-server.',
  'test/setup/doctor/',
  'test/core/http/',
  'test/cli/',
  'test/core/store/',
];

/** Starts those that wait one by one among the others, so that a worker computes while another one waits. */
class WaitingSpread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => waiting.findIndex((part) => moduleId.includes(part));
    const sorted = await super.sort(files);
    const waits = sorted.filter((file) => rankOf(file) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b));
    const computes = sorted.filter((file) => rankOf(file) < 0);
    // None of them starts in the last half, where it would be left alone.
    const between = Math.floor(computes.length / 2 / Math.max(1, waits.length));
    const spread = waits.flatMap((file, n) => [file, ...computes.slice(n * between, (n + 1) * between)]);
    return [...spread, ...computes.slice(waits.length * between)];
  }
}

/** Most code of a quick test runs a few times: fewer functions are optimized, and no threads collect garbage beside a worker. */
const quickFlags = ['--single-threaded-gc', '--interrupt-budget=600000'];
/** The slow tests have loops that need their code optimized. */
const leavesOutSlow = process.argv.some((argument) => argument.includes('!slow'));

export default defineConfig({
  plugins: [skipTaggedFiles()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/faults.ts', 'test/support/random-seed.ts'],
    globalSetup: [
      'test/support/temporary-folder.ts',
      'test/support/build.ts',
      'test/support/quick-run.ts',
      'test/support/shared-postgres.ts',
    ],
    reporters: ['default', './test/support/skipped-reporter.ts'],
    // A bound on hanging, not on speed: some tests start a dozen real processes, on whatever machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // No module of the program keeps what belongs to an account or a server, so one import serves all files of a worker.
    isolate: false,
    // Keeps the compiled form of each file in node_modules, so only the first run compiles those that did not change.
    experimental: { fsModuleCache: true },
    // Half of the time of a worker is spent on waiting, for real processes, limits and disks.
    maxWorkers: 4,
    // Most objects of a test die young; with room for them, collecting garbage takes a tenth less processor time.
    execArgv: ['--max-semi-space-size=64', ...(leavesOutSlow ? quickFlags : [])],
    tags: [
      {
        name: 'server',
        description: 'Runs a server or the simulator in this process; most with a store and a clock that jumps.',
      },
      { name: 'process', description: 'Needs the built program, PostgreSQL or a browser, and starts real processes.' },
      { name: 'slow', description: 'Takes seconds of processor time; part of `npm run verify` and not of `npm test`.' },
    ],
    sequence: { sequencer: WaitingSpread },
  },
});
