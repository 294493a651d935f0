/** The journal and the audit trail: what must hold in the database, whatever a process assumes. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { createAuditTrail } from '../../../src/core/store/audit-table.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { databases, hashOf, type Stored } from './support.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly accountKey: string;
  readonly environment: string;
  readonly state: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly ticker?: string;
  readonly repeatOf?: string;
  readonly note?: string;
}

const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  kind: 'order',
  accountKey: 'account',
  environment: 'demo',
  state: 'APPROVED',
  fingerprint: `print-${id}`,
  createdAt: 1_000,
  ...change,
});

describe.each(databases)('the journal in %s', (_, make) => {
  async function open() {
    const { open, tamper } = await make();
    const engine = open();
    const clock = { now: () => 5_000 };
    return { tamper, engine, journal: createJournal<Row, Row>(engine, clock), audit: createAuditTrail(engine) };
  }

  test('a transition happens only from the expected state', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insert(row('a')));
    const first = await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'SENDING', note: 'mine' }));
    expect(first).toMatchObject({ id: 'a', state: 'SENDING', note: 'mine' });
    expect(await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'SENDING' }))).toBeUndefined();
    expect(await journal.change((tx) => tx.move('b', 'APPROVED', { state: 'SENDING' }))).toBeUndefined();
  });

  test('the database itself refuses a second order in flight for one account', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insert(row('a', { state: 'SENDING' })));
    await expect(journal.change((tx) => tx.insert(row('b', { state: 'SENDING' })))).rejects.toThrow(/unique/i);
    await journal.change((tx) => tx.insert(row('c', { state: 'SENDING', accountKey: 'another' })));
  });

  test('the database itself refuses a second repetition', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insert(row('a', { repeatOf: 'first' })));
    await expect(journal.change((tx) => tx.insert(row('b', { repeatOf: 'first' })))).rejects.toThrow(/unique/i);
  });

  test('rows are listed newest first and filtered', async () => {
    const { journal } = await open();
    await journal.change(async (tx) => {
      await tx.insert(row('a', { createdAt: 1, ticker: 'X' }));
      await tx.insert(row('b', { createdAt: 3, ticker: 'Y' }));
      await tx.insert(row('c', { createdAt: 2, ticker: 'X', state: 'PLACED' }));
      await tx.insertWrite(row('w', { kind: 'write', createdAt: 9 }));
    });
    const ids = (filter: object) => journal.read(async (tx) => (await tx.list(filter)).map(({ id }) => id));
    expect(await ids({})).toEqual(['b', 'c', 'a']);
    expect(await ids({ ticker: 'X' })).toEqual(['c', 'a']);
    expect(await ids({ states: ['PLACED', 'SENDING'] })).toEqual(['c']);
    expect(await ids({ states: [] })).toEqual([]);
    expect(await ids({ createdSince: 2 })).toEqual(['b', 'c']);
    expect(await ids({ limit: 1 })).toEqual(['b']);
    expect(await journal.read(async (tx) => (await tx.listWrites({})).map(({ id }) => id))).toEqual(['w']);
    expect(await journal.read((tx) => tx.find('w'))).toBeUndefined();
  });

  test('every change of an intent is in the audit trail, in the same transaction', async () => {
    const { journal, audit } = await open();
    await journal.change((tx) => tx.insert(row('a')));
    await journal.change((tx) => tx.move('a', 'APPROVED', { state: 'SENDING' }));
    const failing = journal.change(async (tx) => {
      await tx.move('a', 'SENDING', { state: 'PLACED' });
      throw new Error('the disk');
    });
    await expect(failing).rejects.toThrow('the disk');
    const kinds = (await audit.since(0, 100)).map(({ kind, data }) => [kind, (data as Row).state]);
    expect(kinds).toEqual([
      ['order', 'APPROVED'],
      ['state', 'SENDING'],
    ]);
    expect(await journal.read((tx) => tx.find('a'))).toMatchObject({ state: 'SENDING' });
    expect(await audit.verify()).toEqual({ holds: true, rows: 2 });
  });

  test('the audit trail accepts additions only', async () => {
    const { journal, engine } = await open();
    await journal.change((tx) => tx.note('demo', 'halt', { reason: 'x' }));
    await expect(engine.write((db) => db.run("UPDATE audit SET data = '{}'"))).rejects.toThrow(/append-only/);
    await expect(engine.write((db) => db.run('DELETE FROM audit'))).rejects.toThrow(/append-only/);
  });

  test.each([
    ['a changed record', "UPDATE audit SET data = replace(data, '3', '9') WHERE seq = 3", 3],
    ['a record moved to another time', 'UPDATE audit SET at = at + 1 WHERE seq = 2', 2],
    ['a removed record', 'DELETE FROM audit WHERE seq = 4', 4],
    ['a cut tail', 'DELETE FROM audit WHERE seq > 5', 6],
    ['an emptied trail', 'DELETE FROM audit', 1],
  ])('%s breaks the chain, and the place is reported', async (_, sql, brokenAt) => {
    const { tamper, journal, audit, engine } = await open();
    for (let n = 1; n <= 7; n++) await journal.change((tx) => tx.note('demo', 'note', { n }));
    expect(await audit.verify()).toEqual({ holds: true, rows: 7 });
    await tamper(sql);
    expect(await audit.verify()).toMatchObject({ holds: false, brokenAt });
    await engine.close();
  });

  test('every single change of a record breaks the chain, with and without its hash computed again', async () => {
    const { tamper, journal, audit, engine } = await open();
    for (let n = 1; n <= 4; n++) await journal.change((tx) => tx.note('demo', 'note', { n }));
    const rows = await engine.read((db) => db.all<Stored>('SELECT * FROM audit ORDER BY seq'));
    const changes: Partial<Stored>[] = [
      { at: 5_001 },
      { environment: 'live' },
      { kind: 'halt' },
      { data: '{"n":9}' },
      { previous: '1'.repeat(64) },
      { hash: '1'.repeat(64) },
    ];
    // The guards of the trail are gone after the first change from outside.
    await tamper('SELECT 1');
    const put = (row: Stored) =>
      engine.write((db) =>
        db.run(
          'UPDATE audit SET at = ?, environment = ?, kind = ?, data = ?, previous = ?, hash = ? WHERE seq = ?',
          ...[row.at, row.environment, row.kind, row.data, row.previous, row.hash, row.seq],
        ),
      );
    for (const row of rows) {
      const forged = changes.map((change) => ({ ...row, ...change }));
      const rehashed = forged.map((one) => ({ ...one, hash: hashOf(one) })).filter(({ hash }) => hash !== row.hash);
      for (const changed of [...forged, ...rehashed]) {
        await put(changed);
        expect((await audit.verify()).holds, JSON.stringify(changed)).toBe(false);
      }
      await put(row);
    }
    expect(await audit.verify()).toEqual({ holds: true, rows: 4 });
    // Whoever computes each hash after it again must also change the head.
    const [first, ...others] = rows as [Stored, ...Stored[]];
    let previous = hashOf({ ...first, data: '{"n":9}' });
    await put({ ...first, data: '{"n":9}', hash: previous });
    for (const row of others) {
      const linked = { ...row, previous };
      previous = hashOf(linked);
      await put({ ...linked, hash: previous });
    }
    expect(await audit.verify()).toEqual({ holds: false, rows: 4, brokenAt: 5 });
  });

  test('the chain is verified over more records than are read at once', { tags: ['slow'] }, async () => {
    const { journal, audit } = await open();
    await journal.change(async (tx) => {
      for (let n = 0; n < 1_045; n++) await tx.note('demo', 'note', { n });
    });
    expect(await audit.verify()).toEqual({ holds: true, rows: 1_045 });
    expect((await audit.last(2)).map(({ seq }) => seq)).toEqual([1_045, 1_044]);
  });
});
