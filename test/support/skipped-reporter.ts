import type { Reporter, TestModule } from 'vitest/node';

/** Lists the tests that this machine could not run, under the reason of each. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        // Without a reason a filter of the command line excluded it.
        const reason = result.state === 'skipped' ? result.note : undefined;
        if (reason === undefined) continue;
        titles.set(reason, [...(titles.get(reason) ?? []), `${module.relativeModuleId} > ${test.fullName}`]);
      }
    }
    for (const [reason, names] of titles)
      process.stdout.write(`\nSkipped (${names.length}): ${reason}\n${names.map((name) => `  ${name}\n`).join('')}`);
  }
}
