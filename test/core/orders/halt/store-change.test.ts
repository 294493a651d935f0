/** Whether a store is the one that was used before, and what the witness outside of it is told. */
import { describe, expect, test } from 'vitest';
import {
  confirmStore,
  describeStoreChange,
  findStoreChange,
  keepStoreMark,
  type StoreChange,
} from '../../../../src/core/orders/halt/store-change.ts';
import type { Journal, StoreMark, StoreWitness } from '../../../../src/core/orders/intent/journal-port.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openJournal } from '../send/approved-order.ts';

const id = 'a'.repeat(32);

/** A store with this id and this many records, and the hash of each record; the hash of record 0 is that of none. */
async function openStore(storeId: string | undefined, records: number) {
  const journal = await openJournal(createManualClock({ startAt: 0 }));
  await journal.change(async (tx) => {
    if (storeId !== undefined) await tx.set('store id', storeId);
    for (let n = 0; n < records; n++) await tx.note('live', 'record', { n });
  });
  const hashOf = async (seq: number) => (await journal.read((tx) => tx.recordHash(seq))) ?? '';
  return { journal, hashOf };
}

/** A witness that saw `here` at this place, and `elsewhere` at others; what is written replaces what was seen here. */
function witnessOf(here: StoreMark | undefined, elsewhere: readonly StoreMark[] = []) {
  const written: StoreMark[] = [];
  const witness: StoreWitness = {
    read: () => written.at(-1) ?? here,
    readAnywhere: (wanted) => elsewhere.filter((mark) => mark.id === wanted),
    write: (mark) => void written.push(mark),
  };
  return { witness, written };
}

const mark = (seq: number, hash: string, storeId = id): StoreMark => ({ id: storeId, seq, hash });
const lookAt = (journal: Journal, witness: StoreWitness | undefined) =>
  journal.read((tx) => findStoreChange(tx, witness));

describe('the store is the one that was used before', () => {
  test('where nothing watches it', async () => {
    const { journal } = await openStore(undefined, 0);
    expect(await lookAt(journal, undefined)).toBeUndefined();
  });

  test.each([undefined, id])('where nothing was seen, with id %s', async (storeId) => {
    const { journal } = await openStore(storeId, 1);
    expect(await lookAt(journal, witnessOf(undefined).witness)).toBeUndefined();
  });

  test.each([1, 2, 3])('when record %i of 3 is the newest one that was seen', async (seq) => {
    const { journal, hashOf } = await openStore(id, 3);
    expect(await lookAt(journal, witnessOf(mark(seq, await hashOf(seq))).witness)).toBeUndefined();
  });

  test('when no record was seen', async () => {
    const { journal } = await openStore(id, 1);
    expect(await lookAt(journal, witnessOf(mark(0, 'any')).witness)).toBeUndefined();
  });

  test('when it was moved with all its records', async () => {
    const { journal, hashOf } = await openStore(id, 2);
    const { witness } = witnessOf(undefined, [
      mark(1, await hashOf(1)),
      mark(2, await hashOf(2)),
      mark(9, 'x', 'other'),
    ]);
    expect(await lookAt(journal, witness)).toBeUndefined();
  });
});

describe('the store differs', () => {
  test.each<[string, string | undefined, StoreMark | undefined, StoreMark[], StoreChange]>([
    ['it has no id, and one that had was seen', undefined, mark(1, 'x'), [], 'new'],
    ['it has no id, and one without records was seen', undefined, mark(0, 'x'), [], 'new'],
    ['it has another id', 'b'.repeat(32), mark(1, 'x'), [], 'other'],
    ['it has another id, though none of its records was seen', 'b'.repeat(32), mark(0, 'x'), [], 'other'],
    ['it lacks the newest record that was seen', id, mark(2, 'x'), [], 'older'],
    ['its record is another one', id, mark(1, 'x'), [], 'older'],
    ['it was moved, and lacks a record that it had elsewhere', id, undefined, [mark(2, 'x')], 'older'],
    [
      'it was moved, and the second of two places had another record',
      id,
      undefined,
      [mark(0, 'x'), mark(1, 'x')],
      'older',
    ],
  ])('%s', async (_, storeId, here, elsewhere, change) => {
    const { journal } = await openStore(storeId, 1);
    expect(await lookAt(journal, witnessOf(here, elsewhere).witness)).toBe(change);
  });
});

test.each<[StoreChange, string]>([
  ['new', 'The store is a new one, and the one that was used at this place before is gone.'],
  ['other', 'The store is another one than the one that was used at this place before.'],
  ['older', 'The store lacks records that it had before, as an older copy does.'],
])('a store that is %s is described with what it may not know', (change, text) => {
  expect(describeStoreChange(change)).toBe(
    `${text} It may not know orders that were placed: the same order again would be a second one.`,
  );
});

describe('the mark of the newest record', () => {
  test('is written with the id of the store', async () => {
    const { journal, hashOf } = await openStore(id, 2);
    const { witness, written } = witnessOf(mark(1, await hashOf(1)));
    await keepStoreMark(journal, witness);
    expect(written).toEqual([mark(2, await hashOf(2))]);
  });

  test('is written once for each record', async () => {
    const { journal } = await openStore(id, 2);
    const { witness, written } = witnessOf(undefined);
    await keepStoreMark(journal, witness);
    await keepStoreMark(journal, witness);
    expect(written).toHaveLength(1);
  });

  test('of a store without records is written, so that its id is known', async () => {
    const { journal } = await openStore(id, 0);
    const { witness, written } = witnessOf(undefined);
    await keepStoreMark(journal, witness);
    expect(written.map(({ seq }) => seq)).toEqual([0]);
  });

  test('gives a store without an id one of 32 hexadecimal digits, which it keeps', async () => {
    const { journal } = await openStore(undefined, 1);
    const { witness, written } = witnessOf(undefined);
    await keepStoreMark(journal, witness);
    await journal.change((tx) => tx.note('live', 'record', {}));
    await keepStoreMark(journal, witness);
    const [first, second] = written;
    expect(first?.id).toMatch(/^[\da-f]{32}$/);
    expect(second?.id).toBe(first?.id);
    expect(await journal.read((tx) => tx.get('store id'))).toBe(first?.id);
  });

  test('is not written while the store differs from what was seen', async () => {
    const { journal } = await openStore(undefined, 2);
    const { witness, written } = witnessOf(mark(1, 'x'));
    await keepStoreMark(journal, witness);
    expect(written).toEqual([]);
    expect(await journal.read((tx) => tx.get('store id'))).toBeUndefined();
  });
});

describe('an owner who confirms the store', () => {
  test.each<[string, string | undefined, StoreMark]>([
    ['a new one', undefined, mark(1, 'x')],
    ['another one', 'b'.repeat(32), mark(9, 'x')],
    ['an older one', id, mark(9, 'x')],
  ])('makes %s the known one', async (_, storeId, seen) => {
    const { journal, hashOf } = await openStore(storeId, 2);
    const { witness, written } = witnessOf(seen);
    await confirmStore(journal, witness);
    expect(written).toEqual([mark(2, await hashOf(2), await journal.read((tx) => tx.get<string>('store id')))]);
    expect(await lookAt(journal, witness)).toBeUndefined();
  });
});
