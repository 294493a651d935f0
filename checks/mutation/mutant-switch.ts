/** What a text with mutants of our own asks: the same switches as those of Stryker’s texts. */
import type { Switches } from './switches.ts';

const shared = globalThis as { __stryker__?: Switches };

/** Whether the mutant is on. Counts that it was reached: by the running test, or while modules load. */
export function isOn(id: string): boolean {
  shared.__stryker__ ??= {};
  const switches = shared.__stryker__;
  switches.activeMutant ??= process.env.__STRYKER_ACTIVE_MUTANT__;
  switches.mutantCoverage ??= { static: {}, perTest: {} };
  const { mutantCoverage: reached, currentTestId: test, activeMutant } = switches;
  if (test !== undefined) reached.perTest[test] ??= {};
  const counts = test === undefined ? reached.static : (reached.perTest[test] as Record<string, number>);
  counts[id] = (counts[id] ?? 0) + 1;
  return activeMutant === id;
}
