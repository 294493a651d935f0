/** The next step after a refusal names commands for a person, and no tool. */
import { expect, test } from 'vitest';
import { buildToolListing } from '../../../../src/app/build-tool-listing.ts';
import {
  type DraftRefusal,
  getPersonRefusalStep,
  getRefusalStep,
} from '../../../../src/features/drafts/submission/check-submission.ts';

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

test.each<[Omit<DraftRefusal, 'reason'>, string]>([
  [{ rule: 'market_closed', leg: 1 }, 'Submit the draft again when the market is open.'],
  [{ rule: 'orders_per_day' }, 'Submit it again later, or send fewer legs.'],
  [
    { rule: 'max_order_value', leg: 2 },
    'Tell the user which leg and rule it is; save a changed version, or plan again.',
  ],
  [
    { rule: 'pending_orders', leg: 2 },
    'Remove the leg with save_draft, or cancel a pending order of the ticker if the user wants that.',
  ],
  [{ rule: 'approvals_used' }, 'Ask the user whether they still want it, and submit a new draft then.'],
  [{ rule: 'account_unclear' }, 'Tell the user what the reason says: only the owner can change it.'],
  [{ rule: 'internal' }, 'Tell the user what the reason says, and submit the draft again if they still want it.'],
  [
    { rule: 'max_order_value', leg: 2, largestQuantity: '3' },
    'Tell the user. At most 3 shares of leg 2 would pass: save a smaller leg with save_draft, or plan again.',
  ],
  [
    { rule: 'max_order_value', leg: 2, largestQuantity: '1' },
    'Tell the user. At most 1 share of leg 2 would pass: save a smaller leg with save_draft, or plan again.',
  ],
  [
    { rule: 'max_order_value', largestQuantity: '3' },
    'Tell the user which leg and rule it is; save a changed version, or plan again.',
  ],
  [
    { rule: 'repeated_submission', leg: 1, largestQuantity: '3', submissionIds: ['a', 'b'] },
    'repeatOf names one submission, so it cannot help here. Submit the draft again when the ten minutes are over (retryAfterSeconds), or save it without the legs that trade these tickers.',
  ],
])('after %j a model reads exactly what to do', (refusal, expected) => {
  expect(getRefusalStep({ ...refusal, reason: '' })).toBe(expected);
});

test.each<[Omit<DraftRefusal, 'reason'>, string]>([
  [
    { rule: 'max_order_value', leg: 2, largestQuantity: '1' },
    `At most 1 share would pass: “brokerage-mcp drafts edit ${draftId} --leg 2 --quantity 1” lowers the quantity.`,
  ],
  [
    { rule: 'max_order_value', leg: 2, largestQuantity: '3' },
    `At most 3 shares would pass: “brokerage-mcp drafts edit ${draftId} --leg 2 --quantity 3” lowers the quantity.`,
  ],
  [
    { rule: 'max_order_value', largestQuantity: '3' },
    `Change the draft with “brokerage-mcp drafts edit ${draftId} --leg N”, or ask for a new one.`,
  ],
])('after %j a person reads exactly what to do', (refusal, expected) => {
  expect(getPersonRefusalStep(draftId, { ...refusal, reason: '' })).toBe(expected);
});

const edit = `“brokerage-mcp drafts edit ${draftId} --leg 2`;
const both = `“brokerage-mcp drafts submit ${draftId} --repeat-of SUBMISSION” sends both, with the submission that the reason names.`;
const fewer = `Submit it again later, or remove legs with ${edit} --remove”.`;

const change = `Change the draft with ${edit}”, or ask for a new one.`;

/** Every rule, so that a new one does not compile without its step. */
const personSteps: Readonly<Record<DraftRefusal['rule'], string>> = {
  account_unclear: 'Do what the reason says, and submit it again.',
  approval_invalid: 'Submit it again.',
  approval_missing: 'Enrol with “brokerage-mcp enroll” first.',
  approvals_used: 'Ask for a new draft.',
  cash: change,
  draft_stale: 'Ask for a new plan, which has prices of today.',
  duplicate_order: `${edit} --remove” removes the leg. ${both} Otherwise submit it again when ten minutes have passed and the order is not pending any more.`,
  halted: '“brokerage-mcp resume” lifts the halt.',
  instrument_type: change,
  internal: 'Submit it again.',
  live_not_enabled: 'Enable live orders in the settings of the server.',
  live_service: 'Do what the reason says, and submit it again.',
  market_closed: 'Submit it again when the market is open.',
  market_unknown: `Submit it again later, or remove the buys with ${edit} --remove” and submit the sells alone.`,
  max_day_value: change,
  max_open_quantity: change,
  max_order_quantity: change,
  max_order_value: change,
  no_price: `${edit} --remove” removes the leg; or ask for a draft with a limit order.`,
  open_unknown: 'Check the order in the broker’s own app; “brokerage-mcp resume” closes it.',
  orders_per_day: fewer,
  orders_per_hour: fewer,
  orders_per_minute: fewer,
  pending_orders: `${edit} --remove” removes the leg; or cancel a pending order of the ticker.`,
  price_distance: change,
  repeated_submission: both,
  shares: change,
  store_changed: 'Do what the reason says, and submit it again.',
  store_unavailable: 'Submit it again when the store can be written.',
  submission_ended: 'Submit it again.',
  tickers: change,
  value_unknown: change,
};

test.each(Object.entries(personSteps) as [DraftRefusal['rule'], string][])(
  'the rule %s has a step for a person',
  (rule, expected) => {
    expect(getPersonRefusalStep(draftId, { rule, leg: 2, reason: '' })).toBe(expected);
  },
);
