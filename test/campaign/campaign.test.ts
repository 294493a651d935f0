/**
 * A sample of the campaign: a few trials of every scenario, and the mutants that matter most, each on its
 * sharpest one. `npm run campaign -- --short` tries more, and all mutants.
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mutants as allMutants } from './mutants.ts';
import { runCampaign } from './run.ts';

test('no fault makes the program break an invariant, and the mutants of it are caught', {
  // A bound on hanging, not on speed: it is over a hundred real processes.
  timeout: 290_000,
}, async () => {
  const { tally, mutants } = await runCampaign({
    trials: 0,
    seed: 1,
    short: true,
    sample: true,
    say: () => undefined,
  });
  expect([...tally.lines].flatMap(([name, { violations }]) => violations.map((line) => `${name}: ${line}`))).toEqual(
    [],
  );
  expect(mutants.filter(({ caught }) => caught === undefined)).toEqual([]);
  expect(mutants.length).toBe(allMutants.filter(({ always }) => always).length);
  expect(mutants.length).toBeGreaterThan(4);
  // A scenario that could not be made says why.
  for (const { trials, skipped } of tally.lines.values()) expect(trials > 0 || skipped.length > 0).toBe(true);
});

test.each(allMutants)('the mutant "$name" is a change of the program as it is now', async ({ edits }) => {
  for (const { file, find } of edits) expect((await readFile(`src/${file}`, 'utf8')).split(find).length - 1).toBe(1);
});
