/** Values that are computed from all rows: kept while no row changes, whoever changes it. */
// @module-tag server
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allDividends, allTransactions } from '../../../src/features/history/all-rows.ts';
import { deriveRows } from '../../../src/features/history/derive-rows.ts';
import type { Derivation } from '../../../src/features/history/history-port.ts';
import { createKeptValues } from '../../../src/features/history/kept-values.ts';
import type { RowOf } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror, type MirrorState } from '../../../src/features/history/mirror-state.ts';
import type { HistoryStore, StoredRow } from '../../../src/features/history/row-store.ts';
import { setup } from '../../support/setup.ts';
import { openStateStore } from '../../support/state-store.ts';

const place = { account: 'one', kind: 'transactions' } as const;

function sqliteStores(): readonly HistoryStore[] {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-derive-'));
  const stores = [openStateStore(stateDir), openStateStore(stateDir)];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return stores.map(({ history }) => history as unknown as HistoryStore);
}

const row = (at: number, key: string, amount = key): StoredRow => ({
  key,
  at,
  ticker: undefined,
  type: 'DEPOSIT',
  isFinal: true,
  segment: 1,
  data: JSON.stringify({ reference: key, amount }),
});

const put = (store: HistoryStore, rows: readonly StoredRow[]) => store.change(place, (tx) => tx.put('pages', rows));

/** Lists the amounts, newest first, and counts how often it does. */
function createAmounts() {
  const counter = { made: 0, parts: 0 };
  const derivation: Derivation<RowOf['transactions'], string> = {
    name: 'amounts',
    start: () => {
      counter.made++;
      const amounts: (string | undefined)[] = [];
      return {
        add: (rows) => {
          counter.parts++;
          amounts.push(...rows.map(({ amount }) => amount));
        },
        finish: () => ({ value: amounts.join(' '), bytes: 1 }),
      };
    },
  };
  const kept = createKeptValues(100, () => undefined);
  const derive = async (store: HistoryStore) =>
    store.read(place, async (tx) => (await deriveRows(tx, { ...place, kept }, derivation)).value);
  return { derive, counter };
}

test('a value is made once, and again exactly when rows were added, changed or removed', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const { derive, counter } = createAmounts();
  await put(store, [row(1, 'a'), row(2, 'b')]);
  expect([await derive(store), await derive(store), counter.made]).toEqual(['b a', 'b a', 1]);
  // What was asked and when changes with each read of the newest page, and no row does.
  await store.change(place, (tx) => tx.setState({ ...emptyMirror, nextId: 7 } as MirrorState));
  await store.change(place, (tx) => tx.moveSegment(1, 2));
  await store.change(place, (tx) => tx.put('pages', []));
  await store.change(place, (tx) => tx.remove('pages', ['not there']));
  expect([await derive(store), counter.made]).toEqual(['b a', 1]);
  await put(store, [row(3, 'c')]);
  expect([await derive(store), counter.made]).toEqual(['c b a', 2]);
  await put(store, [row(2, 'b', 'B')]);
  expect([await derive(store), counter.made]).toEqual(['c B a', 3]);
  await store.change(place, (tx) => tx.remove('pages', ['a']));
  expect([await derive(store), counter.made]).toEqual(['c B', 4]);
});

test('rows that another process writes are in the next value', async () => {
  const [store, other] = sqliteStores() as [HistoryStore, HistoryStore];
  const { derive, counter } = createAmounts();
  await put(store, [row(1, 'a')]);
  expect(await derive(store)).toBe('a');
  await put(other, [row(2, 'b')]);
  expect([await derive(store), counter.made]).toEqual(['b a', 2]);
});

test('another history of the account changes nothing, and another account has values of its own', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const { derive, counter } = createAmounts();
  await put(store, [row(1, 'a')]);
  await derive(store);
  await store.change({ ...place, kind: 'dividends' }, (tx) => tx.put('pages', [row(2, 'b')]));
  await store.change({ ...place, account: 'two' }, (tx) => tx.put('pages', [row(2, 'b')]));
  expect([await derive(store), counter.made]).toEqual(['a', 1]);
});

