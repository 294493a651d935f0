/** The tests of a folder, with its source replaced by the text that contains the mutants. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { skipTaggedFiles, tagsOf } from '../../test/support/skip-tagged-files.ts';
import { filesOf, type Round, readLedger } from './ledger.ts';

const {
  MUTATION_TEXTS = '',
  MUTATION_TESTS = '',
  MUTATION_LEDGER = '',
  MUTATION_ROUND = 'short',
  MUTATION_FRESH,
} = process.env;
const texts = JSON.parse(readFileSync(MUTATION_TEXTS, 'utf8')) as Record<string, string>;

/** The folders and files of the tests, the nearest to the source first. */
const nearest = MUTATION_TESTS.split(',');

const files = filesOf(readLedger(MUTATION_LEDGER), MUTATION_ROUND as Round);

const costs = ['server', 'process'];

/** Of two tests that see a mutant the one without a server costs a hundredth; then the nearer one tells more. */
class CheapAndNearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const tags = tagsOf(readFileSync(moduleId, 'utf8'));
      const cost = costs.findLastIndex((tag) => tags.includes(tag)) + 1;
      return nearest.findIndex((path) => relative(process.cwd(), moduleId).startsWith(path)) + cost * nearest.length;
    };
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

export default defineConfig({
  plugins: [
    skipTaggedFiles(),
    {
      name: 'mutants',
      enforce: 'pre',
      transform: (_, id) => texts[relative(process.cwd(), id.replace(/\?.*/, ''))],
    },
  ],
  test: {
    include: files.only ?? nearest.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
    exclude: files.done,
    sequence: { sequencer: CheapAndNearestFirst },
    setupFiles: ['test/support/faults.ts', 'test/support/random-seed.ts', 'checks/mutation/first-failure.ts'],
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/quick-run.ts', 'test/support/shared-postgres.ts'],
    reporters: [['default', { summary: false }]],
    silent: true,
    // A process for one mutant spends half of its time on compiling. The cache is emptied with each new set of texts.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(dirname(MUTATION_TEXTS), 'compiled') },
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 5_000, interval: 20 } },
    dangerouslyIgnoreUnhandledErrors: MUTATION_FRESH === undefined,
    passWithNoTests: true,
    ...(MUTATION_FRESH === undefined ? { runner: './checks/mutation/runner.ts' } : { bail: 1 }),
    tags: [{ name: 'server' }, { name: 'process' }, { name: 'slow' }],
  },
});
