/** The next step of a report names tools for a model and commands for a person. */
import { expect, test } from 'vitest';
import { buildToolListing } from '../../../../src/app/build-tool-listing.ts';
import type { SubmissionOutcome } from '../../../../src/features/drafts/submission/submission.ts';
import { getNextStepFor, unsentTexts } from '../../../../src/features/drafts/submission/submission-steps.ts';
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

const show = `“brokerage-mcp drafts show ${draftId}” shows the state; “brokerage-mcp drafts discard ${draftId}” stops the rest.`;
const again = `“brokerage-mcp drafts submit ${draftId}” submits it again if you still want it.`;
const state = 'Call submit_draft with the same arguments, or list_drafts, for the state.';
const carriesOn = `“brokerage-mcp drafts submit ${draftId}” in a terminal carries on; “brokerage-mcp drafts discard ${draftId}” stops the rest.`;

type Facts = Partial<Parameters<typeof getNextStepFor>[1]>;

test.each<[string, Facts, model: string, person: string]>([
  ['is sent', { outcome: 'sending' }, state, show],
  ['waits for fills', { outcome: 'waiting_for_fills' }, state, show],
  [
    'waits for a person',
    { outcome: 'pending_approval' },
    'Ask the user to approve or reject it, then call submit_draft with the same arguments for the state. The legs are sent automatically once approved.',
    `Approve it with “brokerage-mcp drafts submit ${draftId}”, or reject it with “brokerage-mcp drafts discard ${draftId}”.`,
  ],
  ['was refused', { outcome: 'refused' }, state, again],
  [
    'is done',
    { outcome: 'done' },
    'Follow each order to its fill with get_order.',
    'Your broker shows when the orders are filled.',
  ],
  ['expired', { outcome: 'expired' }, 'Submit the draft again if the user still wants it.', again],
  ['was declined', { outcome: 'declined' }, 'Ask the user what to do instead.', again],
  [
    'was declined in a form',
    { outcome: 'declined', isFormDeclined: true },
    `Ask the user. If they saw no form, the owner can run “brokerage-mcp drafts submit ${draftId}” in a terminal; submit_draft sends the form again.`,
    again,
  ],
  [
    'is sent by no process',
    { outcome: 'sending', isSenderGone: true },
    `Call submit_draft with the same arguments to carry on, or tell the user: ${carriesOn}`,
    carriesOn,
  ],
])('the next step of a draft that %s, for a model and for a person', (_, facts, model, person) => {
  const all = { draftId, outcome: 'done', legs: [], remaining: undefined, now: 0, ...facts } as const;
  expect(getNextStepFor('model', all)).toBe(model);
  expect(getNextStepFor('person', all)).toBe(person);
});

/** A leg whose order is in a state. */
const withOrder = (number: number, intent: object) =>
  ({ leg: { number }, intent: { id: `i${number}`, request: leg(), ...intent } }) as never;
const soldAs = (number: number, change: object = {}) =>
  withOrder(number, { state: 'PLACED', orderId: `${number}`, request: leg({ side: 'SELL' }), ...change });
const unsent = { leg: { number: 4 }, intent: undefined } as never;
const holds = 'Version 2 of the draft holds the legs that were not sent; submit it if the user wants them.';
const otherwise = 'Tell the user why it stopped. For what was not placed, plan again or make a new draft.';
const cancels = (ids: string) => `Sells that may still be pending can be cancelled with cancel_order: ${ids}.`;
const mayBeLive = 'Call get_order with intentId i2: that order MAY be live.';
const rejects =
  'The broker rejected leg 3, which no later version holds. Correct what its reason says in a new draft, or plan again.';

test.each<[string, Facts, string]>([
  ['nothing is left', { legs: [withOrder(1, { state: 'PLACED' })] }, otherwise],
  ['legs are left', { legs: [withOrder(1, { state: 'PLACED', orderId: '9' }), unsent], remaining: 2 }, holds],
  [
    'sells were placed for what is left',
    { legs: [soldAs(1), soldAs(2), unsent], remaining: 2 },
    `${cancels('1, 2')} ${holds}`,
  ],
  ['a sell ended without a fill', { legs: [soldAs(1, { endedAs: 'CANCELLED' })], remaining: 2 }, holds],
  ['a sell has no number', { legs: [soldAs(1, { orderId: undefined })], remaining: 2 }, holds],
  ['a sell was rejected', { legs: [soldAs(3, { state: 'REJECTED' })], remaining: 2 }, `${holds} ${rejects}`],
  ['sells were placed and nothing is left', { legs: [soldAs(1)] }, otherwise],
  ['an order may be live', { legs: [unsent, withOrder(2, { state: 'UNKNOWN' })] }, mayBeLive],
  [
    'everything came together',
    { legs: [soldAs(1), withOrder(2, { state: 'UNKNOWN' }), withOrder(3, { state: 'REJECTED' })], remaining: 2 },
    `${mayBeLive} ${cancels('1')} ${holds} ${rejects}`,
  ],
])('after a stop where %s, a model reads exactly what to do', (_, facts, expected) => {
  const all = { draftId, outcome: 'stopped', legs: [], remaining: undefined, now: 0, ...facts } as const;
  expect(getNextStepFor('model', all)).toBe(expected);
});

test('what ended a leg is said to the person who can have stopped it', () => {
  expect(unsentTexts).toEqual({
    stopped: 'you stopped',
    discarded: 'the draft was discarded',
    halted: 'trading was halted',
    time: 'its time was over',
  });
});
