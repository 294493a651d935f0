/** Times of the future and of the past in the store: a clock that was wrong once delays and extends nothing for long. */
import { describe, expect, test } from 'vitest';
import { waitMsOn } from '../../src/core/approval/enrollment/enrollment.ts';
import { getBlockSeconds } from '../../src/core/broker/interceptors/address-block.ts';
import { acquireSlot } from '../../src/core/broker/rate-limit/acquire.ts';
import { availability, initialLimit, type LimitState } from '../../src/core/broker/rate-limit/limit-state.ts';
import { createReadCache } from '../../src/core/broker/read-cache.ts';
import { holdsUntil, isWithin } from '../../src/core/clock.ts';
import { createLease } from '../../src/core/lease.ts';
import { listExternal } from '../../src/core/orders/account/external-record.ts';
import { findDuplicate } from '../../src/core/orders/intent/duplicates.ts';
import { type Intent, isAbandoned, isOpen, isOverdue } from '../../src/core/orders/intent/intent.ts';
import type { Journal, JournalView } from '../../src/core/orders/intent/journal-port.ts';
import { isSearchDue, noteOrdersAhead } from '../../src/core/orders/reconcile/reconcile-schedule.ts';
import { createAccountLock } from '../../src/core/orders/send/account-lock.ts';
import { createMemoryRecords } from '../../src/core/store/fallback-records.ts';
import { createJournal } from '../../src/core/store/journal-table.ts';
import { isDraftExpired } from '../../src/features/drafts/book/draft.ts';
import { isPastApproval } from '../../src/features/drafts/submission/approve-draft.ts';
import { isPastEnd } from '../../src/features/drafts/submission/submission.ts';
import { computeCoverage } from '../../src/features/history/coverage.ts';
import type { MirrorState } from '../../src/features/history/mirror-state.ts';
import { computeRetryAt } from '../../src/features/history/read-page.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openEngine } from './store/support.ts';

const now = Date.UTC(2026, 0, 15, 15);
const dayMs = 86_400_000;
const far = 400 * dayMs;
const alive = { self: 'own', isAlive: () => true };
const record = (name: string, value: unknown) =>
  ({ get: async (other: string) => (other === name ? value : undefined) }) as unknown as JournalView;
const intent = (change: Partial<Intent>) => ({ id: 'a', createdAt: now, changedAt: now, ...change }) as Intent;

