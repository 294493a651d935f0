/** What is recorded of an order whose sender is gone. */
import { expect, test } from 'vitest';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { markUnknown } from '../../../../src/core/orders/reconcile/reconcile-schedule.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, openJournal, startAt } from '../send/approved-order.ts';

const processes = { self: 'test', isAlive: (owner: string) => owner === 'test' };
const sending: Intent = { ...approvedOrder, state: 'SENDING', sentAt: startAt, sender: 'test' };

async function mark(intent: Intent, stored: Partial<Intent> = {}) {
  const journal = await openJournal(createManualClock({ startAt }));
  await journal.change(async (tx) => {
    await tx.insert({ ...intent, ...stored });
    await markUnknown(tx, intent, processes, startAt + 30_000);
  });
  return { row: await journal.read((tx) => tx.find(intent.id)), halt: await journal.read(readHalt) };
}

test.each<[string, string | undefined, string]>([
  ['dead ended', 'dead', 'ended before it recorded a response'],
  ['alive has not recorded a response in time', 'test', 'has not recorded a response in time'],
  ['not known has not recorded a response in time', undefined, 'has not recorded a response in time'],
])('a process that is %s', async (_, sender, reason) => {
  const { row } = await mark({ ...sending, sender });
  expect(row).toMatchObject({
    state: 'UNKNOWN',
    changedAt: startAt + 30_000,
    reason: expect.stringContaining(reason),
    search: { lostAt: startAt + 30_000, round: 0, nextAt: startAt + 30_000 },
  });
});

test('an order that another process has moved stays as it is', async () => {
  const placed = { state: 'PLACED', orderId: '5' } as const;
  const { row, halt } = await mark({ ...sending, environment: 'live' }, placed);
  expect(row).toEqual({ ...sending, environment: 'live', ...placed });
  expect(halt).toBeUndefined();
});
