/** Rows that an older version stored with other keys. */
import { expect, test } from 'vitest';
import { withKeyVersion } from '../../../src/features/history/key-version.ts';
import type { HistoryKind } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror, type MirrorState } from '../../../src/features/history/mirror-state.ts';

const state: MirrorState = {
  stretches: [{ id: 4 } as never],
  reports: [{ reportId: '1', from: 1, to: 2, shortTickers: 0 }],
  recheck: { next: {}, openAt: 1, seenTo: 2, failures: 0 },
  beginsAt: 7,
  nextId: 5,
};
const unread = { stretches: [], reports: state.reports, recheck: undefined, beginsAt: 7, nextId: 5 };
const row = { key: 'a', at: 1, ticker: undefined, type: undefined, isFinal: true, segment: 4, data: '{}' };
const spans = [
  { source: 'pages' as const, from: 0, to: 9 },
  { source: 'report:1' as const, from: 0, to: 9 },
];

async function stored(kind: HistoryKind, keys: number | undefined) {
  const place = { account: 'account', kind };
  const below = createMemoryHistory();
  await below.change(place, async (tx) => {
    await tx.setState({ ...state, keys });
    await tx.put('pages', [row]);
    await tx.put('report:1', [{ ...row, key: 'b' }]);
  });
  const store = withKeyVersion(below);
  const look = () =>
    below.read(place, async (tx) => [await tx.state(), (await tx.rows({ spans })).map(({ key }) => key)]);
  return { store, place, look };
}

test.each<[HistoryKind, number | undefined, boolean]>([
  ['orders', undefined, true],
  ['orders', 1, true],
  ['orders', 2, false],
  ['dividends', 2, true],
  ['dividends', undefined, false],
  ['transactions', 2, true],
  ['transactions', 1, false],
])('the %s of version %s are kept: %s', async (kind, keys, isKept) => {
  const { store, place, look } = await stored(kind, keys);
  const seen = await store.read(place, (tx) => tx.state());
  expect(seen).toEqual(isKept ? { ...state, keys } : unread);
  // A read changes nothing.
  expect(await look()).toEqual([{ ...state, keys }, ['b', 'a']]);
  await store.change(place, async (tx) => tx.count({ spans }));
  const current = kind === 'orders' ? 1 : 2;
  expect(await look()).toEqual(isKept ? [{ ...state, keys }, ['b', 'a']] : [{ ...unread, keys: current }, ['b']]);
});

test('a state is stored with the version of its keys', async () => {
  const below = createMemoryHistory();
  const place = { account: 'account', kind: 'dividends' } as const;
  const store = withKeyVersion(below);
  expect(await store.read(place, (tx) => tx.state())).toBeUndefined();
  await store.change(place, (tx) => tx.setState(emptyMirror));
  expect(await below.read(place, (tx) => tx.state())).toEqual({ ...emptyMirror, keys: 2 });
});
