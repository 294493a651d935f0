/** Every setting has an effect, and the texts say the defaults that are in force. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitNames, limitRows } from '../../../src/core/orders/intent/risk-limits.ts';
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

const numeric = limitNames.filter((name) => ['amount', 'count'].includes(limitRows[name].kind));

test.each(numeric)('the description of %s has its defaults', (name) => {
  const { paper, live } = limitRows[name];
  expect((settings as Record<string, Setting>)[name]?.description).toMatch(
    new RegExp(`; default ${paper}, live ${live}$`),
  );
});

test('docs/live-orders.md has the default of every limit that is a number', () => {
  const [, section = ''] = readFileSync('docs/live-orders.md', 'utf8').split('\n## Limits\n');
  const rows = [...section.matchAll(/^\| [^|]+ \| `[^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];
  const numbers = (column: 1 | 2) =>
    rows.flatMap((row) => row[column]?.match(/\d[\d,]*/g) ?? []).map((text) => text.replaceAll(',', ''));
  expect(numbers(1)).toEqual(numeric.map((name) => String(limitRows[name].paper)));
  expect(numbers(2)).toEqual(numeric.map((name) => String(limitRows[name].live)));
});
