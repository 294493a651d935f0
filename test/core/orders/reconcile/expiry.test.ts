/** What ends because its time is over: orders that were not sent, and requests without a response. */
import { describe, expect, test } from 'vitest';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { expireOverdue } from '../../../../src/core/orders/reconcile/reconcile-schedule.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, givenApproval, openJournal, startAt } from '../send/approved-order.ts';

const processes = { self: 'test', isAlive: (owner: string) => owner !== 'dead' };

async function expire(change: Partial<Intent>, after: number, beside: Partial<Intent>[] = []) {
  const journal = await openJournal(createManualClock({ startAt }));
  const intent: Intent = { ...approvedOrder, ...change };
  const others = beside.map((other, index) => ({ ...intent, ...other, id: String(index) }));
  await journal.change(async (tx) => {
    for (const one of [intent, ...others]) await tx.insert(one);
    await expireOverdue(tx, 'account', processes, startAt + after);
  });
  return { row: await journal.read((tx) => tx.find(intent.id)), journal };
}

const waiting = { ...givenApproval, approvedAt: undefined, by: undefined };

describe('an order that was not sent', () => {
  test.each<[string, Partial<Intent>, number, string]>([
    ['without a human lasts a minute', {}, 59_999, 'APPROVED'],
    ['without a human lasts no longer', {}, 60_000, 'The call ended'],
    ['without a human ends with its process', { owner: 'dead' }, 0, 'The call ended'],
    ['that a human approved does not', { owner: 'dead', approval: givenApproval }, 0, 'APPROVED'],
    [
      'that waits for a human does not',
      { state: 'AWAITING_APPROVAL', owner: 'dead', approval: waiting },
      0,
      'AWAITING_APPROVAL',
    ],
    [
      'that waits for a human lasts as long as it can be approved',
      { state: 'AWAITING_APPROVAL', approval: waiting },
      119_999,
      'AWAITING_APPROVAL',
    ],
    [
      'that waits for a human lasts no longer',
      { state: 'AWAITING_APPROVAL', approval: waiting },
      120_000,
      'not approved in time',
    ],
    ['that a human approved lasts no longer', { approval: givenApproval }, 120_000, 'could not be sent in time'],
    ['of another account stays', { accountKey: 'other' }, 60_000, 'APPROVED'],
  ])('%s', async (_, change, after, expected) => {
    const { row } = await expire(change, after);
    if (/^[A-Z_]+$/.test(expected)) expect(row?.state).toBe(expected);
    else
      expect(row).toMatchObject({
        state: 'EXPIRED',
        changedAt: startAt + after,
        reason: expect.stringContaining(expected),
      });
  });
});

describe('a request', () => {
  const sending = { state: 'SENDING', sentAt: startAt, answerBy: startAt + 15_000, sender: 'other' } as const;
  const search = (after: number) => ({ lostAt: startAt + after, round: 0, nextAt: startAt + after });

  test.each<[string, Partial<Intent>, number, string]>([
    ['has twice the time of its response', sending, 29_999, 'SENDING'],
    ['is then unknown', sending, 30_000, 'UNKNOWN'],
    ['is unknown when its sender is dead', { ...sending, sender: 'dead' }, 0, 'UNKNOWN'],
    ['whose sender is not known has its time', { ...sending, sender: undefined }, 0, 'SENDING'],
    // However old it is.
    [
      'in time is not ended like an order that was not sent',
      { ...sending, createdAt: startAt - 600_000 },
      0,
      'SENDING',
    ],
  ])('%s', async (_, change, after, state) => {
    const { row } = await expire(change, after);
    expect(row).toMatchObject(
      state === 'UNKNOWN' ? { state, changedAt: startAt + after, search: search(after) } : { state },
    );
  });

  test('that is the second unknown one halts live trading', async () => {
    const live = { ...sending, environment: 'live' };
    const { journal } = await expire(live, 30_000, [{ state: 'UNKNOWN' }]);
    expect(await journal.read(readHalt)).toMatchObject({ rule: 'open_unknown' });
  });
});

test('an order of the future is marked with the time at which it was seen', async () => {
  const { row } = await expire({ state: 'PLACED', createdAt: startAt + 60_000 }, 0);
  expect(row).toMatchObject({ state: 'PLACED', seenAheadAt: startAt });
});
