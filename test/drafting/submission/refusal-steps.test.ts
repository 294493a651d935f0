/** The next step after a refusal names commands for a person, and no tool. */
import { expect, test } from 'vitest';
import type { DraftRefusal } from '../../../src/drafting/submission/check-submission.ts';
import { getPersonRefusalStep } from '../../../src/drafting/submission/refusal-steps.ts';
import { buildToolListing } from '../../../src/mcp/build-tool-listing.ts';

const draftId = '0123456789abcdef';
const tools = buildToolListing().map(({ name }) => name);

test.each<[Omit<DraftRefusal, 'reason'>, string]>([
  [{ rule: 'max_order_value', leg: 2, largestQuantity: '3' }, `drafts edit ${draftId} --leg 2 --quantity 3`],
  [{ rule: 'max_order_value', leg: 2 }, `drafts edit ${draftId} --leg 2`],
  [{ rule: 'duplicate_order', leg: 1 }, `drafts edit ${draftId} --leg 1 --remove`],
  [{ rule: 'repeated_submission', leg: 1 }, `drafts submit ${draftId} --repeat-of`],
  [{ rule: 'repeated_submission', leg: 1, submissionIds: ['a', 'b'] }, `drafts edit ${draftId} --leg 1 --remove`],
  [{ rule: 'orders_per_hour' }, `drafts edit ${draftId} --leg N --remove`],
  [{ rule: 'approval_missing' }, 'brokerage-mcp enroll'],
  [{ rule: 'halted' }, 'brokerage-mcp resume'],
  [{ rule: 'open_unknown' }, 'brokerage-mcp resume'],
])('after %j a person reads a command', (refusal, command) => {
  const step = getPersonRefusalStep(draftId, { ...refusal, reason: '' });
  expect(step).toContain(command);
  expect(step).toMatch(/\.$/);
  expect(tools.filter((name) => step.includes(name))).toEqual([]);
});
