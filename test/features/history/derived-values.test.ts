/** Values that are derived from all rows of a history: kept while the rows are the same, and never longer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openStore } from '../../../src/core/store/open-store.ts';
import { allDividends } from '../../../src/features/history/all-rows.ts';
import { storedRow } from '../../../src/features/history/apply-page.ts';
import { createKeptValues } from '../../../src/features/history/kept-values.ts';
import { kinds } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { dayMs, dividend, mirrorOn, startAt } from '../../support/fake-history.ts';

const paid = (days: number, amount: string) => dividend(startAt - days * dayMs, days, { amount, quantity: '1' });

function createMirror(rows: readonly unknown[], store = createMemoryHistory()) {
  const { mirror, context } = mirrorOn(store, () => ({ items: rows }));
  const derive = () => mirror.derive({ kind: 'dividends' }, allDividends, { context: context(60_000) });
  return { derive, mirror, store };
}

test('equal rows are read once, and all rows are oldest first', async () => {
  const { derive } = createMirror([paid(1, '2'), paid(2, '1')]);
  const first = await derive();
  const again = await derive();
  expect(first.value.map(({ amount }) => amount)).toEqual(['1', '2']);
  expect(again.value).toBe(first.value);
  expect(again.version).toBe(first.version);
});

test('a row without a date is there once', async () => {
  const { derive } = createMirror([paid(1, '2'), { ...paid(2, '1'), paidOn: undefined }]);
  expect((await derive()).value.map(({ amount }) => amount).sort()).toEqual(['1', '2']);
});

test('rows that another process wrote are in the next value', async () => {
  const { derive, store } = createMirror([paid(1, '2')]);
  const first = await derive();
  await store.change({ account: 'account', kind: 'dividends' }, async (tx) => {
    const segment = (await tx.state())?.stretches[0]?.id ?? 0;
    await tx.put('pages', [storedRow(kinds.dividends, paid(3, '5') as never, 'other', segment)]);
  });
  const next = await derive();
  expect(next.value.map(({ amount }) => amount)).toEqual(['5', '2']);
  expect(next.version).not.toBe(first.version);
});

test('a store shows another process that rows were written or removed in its history, and no other', async () => {
  const place = { stateDir: mkdtempSync(join(tmpdir(), 'derived-')) };
  const open = (self: string) =>
    openStore<never, never, never>({ place, realClock: systemClock, random: Math.random, self, merge: {} });
  const [one, other] = [open('one'), open('other')];
  onTestFinished(async () => {
    await Promise.all([one.close(), other.close()]);
    rmSync(place.stateDir, { recursive: true, force: true });
  });
  const rows = { account: 'account', kind: 'dividends' } as const;
  const readVersion = () => one.history.read(rows, (tx) => tx.rowsVersion());
  const put = (key: string) =>
    other.history.change(rows, (tx) => tx.put('pages', [storedRow(kinds.dividends, paid(3, '5') as never, key, 0)]));
  const versions = [await readVersion()];
  await put('a');
  versions.push(await readVersion());
  await other.history.change(rows, (tx) => tx.remove('pages', ['unknown']));
  expect(await readVersion()).toBe(versions[1]);
  await other.history.change(rows, (tx) => tx.remove('pages', ['a']));
  versions.push(await readVersion());
  await other.history.change({ account: 'account', kind: 'orders' }, (tx) =>
    tx.put('pages', [storedRow(kinds.dividends, paid(3, '5') as never, 'a', 0)]),
  );
  expect(await readVersion()).toBe(versions[2]);
  expect(new Set(versions).size).toBe(3);
});

test('the value of another version is dropped, and the least recently used one when all are too large', () => {
  const kept = createKeptValues(100, () => undefined);
  kept.keep('a', '1', { value: 'a', bytes: 40 });
  kept.keep('b', '1', { value: 'b', bytes: 40 });
  expect(kept.find('a', '1')).toBe('a');
  kept.keep('c', '1', { value: 'c', bytes: 40 });
  expect(kept.find('b', '1')).toBeUndefined();
  expect(kept.find('a', '2')).toBeUndefined();
  expect(kept.find('a', '1')).toBeUndefined();
  expect(kept.find('c', '1')).toBe('c');
  expect(kept.keep('d', '1', { value: 'd', bytes: 101 })).toBe('d');
  expect(kept.find('d', '1')).toBeUndefined();
});
