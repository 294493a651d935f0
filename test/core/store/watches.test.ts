/** What is watched, seen, found and delivered, in both engines. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { createWatchTable } from '../../../src/core/store/watch-table.ts';
import { databases } from './support.ts';

const watch = { id: 'w1', createdAt: 1_800_000_000_001, kind: 'move', percent: '5' };
const kept = (key: string, foundAt: number) => ({
  event: { key, kind: 'halt', at: 1_800_000_000_002, facts: { since: 1_800_000_000_003 } },
  foundAt,
});
const delivery = { item: 'e1', channel: 'mail', state: 'claimed', tries: 1, claimedAt: 10, nextAt: 20 };

describe.each(databases)('watches in %s', (_, make) => {
  test('are listed oldest first, and removed in their own account only', async () => {
    const table = createWatchTable((await make()).open());
    const other = { ...watch, id: 'w0', createdAt: watch.createdAt + 1 };
    await table.change(async (tx) => {
      await tx.insertWatch('a', other);
      await tx.insertWatch('a', watch);
      await tx.insertWatch('b', watch);
      await tx.removeWatch('b', 'w0');
    });
    expect(await table.read((tx) => tx.listWatches('a'))).toEqual([watch, other]);
    await table.change((tx) => tx.removeWatch('a', 'w1'));
    expect(await table.read(async (tx) => [await tx.listWatches('a'), await tx.listWatches('b')])).toEqual([
      [other],
      [watch],
    ]);
  });

  test('have one sight for each account', async () => {
    const table = createWatchTable((await make()).open());
    await table.change(async (tx) => {
      await tx.keepSight('a', { at: 1 });
      await tx.keepSight('a', { at: 2 });
      await tx.keepSight('b', { at: 3 });
    });
    expect(
      await table.read(async (tx) => [await tx.findSight('a'), await tx.findSight('b'), await tx.findSight('c')]),
    ).toEqual([{ at: 2 }, { at: 3 }, undefined]);
  });

  test('have each event once, newest first, until it is old', async () => {
    const table = createWatchTable((await make()).open());
    const inserted = await table.change(async (tx) => [
      await tx.insertEvent('a', kept('e1', 5)),
      await tx.insertEvent('a', kept('e2', 6)),
      await tx.insertEvent('a', kept('e1', 7)),
      await tx.insertEvent('b', kept('e1', 8)),
    ]);
    expect(inserted).toEqual([true, true, false, true]);
    const list = (foundSince: number, most = 9) => table.read((tx) => tx.listEvents('a', { foundSince, most }));
    expect(await list(0)).toEqual([kept('e2', 6), kept('e1', 5)]);
    expect(await list(6)).toEqual([kept('e2', 6)]);
    expect(await list(0, 1)).toEqual([kept('e2', 6)]);
    await table.change(async (tx) => {
      await tx.keepDelivery('a', delivery);
      await tx.removeOld('a', 6);
    });
    expect(await list(0)).toEqual([kept('e2', 6)]);
    expect(await table.read((tx) => tx.listDeliveries('a', 0))).toEqual([delivery]);
    const mark = { ...delivery, item: 'mark', state: 'begun' };
    await table.change(async (tx) => {
      await tx.keepDelivery('a', mark);
      await tx.removeOld('a', 11);
    });
    expect(await table.read((tx) => tx.listDeliveries('a', 0))).toEqual([mark]);
    expect(await table.read((tx) => tx.listEvents('b', { foundSince: 0, most: 9 }))).toEqual([kept('e1', 8)]);
  });

  test('have one delivery for each item and channel, as it was kept last', async () => {
    const table = createWatchTable((await make()).open());
    const done = { ...delivery, state: 'done', tries: 2, claimedAt: 30, nextAt: 40 };
    const url = { ...delivery, channel: 'url' };
    await table.change(async (tx) => {
      await tx.keepDelivery('a', delivery);
      await tx.keepDelivery('a', url);
      await tx.keepDelivery('a', done);
    });
    expect(await table.read((tx) => tx.listDeliveries('a', 0))).toEqual([url, done]);
    expect(await table.read((tx) => tx.listDeliveries('a', 11))).toEqual([done]);
    expect(
      await table.read(async (tx) => [
        await tx.findDelivery('a', 'e1', 'mail'),
        await tx.findDelivery('b', 'e1', 'mail'),
      ]),
    ).toEqual([done, undefined]);
  });

  test('move to the account that theirs turned out to be, each once', async () => {
    const engine = (await make()).open();
    const table = createWatchTable(engine);
    const second = { ...watch, id: 'w2' };
    await table.change(async (tx) => {
      await tx.insertWatch('a', watch);
      await tx.insertWatch('a', second);
      await tx.insertWatch('b', watch);
    });
    await createJournal(engine, systemClock).change((tx) => tx.joinDrafts('a', 'b'));
    expect(await table.read((tx) => tx.listWatches('b'))).toEqual([watch, second]);
  });
});
