/** What an attempt does next follows from the states of its legs alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { intentStates } from '../../../../src/core/orders/intent/states.ts';
import { getNextStep, isUnsent, type LegState } from '../../../../src/features/drafts/submission/next-step.ts';
import type { Submission } from '../../../../src/features/drafts/submission/submission.ts';

const now = 1_000_000;
const submission: Submission = {
  id: 's1',
  draftId: 'd1',
  version: 1,
  accountKey: 'account',
  environment: 'demo',
  state: 'sending',
  createdAt: now - 1_000,
  endsAt: now + 1_000,
  haltCount: 0,
};

/** A leg with an intent in a state; undefined for a leg that waits. */
const legWith = (state: Intent['state'] | undefined, position: number, change: object = {}): LegState => ({
  leg: {
    submissionId: 's1',
    number: position + 1,
    position,
    state: state === undefined ? 'waiting' : 'taken',
    isDependent: false,
  },
  intent:
    state === undefined
      ? undefined
      : ({
          id: String(position),
          state,
          createdAt: now,
          changedAt: now,
          request: { side: 'BUY' },
          ...change,
        } as Intent),
});

test('a leg has its turn only when every leg before it was placed, whatever the states are', () => {
  const states = fc.array(fc.option(fc.constantFrom(...intentStates), { nil: undefined }), { maxLength: 30 });
  fc.assert(
    fc.property(states, (given) => {
      const legs = given.map((state, position) => legWith(state, position));
      const step = getNextStep(submission, legs, now);
      const first = given.findIndex((state) => state !== 'PLACED');
      const state = given[first];
      const moves = state === 'SENDING' || state === 'APPROVED';
      const expected = first < 0 ? 'done' : state === undefined ? 'send' : moves ? 'wait' : 'stop';
      expect(step.kind).toBe(expected);
      if (step.kind === 'send') expect(step.leg.position).toBe(first);
    }),
  );
});

test.each([
  ['EXPIRED', 'Order 1 expired before it was sent.'],
  ['REFUSED', 'Order 1 was refused by this server.'],
  ['REJECTED', 'Order 1 was rejected by the broker.'],
  ['DECLINED', 'Order 1 was rejected by a person.'],
  ['UNKNOWN', 'Order 1 may be live: its outcome is unknown.'],
] as const)('a leg that ended as %s is the reason of the stop, in a sentence', (state, sentence) => {
  const step = getNextStep(submission, [legWith(state, 0)], now);
  expect(step.kind === 'stop' && step.reason.startsWith(sentence)).toBe(true);
});

test('the sequence is by position, not by number', () => {
  const legs = [legWith(undefined, 1), legWith(undefined, 0)];
  expect(getNextStep(submission, legs, now)).toMatchObject({ kind: 'send', leg: { position: 0 } });
});

test.each(['awaiting_approval', 'done', 'stopped', 'declined', 'expired'] as const)(
  'nothing is sent in the state %s',
  (state) => {
    expect(getNextStep({ ...submission, state }, [legWith(undefined, 0)], now)).toEqual({ kind: 'ended' });
  },
);

test('no leg has its turn when the time is over, to the millisecond', () => {
  const step = (at: number) => getNextStep(submission, [legWith(undefined, 0)], at);
  expect(step(now + 999).kind).toBe('send');
  expect(step(now + 1_000)).toMatchObject({ kind: 'stop', rule: 'submission_ended' });
});

test('an order that differs from the request stops the rest', () => {
  const legs = [legWith('PLACED', 0, { mismatch: ['quantity'] }), legWith(undefined, 1)];
  expect(getNextStep(submission, legs, now).kind).toBe('stop');
});

test('only legs without a request count as unsent', () => {
  const unsent = intentStates.filter((state) => isUnsent(legWith(state, 0), now));
  expect(unsent.toSorted()).toEqual(['DECLINED', 'EXPIRED', 'NOT_SENT', 'REFUSED']);
  expect(isUnsent(legWith(undefined, 0), now)).toBe(true);
  expect(isUnsent(legWith('NOT_SENT', 0, { retryUntil: now + 1 }), now)).toBe(false);
});

test.each([Number.NaN, null, undefined])('an end of the time of %s lets no leg leave', (endsAt) => {
  const damaged = { ...submission, endsAt: endsAt as unknown as number };
  expect(getNextStep(damaged, [legWith(undefined, 0)], now)).toMatchObject({ kind: 'stop', rule: 'submission_ended' });
});

test.each<[string, LegState, string]>([
  [
    'was refused with a reason',
    legWith('REFUSED', 0, { reason: 'Too much.' }),
    'Order 1 was refused by this server. Too much.',
  ],
  ['was refused without a reason', legWith('REFUSED', 0), 'Order 1 was refused by this server.'],
  ['was not sent', legWith('NOT_SENT', 0), 'Order 1 was not sent.'],
  [
    'differs from the request',
    legWith('PLACED', 0, { mismatch: ['quantity'] }),
    'Order 1 was placed with differences.',
  ],
  ['has no order in the journal', { ...legWith('PLACED', 0), intent: undefined }, 'Order 1 is not in the journal.'],
])('a leg that %s stops the rest, with exactly this reason', (_, leg, reason) => {
  expect(getNextStep(submission, [leg, legWith(undefined, 1)], now)).toMatchObject({ kind: 'stop', reason });
});

test('a leg that was taken and whose record is gone may have been sent', () => {
  expect(isUnsent({ ...legWith('PLACED', 0), intent: undefined }, now)).toBe(false);
});

test('a buy that waits for proceeds depends on every sell that was placed, and on no buy', () => {
  const dependent = (position: number): LegState => {
    const { leg, intent } = legWith(undefined, position);
    return { intent, leg: { ...leg, isDependent: true } };
  };
  const sold = (position: number) => legWith('PLACED', position, { request: { side: 'SELL' } });
  const first = [sold(0), sold(1), dependent(2)];
  const step = getNextStep(submission, first, now);
  expect(step.kind === 'send' && step.sells.map(({ id }) => id)).toEqual(['0', '1']);
  expect(step).toMatchObject({ kind: 'send', notBefore: 0 });
  // The cash shows a buy half a minute after it.
  expect(getNextStep(submission, [sold(0), legWith('PLACED', 1), dependent(2)], now)).toMatchObject({
    notBefore: now + 30_000,
    sells: [{ id: '0' }],
  });
  expect(getNextStep(submission, [sold(0), legWith(undefined, 1)], now)).toMatchObject({ sells: [], notBefore: 0 });
});