test('an end holds only as long as it can be stored for', () => {
  expect([now - 1, now, now + 1, now + 65_000, now + 65_001].map((at) => holdsUntil(at, now, 60_000))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect([now - 60_000, now - 59_999, now + 59_999, now + 60_000].map((at) => isWithin(at, now, 60_000))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

/** Whether something is free to go on, or closed, with a stored time `at`. */
type Case = [string, (at: number) => boolean | Promise<boolean>];

const limit = (state: Partial<LimitState>): LimitState => ({
  ...initialLimit({ requests: 1, periodSeconds: 5 }),
  ...state,
});
const isFreeSoon = (state: LimitState) => availability(state, now).freeInMs <= 5_050;
const slot = { id: 's', owner: 'other', takenAt: now, lostAt: now + 60_000 };
const waiter = { id: 'w', owner: 'other', rank: 0, since: now - 1, expiresAt: now + 1_000 };
const mayAcquire = (state: LimitState) =>
  acquireSlot(state, now, { id: 'x', owner: 'own', priority: 'read', inUseMs: 1, waitUntil: now }).result.kind;

/** Leases, locks, holds and pauses end. */
const ends: Case[] = [
  ['the block of a rate limit', (at) => isFreeSoon(limit({ blockedUntil: at }))],
  ['the start of a request', (at) => isFreeSoon(limit({ slots: [{ ...slot, takenAt: at, lostAt: at + 60_000 }] }))],
  ['the response of a request', (at) => isFreeSoon(limit({ slots: [{ ...slot, answeredAt: at }] }))],
  ['a waiter of a rate limit', (at) => mayAcquire(limit({ waiters: [{ ...waiter, expiresAt: at }] })) === 'taken'],
  [
    'the lease of a background read',
    async (at) => {
      const records = createMemoryRecords();
      await records.update('lease', 'sync', () => ({ state: { owner: 'other', until: at }, result: undefined }));
      const processes = { self: 'own', isAlive: () => true };
      const lease = createLease({ records, realClock: createManualClock({ startAt: now }), processes }, 'sync');
      const isTaken = await lease.take();
      await lease.release();
      return isTaken;
    },
  ],
  [
    'the turn of an order',
    async (at) => {
      const clock = createManualClock({ startAt: now });
      const journal = createJournal<Intent, never>(openEngine(), clock) as unknown as Journal;
      await journal.change((tx) => tx.set('turn account', { owner: 'other', intentId: 'b', until: at }));
      const lock = createAccountLock({ journal, clock, processes: alive });
      const work = lock.inTurn('account', 'a', { priority: 'place', deadlineAt: now }, async () => true);
      return (await work) ?? false;
    },
  ],
  ['the block of an address', async (at) => (await readBlock(at)) === undefined],
  ['the wait after a wrong passphrase', (at) => waitMsOn('page', { failures: 5, lastFailureAt: at }, now) === 0],
  ['the pause of a search', (at) => isSearchDue({ lostAt: now, round: 1, nextAt: at }, now)],
  ['the time to try an order again', (at) => !isOpen(intent({ state: 'NOT_SENT', retryUntil: at }), now)],
  [
    'the time for a response',
    (at) => isAbandoned(intent({ state: 'SENDING', sentAt: at, sender: 'own', answerBy: at + 15_000 }), alive, now),
  ],
  [
    'the pause of a history',
    (at) => computeRetryAt({ trouble: { reason: '', failures: 1, retryAt: at } } as never, now) <= now,
  ],
  ['the orders of other programs', async (at) => (await listOthers(at)).length === 0],
  ['the age of an order that nobody approves', (at) => isOverdue(intent({ createdAt: at }), now)],
  ['the approval of an order', (at) => isOverdue(intent({ approval: approval(at) as Intent['approval'] }), now)],
  ['the approval of a draft', (at) => isPastApproval({ approval: approval(at) as never }, now)],
  ['the time to send a draft', (at) => isPastEnd({ endsAt: at }, now)],
  ['the life of a draft', (at) => isDraftExpired({ expiresAt: at }, now)],
  ['a response of the service', async (at) => (await chooseStored(at)) === 'lead'],
];

async function readBlock(until: number) {
  const records = createMemoryRecords();
  await records.update('address-block', 'account', () => ({ state: until, result: undefined }));
  return getBlockSeconds({ records, clock: createManualClock({ startAt: now }) }, 'account');
}

const approval = (expiresAt: number) => ({ askedAt: now, expiresAt });
const listOthers = (at: number) =>
  listExternal(record('external orders of account', { orders: [{ id: '1', at }] }), 'account', now);

/** What a read does with a response that was stored at a time and requested before. */
async function chooseStored(answeredAt: number) {
  const records = createMemoryRecords();
  const head = { version: 'v', epoch: 0, askedAt: now - far, answeredAt };
  await records.update('read-head', 'key', () => ({ state: head, result: undefined }));
  const limits = { periodMs: async () => 5_000 } as never;
  const cache = createReadCache({ records, clock: createManualClock({ startAt: now }), limits, owner: 'own' });
  const request = { endpoint: {}, accountKey: 'account', context: {} } as never;
  return (await cache.choose(request, 'key', 'f', undefined)).kind;
}

describe.each([
  ['400 days ahead', now + far],
  ['400 days ago', now - far],
])('%s', (_, at) => {
  test.each(ends)('%s is over', async (__, isOver) => {
    expect(await isOver(at)).toBe(true);
  });
});

test('a history that failed in the future is read again, and says so', () => {
  const top = {
    id: 1,
    askedAt: now - dayMs,
    answeredAt: now - dayMs,
    next: {},
    boundary: {},
    lostAt: [],
    inOrder: true,
  };
  const trouble = { reason: 'the service failed', failures: 5, retryAt: now + far };
  const state = { stretches: [{ ...top, trouble }], reports: [], nextId: 2 } as unknown as MirrorState;
  expect(computeCoverage(state, { kind: 'orders' }, now, 0)).toMatchObject({ complete: false, reading: true });
});

test('an order of the future is the same order for ten minutes from when it is seen, and then no longer', async () => {
  const clock = createManualClock({ startAt: now });
  const journal = createJournal<Intent, never>(openEngine(), clock) as unknown as Journal;
  const placed = intent({
    kind: 'order',
    state: 'PLACED',
    environment: 'demo',
    accountKey: 'account',
    fingerprint: 'print',
    ticker: 'ABC_EQ',
    createdAt: now + far,
    sentAt: now + far,
  });
  await journal.change((tx) => tx.insert(placed));
  const find = (at: number) =>
    journal.read((tx) =>
      findDuplicate(tx, { fingerprint: 'print', repeatOf: undefined, now: at, pendingIds: [] }).then(
        ({ kind }) => kind,
      ),
    );
  expect(await find(now)).toBe('existing');
  await journal.change((tx) => noteOrdersAhead(tx, 'account', now));
  await journal.change((tx) => noteOrdersAhead(tx, 'account', now + 300_000));
  expect(await find(now + 599_999)).toBe('existing');
  expect(await find(now + 600_000)).toBe('new');
  // The clock was right, and is again: the stored time counts.
  expect(await find(now + far)).toBe('existing');
});
