/** The search for what a create made: exactly one object counts as its result. */
import { expect, test } from 'vitest';
import { findCreated, type RecoveryLookup } from '../../../../src/core/orders/write-journal.ts';
import { takeLog } from '../../../support/faults.ts';
import { context, failure, startAt } from './world.ts';

/** A service with these objects, of which some are the requested one. */
function lookUp(ids: readonly string[], matching: readonly string[]) {
  const checked: unknown[][] = [];
  const found: RecoveryLookup = {
    ids: async (asked) => {
      checked.push(['ids', asked]);
      return ids;
    },
    isIt: async (...args) => {
      checked.push(args);
      return matching.includes(args[0]);
    },
    result: (id) => ({ id }),
  };
  return { checked, found };
}

const question = { sentAt: startAt - 1_000, now: startAt, context };

test.each([
  ['the only object that matches is the result', ['1', '2', '3'], ['2'], { id: '2' }],
  ['two objects that match are no result', ['1', '2', '3'], ['1', '3'], undefined],
  ['no object that matches is no result', ['1', '2'], [], undefined],
  ['no object at all is no result', [], [], undefined],
  ['the fifth object is considered', ['1', '2', '3', '4', '5', '6'], ['5'], { id: '5' }],
  ['the sixth is not, because each costs a request', ['1', '2', '3', '4', '5', '6'], ['6'], undefined],
])('%s', async (_, ids, matching, result) => {
  expect(await findCreated(lookUp(ids, matching).found, question)).toEqual(result);
});

test('the objects are read anew, and compared with the time of the create', async () => {
  const { checked, found } = lookUp(['1'], ['1']);
  await findCreated(found, question);
  const fresh = { ...context, notBefore: startAt };
  expect(checked).toEqual([
    ['ids', fresh],
    ['1', startAt - 1_000, fresh],
  ]);
});

test.each([
  ['cannot be read', failure('rate_limited'), 0],
  ['cannot be read because of a fault of the program, which is reported', new TypeError('x'), 1],
])('there is no result when the objects %s', async (_, error, faults) => {
  const { found } = lookUp(['1'], ['1']);
  const failing = { ...found, ids: () => Promise.reject(error) };
  expect(await findCreated(failing, question)).toBeUndefined();
  expect(takeLog().length).toBe(faults);
});
