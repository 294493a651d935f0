/**
 * A sample of the campaign: a few trials of every scenario. `npm run campaign -- --short` tries more, and
 * every mutant; it runs after the tests (.ci/run).
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';
import { runCampaign } from './run.ts';

test('no fault makes the program break an invariant', {
  // A bound on hanging, not on speed: it is over a hundred real processes.
  timeout: 1_200_000,
}, async () => {
  const { tally } = await runCampaign({
    trials: 0,
    seed: 1,
    short: true,
    sample: true,
    say: () => undefined,
  });
  expect([...tally.lines].flatMap(([name, { violations }]) => violations.map((line) => `${name}: ${line}`))).toEqual(
    [],
  );
  // A scenario that could not be made says why.
  for (const { trials, skipped } of tally.lines.values()) expect(trials > 0 || skipped.length > 0).toBe(true);
});

test.each(mutants)('the mutant "$name" is a change of the program as it is now', async ({ edits }) => {
  for (const { file, find } of edits) expect((await readFile(`src/${file}`, 'utf8')).split(find).length - 1).toBe(1);
});
