/** The next step of a report names tools for a model and commands for a person. */
import { expect, test } from 'vitest';
import type { SubmissionOutcome } from '../../../src/drafting/submission/submission.ts';
import { getNextStepFor } from '../../../src/drafting/submission/submission-steps.ts';
import { buildToolListing } from '../../../src/mcp/build-tool-listing.ts';
import { leg, openBook } from '../book/support.ts';

const draftId = '0123456789abcdef';
const tools = buildToolListing().map(({ name }) => name);
const namesTool = (text: string) => tools.some((name) => text.includes(name));

/** Legs of a stopped attempt, one for each part of its next step. */
function stoppedLegs() {
  const { clock } = openBook();
  const now = clock.now();
  const make = (number: number, intent: object) =>
    ({
      leg: { number, position: number, state: 'taken' },
      intent: { id: `i${number}`, request: leg(), ...intent },
    }) as never;
  const legs = [
    make(1, { state: 'PLACED', orderId: '7', request: leg({ side: 'SELL' }) }),
    make(2, { state: 'UNKNOWN' }),
    make(3, { state: 'REJECTED' }),
  ];
  return { legs, now };
}

const outcomes: readonly SubmissionOutcome[] = [
  'pending_approval',
  'declined',
  'expired',
  'refused',
  'sending',
  'waiting_for_fills',
  'done',
  'stopped',
];

test.each(outcomes)('%s: a person reads no tool, and the reader of a waiting draft what to call', (outcome) => {
  const { legs, now } = stoppedLegs();
  for (const remaining of [undefined, 2]) {
    const facts = { draftId, outcome, legs, remaining, now };
    expect(namesTool(getNextStepFor('person', facts))).toBe(false);
    expect(getNextStepFor('person', facts)).toMatch(/\.$/);
    const isForTools = outcome !== 'declined' && outcome !== 'expired';
    expect(namesTool(getNextStepFor('model', facts))).toBe(isForTools);
  }
});

test('a person learns of a stopped draft which order may be live, and how to send the rest', () => {
  const { legs, now } = stoppedLegs();
  const text = getNextStepFor('person', { draftId, outcome: 'stopped', legs, remaining: 2, now });
  for (const part of ['leg 2', ': 7.', `drafts submit ${draftId}`, 'leg 3']) expect(text).toContain(part);
});
