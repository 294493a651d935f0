/** How old the account data of an order may be. */
import { expect, test } from 'vitest';
import type { Broker } from '../../../src/broker/types.ts';
import { createSnapshotReader } from '../../../src/orders/account/account-snapshot.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const context = { priority: 'lookUp', deadlineAt: Number.POSITIVE_INFINITY } as const;

/** A reader, and how often it asked for the account. */
function openReader() {
  const clock = createManualClock({ startAt: 1_000_000 });
  let summaries = 0;
  const call = async ({ id }: { id: string }) => {
    if (id === 'getAccountSummary') summaries++;
    const now = clock.now();
    return { data: id === 'getAccountSummary' ? {} : [], askedAt: now, answeredAt: now, shared: false };
  };
  const reader = createSnapshotReader({ call } as unknown as Broker, clock);
  return { clock, reader, count: () => summaries };
}

test('orders within 30 seconds share one reading, unless one needs a later one', async () => {
  const { clock, reader, count } = openReader();
  await reader.readAccount(context);
  await clock.advance(30_000);
  await reader.readAccount(context);
  expect(count()).toBe(1);
  await reader.readAccount(context, clock.now());
  expect(count()).toBe(2);
});

test('a reading of after the fills is read again when it is older than 30 seconds', async () => {
  const { clock, reader, count } = openReader();
  const filledAt = clock.now();
  await reader.readAccount(context, filledAt);
  await clock.advance(30_001);
  const { askedAt } = await reader.readAccount(context, filledAt);
  expect([count(), askedAt]).toEqual([2, clock.now()]);
});
