/**
 * The states of an order, each with each event, as the rules say (docs/architecture.md, Orders), and what must hold on
 * every path through them.
 */
import { describe, expect, test } from 'vitest';
import {
  exposureStates,
  type IntentEvent,
  type IntentState,
  intentEvents,
  intentStates,
  isFinal,
  nextState,
  openStates,
  unknownStates,
  unsentStates,
} from '../../../../src/core/orders/intent/states.ts';

/** From which states an event leads where. No event leads anywhere from another state. */
const expected: Record<IntentEvent, Partial<Record<IntentState, IntentState>>> = {
  askHuman: { DRAFT: 'AWAITING_APPROVAL' },
  approve: { DRAFT: 'APPROVED', AWAITING_APPROVAL: 'APPROVED' },
  decline: { AWAITING_APPROVAL: 'DECLINED' },
  // The rules are checked when it is made, and again when it is sent.
  refuse: { DRAFT: 'REFUSED', APPROVED: 'REFUSED' },
  expire: { AWAITING_APPROVAL: 'EXPIRED', APPROVED: 'EXPIRED', NOT_SENT: 'EXPIRED' },
  // The draft of a leg ended before the leg left.
  stop: { APPROVED: 'NOT_SENT', NOT_SENT: 'NOT_SENT' },
  failBeforeSending: { DRAFT: 'NOT_SENT', APPROVED: 'NOT_SENT' },
  tryAgain: { NOT_SENT: 'APPROVED' },
  commit: { APPROVED: 'SENDING' },
  accept: { SENDING: 'PLACED' },
  reject: { SENDING: 'REJECTED' },
  // Proof that the broker did not accept it: a refusal for the rate limit, or not a byte was written.
  limit: { SENDING: 'NOT_SENT' },
  notWritten: { SENDING: 'NOT_SENT' },
  lose: { SENDING: 'UNKNOWN' },
  // The broker's own order is the strongest proof, also after a person closed it.
  findOne: { UNKNOWN: 'PLACED', AMBIGUOUS: 'PLACED', PROBABLY_ABSENT: 'PLACED', CLOSED: 'PLACED' },
  findMany: { UNKNOWN: 'AMBIGUOUS' },
  findNothing: { UNKNOWN: 'PROBABLY_ABSENT' },
  learnRefusal: { UNKNOWN: 'REJECTED' },
  close: { UNKNOWN: 'CLOSED', AMBIGUOUS: 'CLOSED', PROBABLY_ABSENT: 'CLOSED' },
};

describe.each(intentStates)('an order in %s', (state) => {
  test.each(intentEvents)('%s', (event) => {
    const next = expected[event][state];
    if (next === undefined) expect(() => nextState(state, event)).toThrow(`An intent in ${state} cannot ${event}.`);
    else expect(nextState(state, event)).toBe(next);
  });
});

/** What is certain about the order at the broker. */
type Truth = 'none' | 'may exist' | 'refused' | 'exists' | 'given up';

/** What an event proves; undefined for one that proves nothing. */
const proofs: Partial<Record<IntentEvent, Truth>> = {
  commit: 'may exist',
  accept: 'exists',
  findOne: 'exists',
  reject: 'refused',
  learnRefusal: 'refused',
  limit: 'none',
  notWritten: 'none',
  close: 'given up',
};

/** What each state says about the order, which must be true. */
const claims: Record<IntentState, Truth> = {
  DRAFT: 'none',
  REFUSED: 'none',
  AWAITING_APPROVAL: 'none',
  DECLINED: 'none',
  EXPIRED: 'none',
  APPROVED: 'none',
  NOT_SENT: 'none',
  SENDING: 'may exist',
  PLACED: 'exists',
  REJECTED: 'refused',
  UNKNOWN: 'may exist',
  AMBIGUOUS: 'may exist',
  PROBABLY_ABSENT: 'may exist',
  CLOSED: 'given up',
};

interface Point {
  readonly state: IntentState;
  readonly truth: Truth;
  readonly isApproved: boolean;
}

/** Every path of any length: where two paths agree on these facts, they go on alike. */
function walk(): readonly (readonly [from: Point, event: IntentEvent, to: Point])[] {
  const steps: [Point, IntentEvent, Point][] = [];
  const seen = new Set<string>();
  const left: Point[] = [{ state: 'DRAFT', truth: 'none', isApproved: false }];
  for (let from = left.pop(); from; from = left.pop()) {
    const name = JSON.stringify(from);
    if (seen.has(name)) continue;
    seen.add(name);
    for (const event of intentEvents) {
      // Only the sender says until when an order may be tried again, so one that was never approved is not.
      if (event === 'tryAgain' && !from.isApproved) continue;
      let state: IntentState;
      try {
        state = nextState(from.state, event);
      } catch {
        // The table of this test says which events are refused.
        continue;
      }
      const to = {
        state,
        truth: proofs[event] ?? from.truth,
        isApproved: from.isApproved || event === 'approve',
      };
      steps.push([from, event, to]);
      left.push(to);
    }
  }
  return steps;
}

const steps = walk();
const reached = new Set(steps.flatMap(([from, , to]) => [from.state, to.state]));

test('every state is reached, and says what is true of the order at the broker', () => {
  expect(intentStates.filter((state) => !reached.has(state))).toEqual([]);
  expect(steps.filter(([, , { state, truth }]) => claims[state] !== truth)).toEqual([]);
});

test('nothing is sent without an approval, or while an order of the intent may exist', () => {
  const commits = steps.filter(([, event]) => event === 'commit');
  expect(commits.map(([from]) => from)).toEqual([{ state: 'APPROVED', truth: 'none', isApproved: true }]);
});

test('only a read refusal, the order itself or a person ends what may exist', () => {
  const ends = steps.filter(([from, , to]) => from.truth === 'may exist' && to.truth !== 'may exist');
  expect([...new Set(ends.map(([, event]) => event))].toSorted()).toEqual(
    ['accept', 'close', 'findOne', 'learnRefusal', 'limit', 'notWritten', 'reject'].toSorted(),
  );
});

test('a final state has no event', () => {
  expect(intentStates.filter(isFinal)).toEqual(['REFUSED', 'DECLINED', 'EXPIRED', 'PLACED', 'REJECTED']);
});

test('the lists of states follow from what the states say', () => {
  const isEnded: readonly IntentState[] = ['REFUSED', 'DECLINED', 'EXPIRED', 'NOT_SENT'];
  const sorted = (states: readonly IntentState[]) => states.toSorted();
  // Undecided: it may be sent, or may exist.
  const undecided = intentStates.filter(
    (state) => ['none', 'may exist'].includes(claims[state]) && !isEnded.includes(state),
  );
  expect(sorted(openStates)).toEqual(sorted(undecided));
  expect(sorted(unknownStates)).toEqual(
    sorted(intentStates.filter((state) => claims[state] === 'may exist' && state !== 'SENDING')),
  );
  expect(sorted(unsentStates)).toEqual(['NOT_SENT', 'REFUSED']);
  // What the rules of this program refused, and what a person closed, counts in no limit.
  expect(sorted(intentStates.filter((state) => !(exposureStates as readonly IntentState[]).includes(state)))).toEqual([
    'CLOSED',
    'REFUSED',
  ]);
});
