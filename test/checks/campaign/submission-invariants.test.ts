/** What the campaign notices of a draft besides what the judge finds: one observation is changed at a time. */
import { expect, test } from 'vitest';
import type { CampaignLeg } from '../../../checks/campaign/planned-legs.ts';
import {
  type Attempt,
  checkSubmission,
  type SubmissionEvidence,
} from '../../../checks/campaign/submission-invariants.ts';
import type { OrderPost } from '../../../checks/campaign/upstream.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import type { DraftVersion } from '../../../src/features/drafts/book/draft.ts';

const leg = (side: string, ticker: string, quantity: string): CampaignLeg => ({
  type: 'LIMIT',
  side,
  ticker,
  quantity,
});
const buy = leg('BUY', 'B', '1.25');
const sell = leg('SELL', 'A', '2.25');
const other = leg('BUY', 'B', '3.25');

/** The order requests of the legs, 100 ms apart. */
const post = ({ side, ticker, quantity }: CampaignLeg, number: number): OrderPost => ({
  number,
  at: 1_000 + number * 100,
  endpoint: 'limit',
  quantity,
  fields: { ticker, quantity: side === 'SELL' ? -Number(quantity) : Number(quantity) },
  body: undefined,
  status: 200,
  refusedForRate: false,
  booked: { id: 70 + number, ticker, quantity: Number(quantity) },
});

const reported = (outcome: string, legs: readonly (readonly [outcome: string, orderId?: string])[]) => ({
  outcome,
  body: { submissionId: 's', legs: legs.map(([name, orderId], index) => ({ leg: index + 1, outcome: name, orderId })) },
});

/** A buy, a sell and a buy that all left: the sell first. */
const attempt: Attempt = {
  version: 1,
  legs: [buy, sell, other],
  submissionId: 's',
  posts: [post(sell, 0), post(buy, 1), post(other, 2)],
  said: [],
  last: reported('done', [
    ['placed', '71'],
    ['placed', '70'],
    ['placed', '72'],
  ]),
};
const evidence: SubmissionEvidence = {
  attempts: [attempt],
  versions: [],
  intents: [],
};
const [first, second] = attempt.posts as [OrderPost, OrderPost];
const version = (number: number, legs: readonly CampaignLeg[]) =>
  ({ version: number, legs }) as unknown as DraftVersion;
const codesOf = (attempts: Partial<Attempt>, rest: Partial<SubmissionEvidence> = {}) =>
  checkSubmission({ ...evidence, ...rest, attempts: [{ ...attempt, ...attempts }] }).map((line) => line.split(':')[0]);

test('a draft whose legs left one after the other, sells first, breaks nothing', () => {
  expect(codesOf({})).toEqual([]);
});

const stopped = reported('stopped', [['unknown'], ['placed', '70'], ['not_sent']]);
const sentAt = (at: number) => ({ request: { quantity: other.quantity }, sentAt: at }) as unknown as Intent;

test.each<[string, string[], Partial<Attempt>, Partial<SubmissionEvidence>?]>([
  ['a leg is in a version that was made after it left', ['frozen'], {}, { versions: [version(2, [other])] }],
  ['a buy left before the sell was filled', ['out of turn', 'out of turn'], {}, { fills: new Map([['2.25', 5_000]]) }],
  ['a buy left and no sell was filled', ['out of turn', 'out of turn'], {}, { fills: new Map() }],
  ['a leg was committed after the approval had ended', ['I3'], { endsAt: 1_150 }, { intents: [sentAt(1_150)] }],
  ['a booked leg stays unknown', ['I4'], { posts: [first, second], last: stopped }],
  ['it ends in another way', ['end'], { expected: ['declined'] }],
  ['a call fails', ['a call came to error'], { said: [{ outcome: 'error:internal', body: {} }] }],
])('it is noticed when %s', (_, codes, changed, rest) => {
  expect(codesOf(changed, rest)).toEqual(codes);
});

test('a buy that left after every fill was paid for, and a leg committed in time was approved', () => {
  expect(codesOf({ endsAt: 1_150 }, { fills: new Map([['2.25', 1_050]]), intents: [sentAt(1_149)] })).toEqual([]);
});

test('a leg that a busy machine could not send in time may stop a draft that would be done', () => {
  const late = {
    posts: [first],
    last: reported('stopped', [['not_sent'], ['placed', '70'], ['not_sent']]),
    expected: ['done'],
  };
  const intent = { state: 'NOT_SENT', request: { quantity: buy.quantity } } as Intent;
  expect(codesOf(late)).toEqual(['end']);
  expect(codesOf(late, { intents: [intent] })).toEqual([]);
});

test('a leg that was lost and not booked is unknown, and the rest stays', () => {
  const lost = { ...second, booked: undefined };
  expect(codesOf({ posts: [first, lost], last: stopped }, { versions: [version(2, [other])] })).toEqual([]);
});
