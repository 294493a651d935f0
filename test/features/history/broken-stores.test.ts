/**
 * A store that fails, and a key that changes its account: an incomplete range is never reported as complete, and
 * requests end.
 */
// @module-tag server
import { setTimeout as real } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createFallbackHistory, createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import type { HistoryStore } from '../../../src/features/history/row-store.ts';
import { accountStore } from '../../support/accounts.ts';
import { dayMs, deposit, mirrorOn, startAt } from '../../support/fake-history.ts';

const diskIsFull = () => new BrokerageError('store_unavailable', 'The disk is full.', 'Make room.');

/** The store of the server, on a database whose work can fail. */
function steadyOn(before: { change?: () => void; read?: () => void }): HistoryStore {
  const primary = createMemoryHistory();
  return createFallbackHistory(
    {
      change: async (place, work) => {
        before.change?.();
        return primary.change(place, work);
      },
      read: async (place, work) => {
        before.read?.();
        return primary.read(place, work);
      },
    },
    {
      now: () => startAt,
      hasFailed: () => false,
      isStoreError: (error) => error instanceof BrokerageError && error.code === 'store_unavailable',
    },
  );
}

const deposits = (count: number) =>
  Array.from({ length: count }, (_, index) => deposit(startAt - index * dayMs, index, { amount: '1' }));

test('a store that fails at any read never makes a result complete without its rows', async () => {
  let reads = 0;
  let failAt = 0;
  const play = () => ({ items: deposits(10) });
  const askWith = async (failing: number) => {
    const store = steadyOn({
      read: () => {
        if (++reads === failAt) throw diskIsFull();
      },
    });
    const { mirror, context } = mirrorOn(store, play);
    failAt = 0;
    await mirror.read({ kind: 'transactions' }, { context: context(5_000) });
    reads = 0;
    failAt = failing;
    return mirror.read({ kind: 'transactions' }, { context: context(5_000) });
  };
  expect((await askWith(0)).rows.length).toBe(10);
  const readsOfOne = reads;
  expect(readsOfOne).toBeGreaterThan(1);
  for (let failing = 1; failing <= readsOfOne; failing++) {
    const { coverage, rows } = await askWith(failing);
    expect({ failing, isWrong: coverage.complete && rows.length !== 10 }).toEqual({ failing, isWrong: false });
  }
});

test('while rows cannot be written, the service does not get endless requests', async () => {
  let isFull = false;
  const store = steadyOn({
    change: () => {
      if (isFull) throw diskIsFull();
    },
  });
  const rows = deposits(500);
  const { mirror, context, requests } = mirrorOn(store, (from) => {
    const start = Number(from?.cursor ?? 0);
    const next = start + 50 < rows.length ? { next: { cursor: String(start + 50) } } : {};
    return { items: rows.slice(start, start + 50), ...next };
  });
  await mirror.read({ kind: 'transactions' }, { context: context(1_100) });
  isFull = true;
  await mirror.read({ kind: 'transactions' }, { context: context(2_000) });
  // Each request takes a millisecond here, so an endless load makes hundreds.
  await real(250);
  expect(requests()).toBeLessThan(40);
});

test('another account behind the same key is stored under a name of its own', async () => {
  const accounts = accountStore().accounts();
  await accounts.recordAccountId('1');
  const first = await accounts.key();
  await accounts.recordAccountId('2');
  expect(await accounts.key()).not.toBe(first);
  await accounts.recordAccountId('1');
  expect(await accounts.key()).toBe(first);
});
