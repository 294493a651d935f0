/** Continuing an approved order: two concurrent tasks return one result, that of the order. */
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../src/core/orders/intent/journal-port.ts';
import { effectiveLimits } from '../../../src/core/orders/intent/risk-limits.ts';
import { createIntentRunner } from '../../../src/core/orders/intent-runner.ts';
import type { OrderDeps } from '../../../src/core/orders/order-deps.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openEngine } from '../store/support.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const request = { type: 'MARKET', ticker: 'ABC_EQ', side: 'BUY', quantity: '1', extendedHours: false } as const;
const baseline = { askedAt: startAt, pendingIds: [], position: '0', cash: '9', price: '1', serviceOffsetMs: 0 };
const approval = { handle: 'h', nonce: 'n', digest: 'd', askedAt: startAt, expiresAt: startAt + 120_000 };
const approved = {
  id: 'a'.repeat(32),
  kind: 'order',
  state: 'APPROVED',
  environment: 'live',
  accountKey: 'account',
  fingerprint: 'print',
  ticker: request.ticker,
  request,
  createdAt: startAt,
  changedAt: startAt,
  owner: 'test',
  limits: effectiveLimits('live', {}, undefined),
  method: 'page',
  value: '1.02',
  baseline,
  approval: { ...approval, approvedAt: startAt, by: 'page' },
} as unknown as Intent;

test('a call whose order another task is sending returns the outcome of that task', async () => {
  const clock = createManualClock({ startAt, auto: true });
  const journal = createJournal<Intent, never>(openEngine(), clock) as unknown as Journal;
  await journal.change((tx) => tx.insert(approved));
  const sendingRow = { state: 'SENDING', sentAt: startAt } as const;
  const carrier = createIntentRunner(
    {
      journal,
      clock,
      settings: { environment: 'live', liveTrading: true },
      directory: { getOrThrow: async () => ({}) },
      facts: { read: async () => ({}) },
    } as unknown as OrderDeps,
    {
      // The other task has begun between the check of this one and its turn, and ends a second later.
      send: async () => {
        void clock
          .sleep(1_000)
          .then(() => journal.change((tx) => tx.move(approved.id, 'SENDING', { state: 'PLACED', orderId: '77' })));
        const row = await journal.change((tx) => tx.move(approved.id, 'APPROVED', sendingRow));
        return row as Intent;
      },
    },
  );
  const context = { priority: 'place', deadlineAt: startAt + 50_000 } as const;
  expect(await carrier.follow(approved, context, undefined)).toMatchObject({ state: 'PLACED', orderId: '77' });
});

describe('an approved order whose process is gone', () => {
  const live = { environment: 'live', liveTrading: true };

  test.each([
    ['is sent by a process that may trade', { settings: live, readOnly: false }, 1],
    ['is left to others by a process with live trading off', { settings: { ...live, liveTrading: false } }, 0],
    ['is left to others by a read-only process', { settings: live, readOnly: true }, 0],
  ])('%s', async (_, change, sent) => {
    const clock = createManualClock({ startAt, auto: true });
    const journal = createJournal<Intent, never>(openEngine(), clock) as unknown as Journal;
    await journal.change((tx) => tx.insert({ ...approved, owner: 'gone' }));
    let sends = 0;
    const deps = {
      journal,
      clock,
      processes: { self: 'test', isAlive: (owner: string) => owner === 'test' },
      accountKey: async () => 'account',
      directory: { getOrThrow: async () => ({}) },
      facts: { read: async () => ({}) },
      ...change,
    } as unknown as OrderDeps;
    const runner = createIntentRunner(deps, {
      send: async (intent) => {
        sends++;
        return intent;
      },
    });
    expect(await runner.tick()).toBe(1);
    await runner.stop();
    expect(sends).toBe(sent);
    expect(await journal.read((tx) => tx.find(approved.id))).toMatchObject({ state: 'APPROVED', owner: 'gone' });
  });
});
