import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { skipTaggedFiles } from './test/support/skip-tagged-files.ts';

/** Those that take long, the longest first. */
const slow = [
  'test/approval/page/browser.',
  'test/views/browser.',
  'test/store/postgres.',
  'test/cli/shared-store.',
  'test/cli/',
  'test/store/store.',
  'test/approval/page/page-server.',
  'test/security/',
  'test/evals/',
  'test/store/',
];

/** The long ones first, so that at the end no worker is left alone with one of them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = slow.findIndex((part) => moduleId.includes(part));
      return rank < 0 ? slow.length : rank;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  plugins: [skipTaggedFiles()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/build.ts'],
    reporters: ['default', './test/support/skipped-reporter.ts'],
    // A bound on hanging, not on speed: some tests start a dozen real processes, on whatever machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // No module of the program keeps anything of its own, so one import serves all files of a worker.
    isolate: false,
    // Half of the time of a worker is spent on waiting, for real processes, limits and disks.
    maxWorkers: 4,
    // Most objects of a test die young; with room for them, collecting garbage takes a tenth less processor time.
    execArgv: ['--max-semi-space-size=64'],
    tags: [
      {
        name: 'server',
        description: 'A whole server in this process, with a simulator, a store and a clock that jumps.',
      },
      { name: 'process', description: 'Needs the built program, PostgreSQL or a browser, and starts real processes.' },
      { name: 'slow', description: 'Takes seconds of processor time; part of `npm run verify` and not of `npm test`.' },
    ],
    sequence: { sequencer: LongestFirst },
  },
});
