/** A setting that no code reads would be accepted and have no effect. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitNames } from '../../../src/core/orders/intent/risk-limits.ts';
import { type Setting, settings } from '../../../src/core/settings/setting-definitions.ts';

const folder = 'src/core/settings';
const readers = readdirSync(folder)
  .filter((file) => file !== 'setting-definitions.ts')
  .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  .join('\n');

test.each(Object.entries<Setting>(settings))('the program reads the setting %s', (name, { variable }) => {
  const names = new RegExp(`\\b(${name}|${variable})\\b`);
  expect(limitNames.some((limit) => limit === name) || names.test(readers)).toBe(true);
});
