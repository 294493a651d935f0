/** The rows of the journal in detail: filters, what the log and the trail say of a change, and what is removed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../src/core/log.ts';
import { createAuditTrail } from '../../../src/core/store/audit-table.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { takeLog } from '../../support/faults.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { openMemory } from './support.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly accountKey: string;
  readonly environment: string;
  readonly state: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly ticker?: string;
  readonly sentAt?: number;
  readonly orderId?: string;
  readonly repeatOf?: string;
  readonly approval?: { readonly handle: string; readonly nonce: string };
  readonly leg?: { readonly submissionId: string; readonly number: number };
  readonly note?: string;
}

const row = (id: string, change: Partial<Row> = {}): Row => ({
  ...{ id, kind: 'order', accountKey: 'account', environment: 'demo', state: 'APPROVED' },
  ...{ fingerprint: `print-${id}`, createdAt: 1_000 },
  ...change,
});

async function open() {
  const engine = await openMemory();
  const journal = createJournal<Row, Row>(engine, { now: () => 5_000 });
  const ids = (filter?: object) => journal.read(async (tx) => (await tx.list(filter)).map(({ id }) => id));
  return { engine, journal, ids, audit: createAuditTrail(engine) };
}

test('a row has every part that it was written with, in its columns as well', async () => {
  const { createJournal } = await loadAnew<typeof import('../../../src/core/store/journal-table.ts')>(
    'src/core/store/journal-table.ts',
  );
  const engine = await openMemory();
  const journal = createJournal<Row, Row>(engine, { now: () => 5_000 });
  const full = row('a', {
    ...{ ticker: 'X', sentAt: 7, orderId: 'o', repeatOf: 'r', state: 'SENDING' },
    approval: { handle: 'h', nonce: 'n' },
  });
  await journal.change((tx) => tx.insert(full));
  await journal.change((tx) => tx.set('halt', { on: true }));
  expect(await journal.read((tx) => tx.find('a'))).toEqual(full);
  const columns = {
    ...{ id: 'a', account: 'account', environment: 'demo', kind: 'order', state: 'SENDING', ticker: 'X' },
    ...{ fingerprint: 'print-a', repeat_of: 'r', order_id: 'o', handle: 'h', nonce: 'n' },
    ...{ created_at: 1_000, sent_at: 7, data: JSON.stringify(full), submission: null, leg: null },
  };
  expect(await engine.read((db) => db.all('SELECT * FROM intents'))).toEqual([columns]);
  await journal.change((tx) => tx.insert(row('b')));
  expect(await engine.read((db) => db.all("SELECT * FROM intents WHERE id = 'b'"))).toEqual([
    {
      ...{ ...columns, id: 'b', state: 'APPROVED', ticker: null, fingerprint: 'print-b', repeat_of: null },
      ...{ order_id: null, handle: null, nonce: null, sent_at: null, data: JSON.stringify(row('b')) },
    },
  ]);
  expect(await engine.read((db) => db.all("SELECT name, value FROM records WHERE space = 'desk'"))).toEqual([
    { name: 'halt', value: '{"on":true}' },
  ]);
});

describe('rows', () => {
  const rows = [
    row('a', { createdAt: 1, ticker: 'X', orderId: 'o1', repeatOf: 'r1', approval: { handle: 'h1', nonce: 'n1' } }),
    row('b', { createdAt: 2, ticker: 'Y', orderId: 'o2', repeatOf: 'r2', approval: { handle: 'h2', nonce: 'n2' } }),
    row('c', { createdAt: 2, accountKey: 'other', environment: 'live', state: 'PLACED' }),
    row('d', { createdAt: 3, state: 'SENDING' }),
  ];

  test.each<[object | undefined, string[]]>([
    [undefined, ['d', 'b', 'c', 'a']],
    [{}, ['d', 'b', 'c', 'a']],
    [{ accountKey: 'other' }, ['c']],
    [{ environment: 'live' }, ['c']],
    [{ ticker: 'Y' }, ['b']],
    [{ fingerprint: 'print-d' }, ['d']],
    [{ repeatOf: 'r1' }, ['a']],
    [{ orderId: 'o2' }, ['b']],
    [{ handle: 'h1' }, ['a']],
    [{ nonce: 'n2' }, ['b']],
    [{ handle: 'h1', nonce: 'n2' }, []],
    [{ submissionId: 's1' }, []],
    [{ states: ['PLACED', 'SENDING'] }, ['d', 'c']],
    [{ states: [] }, []],
    [{ createdSince: 2 }, ['d', 'b', 'c']],
    [{ createdSince: 3 }, ['d']],
    [{ accountKey: 'account', states: ['APPROVED'], createdSince: 2 }, ['b']],
    [{ limit: 2 }, ['d', 'b']],
    [{ limit: 0 }, []],
  ])('with %o are listed newest first, and those of one moment by id', async (filter, expected) => {
    const { journal, ids } = await open();
    await journal.change(async (tx) => {
      for (const one of rows) await tx.insert(one);
    });
    expect(await ids(filter)).toEqual(expected);
  });

  test('of writes are not those of orders, and each moves by its own function', async () => {
    const { journal, ids } = await open();
    const write = row('w', { kind: 'write' });
    await journal.change(async (tx) => {
      await tx.insert(row('a'));
      await tx.insertWrite(write);
    });
    expect(await ids()).toEqual(['a']);
    expect(await journal.read((tx) => tx.listWrites())).toEqual([write]);
    expect(await journal.change((tx) => tx.move('w', 'APPROVED', { state: 'DONE' }))).toBeUndefined();
    expect(await journal.change((tx) => tx.moveWrite('a', 'APPROVED', { state: 'DONE' }))).toBeUndefined();
    const done = { ...write, state: 'DONE' };
    expect(await journal.change((tx) => tx.moveWrite('w', 'APPROVED', { state: 'DONE' }))).toEqual(done);
    expect(await journal.read((tx) => tx.listWrites({ states: ['DONE'] }))).toEqual([done]);
  });

  test('move with every part that changes, and the columns follow', async () => {
    const { journal, ids } = await open();
    await journal.change((tx) => tx.insert(row('a')));
    const change = { state: 'PLACED', sentAt: 9, orderId: 'o', ticker: 'Y', accountKey: 'root', note: 'mine' };
    const moved = row('a', change);
    expect(await journal.change((tx) => tx.move('a', 'APPROVED', change))).toEqual(moved);
    expect(await journal.read((tx) => tx.find('a'))).toEqual(moved);
    expect(await ids({ accountKey: 'root', orderId: 'o', ticker: 'Y', states: ['PLACED'] })).toEqual(['a']);
    expect(await ids({ accountKey: 'account' })).toEqual([]);
    expect(await journal.change((tx) => tx.move('missing', 'APPROVED', change))).toBeUndefined();
  });

  test('that were never sent are removed: of the given states, older than a time, the oldest first, and orders only', async () => {
    const { journal, ids } = await open();
    await journal.change(async (tx) => {
      await tx.insert(row('old', { createdAt: 1, state: 'REFUSED' }));
      await tx.insert(row('older', { createdAt: 0, state: 'EXPIRED' }));
      await tx.insert(row('sent', { createdAt: 1, state: 'REFUSED', sentAt: 2 }));
      await tx.insert(row('alive', { createdAt: 1, state: 'APPROVED' }));
      await tx.insert(row('new', { createdAt: 5, state: 'REFUSED' }));
      await tx.insertWrite(row('write', { createdAt: 1, state: 'REFUSED', kind: 'write' }));
    });
    await journal.change((tx) => tx.removeUnsent(['REFUSED', 'EXPIRED'], 5, 1));
    expect(await ids()).toEqual(['new', 'alive', 'old', 'sent']);
    await journal.change((tx) => tx.removeUnsent(['REFUSED', 'EXPIRED'], 5, 10));
    expect(await ids()).toEqual(['new', 'alive', 'sent']);
    expect(await journal.read((tx) => tx.listWrites())).toHaveLength(1);
  });
});

test('an order that was made for a leg of a submission is found by the submission', async () => {
  const { journal, engine, ids } = await open();
  const draft = {
    ...{ id: 'd1', accountKey: 'account', environment: 'demo', name: undefined, version: 1, state: 'open' },
    ...{ source: 'save_draft', createdAt: 1, expiresAt: 2 },
  };
  const submission = {
    ...{ id: 's1', draftId: 'd1', version: 1, accountKey: 'account', environment: 'demo', state: 'sending' },
    ...{ createdAt: 1, endsAt: 9, haltCount: 0 },
  };
  await journal.change(async (tx) => {
    await tx.insertDraft(draft);
    await tx.insertSubmission(submission, [
      { submissionId: 's1', number: 1, state: 'waiting' },
      { submissionId: 's1', number: 2, state: 'waiting' },
    ]);
    await tx.insert(row('a', { leg: { submissionId: 's1', number: 2 } }));
    await tx.insert(row('b'));
  });
  expect(await ids({ submissionId: 's1' })).toEqual(['a']);
  expect(await engine.read((db) => db.all("SELECT submission, leg FROM intents WHERE id = 'a'"))).toEqual([
    { submission: 's1', leg: 2 },
  ]);
});

describe('the trail', () => {
  test('has each insertion and each new state, with what changed, and not a change within a state', async () => {
    const { journal, audit } = await open();
    await journal.change((tx) => tx.insert(row('a')));
    await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'APPROVED', note: 'x' }));
    await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'SENDING', note: 'y' }));
    await journal.change((tx) => tx.insertWrite(row('w', { kind: 'write', environment: 'live' })));
    const rows = (await audit.since(0, 10)).map(({ at, environment, kind, data }) => ({ at, environment, kind, data }));
    expect(rows).toEqual([
      { at: 5_000, environment: 'demo', kind: 'order', data: row('a') },
      {
        ...{ at: 5_000, environment: 'demo', kind: 'state' },
        data: { intentId: 'a', from: 'APPROVED', state: 'SENDING', note: 'y' },
      },
      { at: 5_000, environment: 'live', kind: 'write', data: row('w', { kind: 'write', environment: 'live' }) },
    ]);
  });

  test('shows its newest record and the hash of each, in the transaction of the journal', async () => {
    const { journal, audit } = await open();
    expect(await journal.read((tx) => tx.lastRecord())).toEqual({ seq: 0, hash: '0'.repeat(64) });
    await journal.change((tx) => tx.note('demo', 'halt', {}));
    await journal.change((tx) => tx.note('demo', 'resume', {}));
    const [second, first] = await audit.last(2);
    expect(await journal.read((tx) => tx.lastRecord())).toEqual({ seq: 2, hash: second?.hash });
    expect(await journal.read((tx) => tx.recordHash(1))).toBe(first?.hash);
    expect(await journal.read((tx) => tx.recordHash(3))).toBe(undefined);
  });
});

test('a value of the journal is the last one that was set, and undefined removes it', async () => {
  const { journal } = await open();
  const get = () => journal.read((tx) => tx.get('halt'));
  expect(await get()).toBeUndefined();
  await journal.change((tx) => tx.set('halt', { reason: 'x' }));
  expect(await get()).toEqual({ reason: 'x' });
  await journal.change((tx) => tx.set('halt', false));
  expect(await get()).toBe(false);
  await journal.change((tx) => tx.set('halt', undefined));
  expect(await get()).toBeUndefined();
});

describe('the log', () => {
  beforeEach(() => log.setLevel('debug'));
  const facts = () => takeLog().map(({ time: _, ...line }) => line);

  test('names the order and its states of each change, after the change is stored', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insert(row('a', { note: 'a person wrote this' })));
    await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'SENDING', orderId: 'o1' }));
    expect(facts()).toEqual([
      { level: 'debug', event: 'change', kind: 'order', id: 'a', state: 'APPROVED' },
      {
        ...{ level: 'debug', event: 'change', kind: 'state', intentId: 'a', from: 'APPROVED', state: 'SENDING' },
        orderId: 'o1',
      },
    ]);
  });

  test('has the names, the number of the leg and the rule of a change, and nothing else of it', async () => {
    const { journal } = await open();
    const data = {
      ...{ id: 7, draftId: 'd1', submissionId: 's1', leg: { submissionId: 's1', number: 2 }, rule: 'max_order' },
      ...{ state: undefined, quantity: '5', request: { ticker: 'X' } },
    };
    await journal.change((tx) => tx.note('demo', 'leg', data));
    await journal.change((tx) => tx.note('demo', 'halt', { reason: 'x' }));
    expect(facts()).toEqual([
      { level: 'debug', event: 'change', kind: 'leg', draftId: 'd1', submissionId: 's1', rule: 'max_order', leg: 2 },
      { level: 'debug', event: 'change', kind: 'halt' },
    ]);
  });

  test('has nothing of a change that failed or of one that changed nothing', async () => {
    const { journal } = await open();
    const failing = journal.change(async (tx) => {
      await tx.note('demo', 'halt', {});
      throw new Error('the disk');
    });
    await expect(failing).rejects.toThrow('the disk');
    await journal.change(async () => undefined);
    expect(facts()).toEqual([]);
  });
});
