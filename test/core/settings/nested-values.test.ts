/** Values of config.json that are no text: each is refused in one sentence, however deeply it is nested. */
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/core/errors.ts';
import { loadSettings } from '../../../src/core/settings/load-settings.ts';
import { parseCostEntries } from '../../../src/core/settings/tax-entries.ts';

const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
const load = (taxZone: unknown) => () =>
  loadSettings(
    {},
    {
      argv: [],
      env: { HOME: '/home/owner' },
      platform: 'linux',
      readFile: () => {
        // JSON.stringify cannot write what is nested as deeply.
        return taxZone === deep
          ? `{"taxZone":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
          : JSON.stringify({ taxZone });
      },
      hasFile: () => true,
      getFileMode: () => 0o600,
    },
  );

test.each([
  ['a deep list', deep],
  ['an object', {}],
  ['a list of lists', [['UK']]],
])('a setting that is %s is refused', (_, value) => expect(load(value)).toThrow(UsageError));

test.each<[string, unknown]>([
  ['a text', 'UK'],
  ['a number', 5],
  ['true', true],
  ['a list of texts', ['UK', 'US']],
])('a setting that is %s is read', (_, value) => expect(load(value)().taxZone?.text).toBe(String(value)));

test('an entry of costBasis with a deep list is refused', () => {
  for (const entry of [deep, { fillId: '1', cost: deep, currency: 'GBP' }])
    expect(() => parseCostEntries([entry], 'config.json')).toThrow(UsageError);
});
