/** The campaign itself runs with `npm run campaign`; this test checks its mutants against the source. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mutants } from '../../../checks/campaign/mutants.ts';

test.each(mutants)('the mutant "$name" still changes the current source', async ({ edits }) => {
  for (const { file, find } of edits) expect((await readFile(`src/${file}`, 'utf8')).split(find).length - 1).toBe(1);
});
