/** After which outcomes `call` ends with an error. */
import { expect, test } from 'vitest';
import { hasFailed } from '../../src/cli/call.ts';

const writes = ['places', 'cancels', 'creates', 'changes', 'deletes', 'saves', 'drafts'] as const;

test.each([
  ['placed', false],
  ['pending_approval', false],
  ['done', false],
  ['sending', false],
  ['waiting_for_fills', false],
  ['refused', true],
  ['rejected', true],
  ['declined', true],
  ['expired', true],
  ['not_sent', true],
  ['stopped', true],
  ['unknown', true],
])('a tool that places or cancels, with the outcome %s, ends call with an error: %s', (outcome, failed) => {
  const result = { isError: false, body: { outcome } };
  for (const effect of writes) expect(hasFailed({ effect }, result)).toBe(failed);
  expect(hasFailed({ effect: 'reads' }, result)).toBe(false);
  expect(hasFailed({ effect: 'reads' }, { ...result, isError: true })).toBe(true);
});

test('a tool that does not exist ends call with its error alone', () => {
  expect(hasFailed(undefined, { isError: true, body: { code: 'invalid_argument' } })).toBe(true);
  expect(hasFailed(undefined, { isError: false, body: { outcome: 'refused' } })).toBe(false);
});
