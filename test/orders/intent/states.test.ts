import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type IntentState,
  intentEvents,
  intentStates,
  isFinal,
  nextState,
  transitions,
} from '../../../src/orders/intent/states.ts';
import { runs } from '../../support/runs.ts';

/** The state after some events, skipping those that the state does not accept. */
function walk(events: readonly (typeof intentEvents)[number][]): IntentState[] {
  const path: IntentState[] = ['DRAFT'];
  for (const event of events) {
    const state = path.at(-1) as IntentState;
    const next = transitions[state][event];
    if (next) path.push(next);
    else expect(() => nextState(state, event)).toThrow(`cannot ${event}`);
  }
  return path;
}

test('no path sends an order again after it may have been sent', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...intentEvents), { maxLength: 60 }), (events) => {
      const path = walk(events);
      const mayHaveLeft: IntentState[] = ['PLACED', 'REJECTED', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT', 'CLOSED'];
      const left = path.findIndex((state) => mayHaveLeft.includes(state));
      if (left >= 0) expect(path.slice(left)).not.toContain('SENDING');
    }),
    { numRuns: runs(2_000) },
  );
});

test('sending is reached only from an approval', () => {
  for (const state of intentStates)
    for (const next of Object.values(transitions[state])) if (next === 'SENDING') expect(state).toBe('APPROVED');
});

test('a final state stays final', () => {
  expect(intentStates.filter(isFinal)).toEqual(['REFUSED', 'DECLINED', 'EXPIRED', 'PLACED', 'REJECTED']);
});

test('every state can be reached', () => {
  const reached = new Set<IntentState>(['DRAFT']);
  for (let round = 0; round < intentStates.length; round++)
    for (const state of [...reached]) for (const next of Object.values(transitions[state])) reached.add(next);
  expect([...reached].toSorted()).toEqual([...intentStates].toSorted());
});
