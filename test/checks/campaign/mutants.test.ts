/** The campaign itself runs with `npm run campaign`; here its mutants are held against the source. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mutants } from '../../../checks/campaign/mutants.ts';

test.each(mutants)('the mutant "$name" is a change of the program as it is now', async ({ edits }) => {
  for (const { file, find } of edits) expect((await readFile(`src/${file}`, 'utf8')).split(find).length - 1).toBe(1);
});
