/** The short form of the campaign: a few trials of every scenario, and every mutant on its sharpest one. */
import { expect, test } from 'vitest';
import { runCampaign } from './run.ts';

test('no fault makes the program break an invariant, and every mutant of it is caught', {
  timeout: 150_000,
}, async () => {
  const { tally, mutants } = await runCampaign({ trials: 0, seed: 1, short: true, say: () => undefined });
  expect([...tally.lines].flatMap(([name, { violations }]) => violations.map((line) => `${name}: ${line}`))).toEqual(
    [],
  );
  expect(mutants.filter(({ caught }) => caught === undefined)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(9);
  // A scenario that could not be made says why.
  for (const { trials, skipped } of tally.lines.values()) expect(trials > 0 || skipped.length > 0).toBe(true);
});
