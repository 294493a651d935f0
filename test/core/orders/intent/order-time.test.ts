/** When an order counts as placed, with a clock that was ahead. */
import { expect, test } from 'vitest';
import { correctTime, getPlacedAt } from '../../../../src/core/orders/intent/intent.ts';
import { noteOrdersAhead } from '../../../../src/core/orders/reconcile/reconcile-schedule.ts';
import { makeIntent, now, openJournal } from '../risk/example-account.ts';

test.each([
  ['as far ahead as clocks differ counts as it is', now + 5_000, undefined, now + 5_000],
  ['further ahead counts as now', now + 5_001, undefined, now],
  ['that was seen to be ahead before counts as of then', now + 5_001, now - 1, now - 1],
  ['that was seen by a clock that was ahead too counts as now', now + 5_001, now + 1, now],
  ['of the past counts as it is, even if it was ahead before', now - 2, now - 1, now - 2],
])('a time %s', (_, at, seenAheadAt, expected) => {
  expect(correctTime(at, { seenAheadAt }, now)).toBe(expected);
});

test('an order counts from when it was sent, or else created', () => {
  expect(getPlacedAt({ createdAt: now - 2, sentAt: now - 1 }, now)).toBe(now - 1);
  expect(getPlacedAt({ createdAt: now - 2 }, now)).toBe(now - 2);
});

test('orders of the future are noted once, in any state, on their account', async () => {
  const ahead = { createdAt: now + 5_001 };
  const journal = await openJournal([
    makeIntent({ id: 'placed', ...ahead }),
    makeIntent({ id: 'refused', state: 'REFUSED', ...ahead }),
    makeIntent({ id: 'noted', seenAheadAt: now - 1, ...ahead }),
    makeIntent({ id: 'noted ahead', seenAheadAt: now + 1, ...ahead }),
    makeIntent({ id: 'within the difference of clocks', createdAt: now + 4_999 }),
    makeIntent({ id: 'of another account', accountKey: 'other', ...ahead }),
  ]);
  await journal.change((tx) => noteOrdersAhead(tx, 'account', now));
  const rows = await journal.read((tx) => tx.list());
  expect(Object.fromEntries(rows.map(({ id, state, seenAheadAt }) => [id, [state, seenAheadAt]]))).toEqual({
    placed: ['PLACED', now],
    refused: ['REFUSED', now],
    noted: ['PLACED', now - 1],
    'noted ahead': ['PLACED', now],
    'within the difference of clocks': ['PLACED', undefined],
    'of another account': ['PLACED', undefined],
  });
});