test('rows in memory, while the database cannot be used, are not taken for those of the database', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const memory = createMemoryHistory();
  const { derive } = createAmounts();
  await put(store, [row(1, 'a')]);
  await put(memory, [row(1, 'b')]);
  expect([await derive(store), await derive(memory), await derive(store)]).toEqual(['a', 'b', 'a']);
});

test('a report that covers another range changes the value', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const { derive } = createAmounts();
  await store.change(place, (tx) => tx.put('report:r', [row(1_000, 'a'), row(2_000, 'b')]));
  const cover = (to: number) =>
    store.change(place, (tx) =>
      tx.setState({ ...emptyMirror, reports: [{ reportId: 'r', from: 0, to, shortTickers: 0 }] } as MirrorState),
    );
  await cover(2_000);
  expect(await derive(store)).toBe('a');
  await cover(3_000);
  expect(await derive(store)).toBe('b a');
});

test('a long history is read in parts, each row once and newest first, also where many share a moment', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const { derive, counter } = createAmounts();
  const names = Array.from({ length: 1_701 }, (_, index) => String(index).padStart(4, '0'));
  // Seven hundred rows of one moment are more than a part.
  await put(
    store,
    names.map((name, index) => row(index < 700 ? 5 : index, name)),
  );
  expect(await derive(store)).toBe(names.toReversed().join(' '));
  expect(counter.parts).toBe(4);
});

test('all dividends are as they were stored, oldest first, and share their equal instruments', async () => {
  const [store] = sqliteStores() as [HistoryStore];
  const noon = { ticker: 'NOON', name: 'Noon' };
  const stored = [{ instrument: noon }, {}, { instrument: { ...noon, name: 'Dusk' } }, {}, { instrument: noon }];
  const rows = stored.map((one, index) => ({ reference: String(index), ...one }));
  const dividends = { ...place, kind: 'dividends' } as const;
  const texts = rows.map((one, index) => ({ ...row(index, one.reference), data: JSON.stringify(one) }));
  await store.change(dividends, (tx) => tx.put('pages', texts));
  const kept = createKeptValues(5_000, () => undefined);
  const { value } = await store.read(dividends, (tx) => deriveRows(tx, { ...dividends, kept }, allDividends));
  expect(value).toEqual(rows);
  expect(value[4]?.instrument).toBe(value[0]?.instrument);
});

// Such a row takes about 500 bytes, and values are kept in a bounded space.
test.each([
  [1_500, true],
  [1_499, false],
])('three transactions are kept where values may take %i bytes: %s', async (mostBytes, isKept) => {
  const [store] = sqliteStores() as [HistoryStore];
  await put(store, [row(1, 'a'), row(2, 'b'), row(3, 'c')]);
  const kept = createKeptValues(mostBytes, () => undefined);
  const read = () => store.read(place, async (tx) => (await deriveRows(tx, { ...place, kept }, allTransactions)).value);
  const first = await read();
  expect(first.map(({ amount }) => amount)).toEqual(['a', 'b', 'c']);
  expect((await read()) === first).toBe(isKept);
});

test('a fill after a kept result is in the next one, and in that of a preview', { tags: ['slow'] }, async () => {
  const made = await setup();
  const question = { method: 'average', taxYear: '2025/26' };
  const ask = async () => (await made.call('summarize_realised_gains', question)).body;
  for (let tries = 0; tries < 20 && !(await ask()).complete; tries++) await made.clock.advance(60_000);
  const before = await ask();
  expect(await ask()).toMatchObject({ totals: before.totals });
  const { ticker } = made.simulator
    .groundTruth()
    .positions.find(({ quantityInPies }) => Number(quantityInPies) === 0) as { ticker: string };
  const preview = { type: 'MARKET', ticker, side: 'SELL', quantity: '1', method: 'average' };
  const yearGain = async () => (await made.call('preview_order', preview)).body.whatIf.yearGainBefore;
  expect(await yearGain()).toBe(before.totals.gain);
  made.simulator.inject.order({ ticker, quantity: '-1' });
  await made.clock.advance(120_000);
  const after = await ask();
  expect(after.totals.disposals).toBe(before.totals.disposals + 1);
  expect(after.totals.gain).not.toBe(before.totals.gain);
  expect(await yearGain()).toBe(after.totals.gain);
});
