/**
 * No work grows with the square of its input: steps are counted at one size and at eight times that size. `npm run
 * bench` measures how long the same cases take.
 */
// @module-tag process
// @module-tag slow
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import { createInstrumentSearch } from '../../src/features/search/search.ts';
import { generateInstruments } from '../features/search/generated-instruments.ts';
import { cases } from './cases.ts';

let counts: Readonly<Record<string, readonly [number, number]>> = {};

beforeAll(async () => {
  const { outfile, remove } = await bundleScript('test/work/cases.ts');
  try {
    // A process of its own: a hanging one can be ended, and nothing is compiled before the counting begins.
    const { stdout } = await promisify(execFile)(process.execPath, ['test/work/count.mjs', outfile], {
      timeout: 300_000,
    });
    counts = JSON.parse(stdout);
  } finally {
    remove();
  }
}, 330_000);

test.each(Object.keys(cases))('%s: eight times the size takes fewer than sixteen times the steps', (name) => {
  const [small = 0, large = 0] = counts[name] ?? [];
  expect(small).toBeGreaterThan(0);
  // In proportion it is 8, with a sort about 11, with a square 64.
  expect(large / small).toBeLessThan(16);
});

test('the search builds nothing until the first query', () => {
  let reads = 0;
  const rows = new Proxy(generateInstruments(10), {
    get: (target, name) => {
      if (name !== 'length') reads++;
      return Reflect.get(target, name);
    },
  });
  const search = createInstrumentSearch(rows);
  expect(reads).toBe(0);
  search.search('wqx', { limit: 1 });
  expect(reads).toBeGreaterThan(0);
});
