/** Which orders a repeated draft repeats: each order is repeated once at most. */
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { orderFingerprint } from '../../../../src/core/orders/intent/order-request.ts';
import { readRepeats } from '../../../../src/features/drafts/submission/submit-draft.ts';
import { makeIntent, paper } from '../../../core/orders/risk/example-account.ts';
import { attempt, openStore, type Stored } from './attempts.ts';
import { draftLeg, now, toCheck } from './legs-to-check.ts';

const place = { environment: 'sandbox', accountKey: 'account' };
const legs = [
  toCheck(draftLeg({ ticker: 'A_EQ' }), { number: 2 }),
  toCheck(draftLeg({ ticker: 'B_EQ' }), { number: 1 }),
];

/** The order of a leg of the attempt `s1`, which was placed. */
const placed = (id: string, number: number, change: Partial<Intent> = {}): Intent => {
  const order = legs.find((leg) => leg.number === number)?.order ?? draftLeg();
  const fingerprint = orderFingerprint(order, place);
  const { ticker } = order;
  return makeIntent({ id, request: order, ticker, fingerprint, leg: { submissionId: 's1', number }, ...change });
};
const unsent = { state: 'NOT_SENT', sentAt: undefined, leg: undefined } as const;

async function repeat(
  intents: readonly Intent[],
  submissions: Stored['submissions'] = [],
  account = place,
  released: string[] = [],
) {
  const store = await openStore(() => now, { intents, submissions });
  const result = await store.change((tx) =>
    readRepeats(tx, account, 's1', { legs, exchanges: [], own: [], limits: paper, cash: undefined }, now),
  );
  const named = (await store.read((tx) => tx.listSubmissions({ repeatOf: 's1' }))).map(({ id }) => id);
  released.push(...submissions.flatMap(({ id }) => (named.includes(id) ? [] : [id])));
  return result;
}

test('each leg repeats the order of the attempt that equals it, by its number', async () => {
  expect(await repeat([placed('i1', 1), placed('i2', 2)])).toEqual(
    new Map([
      [2, 'i2'],
      [1, 'i1'],
    ]),
  );
  expect(await repeat([placed('i1', 1), placed('i2', 2, { state: 'REJECTED' })])).toEqual(new Map([[1, 'i1']]));
});

test.each<[string, Partial<Intent>, string]>([
  ['was certainly not sent', {}, 'i3'],
  ['is not tried any more', { retryUntil: now }, 'i3'],
  ['is tried again', { retryUntil: now + 60_000 }, 'i1'],
  ['was placed', { state: 'PLACED', sentAt: now - 30_000 }, 'i1'],
])('an order whose repetition %s is repeated by repeating the right one of the two', async (_, change, expected) => {
  const repetition = placed('i3', 1, { ...unsent, repeatOf: 'i1', ...change });
  expect(await repeat([placed('i1', 1), repetition])).toEqual(new Map([[1, expected]]));
});

test('the last of several repetitions that were not sent is repeated', async () => {
  const again = [placed('i3', 1, { ...unsent, repeatOf: 'i1' }), placed('i4', 1, { ...unsent, repeatOf: 'i3' })];
  expect(await repeat([placed('i1', 1), ...again])).toEqual(new Map([[1, 'i4']]));
});

test.each<[string, Stored['submissions'], typeof place]>([
  ['is open', [attempt('s1', now, { state: 'sending', endsAt: now + 1 })], place],
  ['is of another account', [], { ...place, accountKey: 'other' }],
  ['is of another environment', [], { ...place, environment: 'demo' }],
])('an attempt that %s cannot be repeated', async (_, submissions, account) => {
  await expect(repeat([placed('i1', 1)], submissions, account)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('an attempt is repeated once, unless its repetition sent nothing', async () => {
  const repetition = attempt('s2', now, { repeatOf: 's1' });
  const released: string[] = [];
  expect(await repeat([placed('i1', 1)], [repetition], place, released)).toEqual(new Map([[1, 'i1']]));
  // It no longer names the attempt, so that another one can.
  expect(released).toEqual(['s2']);
  const sent = placed('i3', 1, { repeatOf: 'i1', leg: { submissionId: 's2', number: 1 } });
  await expect(repeat([placed('i1', 1), sent], [repetition])).rejects.toMatchObject({ code: 'invalid_argument' });
});
