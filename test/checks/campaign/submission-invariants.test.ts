/** What the campaign notices of a draft that was sent: one observation is changed at a time. */
import { expect, test } from 'vitest';
import type { CampaignLeg } from '../../../checks/campaign/planned-legs.ts';
import {
  type Attempt,
  judgeSubmission,
  type SubmissionEvidence,
} from '../../../checks/campaign/submission-invariants.ts';
import type { OrderPost } from '../../../checks/campaign/upstream.ts';
import type { DraftVersion } from '../../../src/drafting/book/draft.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';

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
  needsApproval: false,
  versions: [],
  intents: [],
  replaced: new Set(),
};
const [first, second, third] = attempt.posts as [OrderPost, OrderPost, OrderPost];
const version = (number: number, legs: readonly CampaignLeg[]) =>
  ({ version: number, legs }) as unknown as DraftVersion;
const stopAt = (at: number, ...committed: string[]) => ({ stop: { at, committed: new Set(committed) } });

const codesOf = (attempts: Partial<Attempt>, rest: Partial<SubmissionEvidence> = {}) =>
  judgeSubmission({ ...evidence, ...rest, attempts: [{ ...attempt, ...attempts }] }).map((line) => line.split(':')[0]);

test('a draft whose legs left one after the other, sells first, breaks nothing', () => {
  expect(codesOf({})).toEqual([]);
});

const stopped = reported('stopped', [['unknown'], ['placed', '70'], ['not_sent']]);

test.each<[string, string[], Partial<Attempt>, Partial<SubmissionEvidence>?]>([
  ['a leg left twice', ['doubled', 'out of turn'], { posts: [first, second, { ...second, at: 1_150 }, third] }],
  ['a buy left first', ['out of turn'], { posts: [{ ...second, at: 900 }, first, third] }],
  [
    'a leg left after one that was not accepted',
    ['out of turn', 'I4', 'I4'],
    {
      posts: [first, { ...second, booked: undefined }, third],
    },
  ],
  [
    'an order is no leg of the version',
    ['another version', 'out of turn'],
    {
      posts: [first, second, third, post(leg('BUY', 'B', '9.25'), 3)],
    },
  ],
  ['a leg has another ticker', ['another version'], { posts: [first, second, post({ ...other, ticker: 'C' }, 2)] }],
  ['a version left that was changed', ['another version'], {}, { replaced: new Set([1]) }],
  ['a leg left after a stop', ['after a stop'], stopAt(1_150, sell.quantity, buy.quantity)],
  ['two legs left after a stop', ['after a stop'], stopAt(1_050, buy.quantity, other.quantity)],
  [
    'a leg left long after a stop',
    ['after a stop'],
    {
      posts: [first, second, { ...third, at: 10_000 }],
      ...stopAt(1_150, other.quantity),
    },
  ],
  ['a leg left that nobody approved', ['I3'], {}, { needsApproval: true }],
  ['a leg left before the approval', ['I3'], { approved: { at: 1_050 } }, { needsApproval: true }],
  [
    'a leg left after the approval had ended',
    ['I3'],
    {
      posts: [first, second, { ...third, at: 20_000 }],
      approved: { at: 900, endsAt: 1_150 },
    },
    { needsApproval: true },
  ],
  ['a leg is in a version that was made after it left', ['frozen'], {}, { versions: [version(2, [other])] }],
  ['a buy left before the sell was filled', ['out of turn', 'out of turn'], {}, { fills: new Map([['2.25', 5_000]]) }],
  [
    'an order is denied',
    ['I4', 'I4', 'I4'],
    {
      last: reported('stopped', [['placed', '71'], ['placed', '70'], ['not_sent']]),
    },
  ],
  [
    'an order has another id',
    ['I4'],
    {
      last: reported('done', [
        ['placed', '71'],
        ['placed', '7'],
        ['placed', '72'],
      ]),
    },
  ],
  ['a booked leg stays unknown', ['I4'], { posts: [first, second], last: stopped }],
  ['it ends in another way', ['end'], { expected: ['declined'] }],
])('it is noticed when %s', (_, codes, changed, rest) => {
  expect(codesOf(changed, rest)).toEqual(codes);
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

test('an order that was being written when the stop was acknowledged may arrive after it', () => {
  expect(codesOf(stopAt(1_150, other.quantity))).toEqual([]);
});

test('a request that was refused for the rate may follow again', () => {
  const refused = { ...second, refusedForRate: true, booked: undefined };
  expect(codesOf({ posts: [first, refused, second, third] })).toEqual([]);
});

test('a leg that was lost and not booked is unknown, and the rest stays', () => {
  const lost = { ...second, booked: undefined };
  expect(codesOf({ posts: [first, lost], last: stopped }, { versions: [version(2, [other])] })).toEqual([]);
});
