/** Which questions a host can show, from what it declares. */
import { expect, test } from 'vitest';
import { readAbilities } from '../../../src/core/mcp/older-hosts.ts';

test.each([
  [undefined, false, false],
  // How older clients declare forms.
  [{}, true, false],
  [{ form: {} }, true, false],
  [{ url: {} }, false, true],
  [{ form: {}, url: {} }, true, true],
])('a host that declares %j shows forms: %s, and pages: %s', (declared, canForm, canUrl) => {
  expect(readAbilities(declared)).toEqual({ canForm, canUrl });
});
