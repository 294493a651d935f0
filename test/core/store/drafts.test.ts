/** Drafts and submissions: what must hold in the database, whatever a process assumes. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/core/store/engine.ts';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { databases } from './support.ts';

const draft = {
  id: 'd1',
  accountKey: 'account',
  environment: 'demo',
  name: undefined,
  version: 1,
  state: 'open',
  source: 'save_draft',
  createdAt: 1_000,
  expiresAt: 2_000,
};
const legs = [{ ticker: 'A', quantity: '0.10000000000000000001' }];
const version = { draftId: 'd1', version: 1, createdAt: 1_000, channel: 'tool', legs };

const insertSubmission = (engine: Engine, id: string, state: string, repeatOf: string | null = null) =>
  engine.write((db) =>
    db.run(
      `INSERT INTO submissions (id, draft, account, environment, state, repeat_of, created_at, data)
       VALUES (?, 'd1', 'account', 'demo', ?, ?, 1, '{}')`,
      id,
      state,
      repeatOf,
    ),
  );

const insertIntent = (engine: Engine, id: string, submission: string | null, leg: number | null) =>
  engine.write((db) =>
    db.run(
      `INSERT INTO intents (id, account, environment, kind, state, fingerprint, created_at, data, submission, leg)
       VALUES (?, 'account', 'demo', 'order', 'REFUSED', ?, 1, '{}', ?, ?)`,
      id,
      id,
      submission,
      leg,
    ),
  );

describe.each(databases)('drafts in %s', (_, make) => {
  async function open() {
    const engine = (await make()).open();
    const journal = createJournal(engine, { now: () => 5_000 });
    await journal.change(async (tx) => {
      await tx.insertDraft(draft);
      await tx.insertVersion(version);
    });
    return { engine, journal };
  }

  test('a draft and its versions are read as they were written, every digit of a quantity included', async () => {
    const { journal } = await open();
    const second = { ...version, version: 2, channel: 'terminal', edit: { kind: 'remove', leg: 1 }, legs: [] };
    await journal.change((tx) => tx.insertVersion(second));
    expect(await journal.read((tx) => tx.findDraft('d1'))).toEqual(draft);
    expect(await journal.read((tx) => tx.findDraft('d2'))).toBeUndefined();
    expect(await journal.read((tx) => tx.findVersion('d1', 1))).toEqual(version);
    expect(await journal.read((tx) => tx.listVersions('d1'))).toEqual([version, second]);
  });

  test('a draft moves only from the version and the state that were read', async () => {
    const { journal } = await open();
    expect(await journal.change((tx) => tx.moveDraft(draft, { version: 2 }))).toBe(true);
    expect(await journal.change((tx) => tx.moveDraft(draft, { version: 2 }))).toBe(false);
    const second = { ...draft, version: 2 };
    expect(await journal.change((tx) => tx.moveDraft(second, { state: 'discarded' }))).toBe(true);
    expect(await journal.change((tx) => tx.moveDraft(second, { version: 3 }))).toBe(false);
    expect(await journal.read((tx) => tx.findDraft('d1'))).toEqual({ ...second, state: 'discarded' });
  });

  test('the database itself refuses a second row for a version', async () => {
    const { journal } = await open();
    await expect(journal.change((tx) => tx.insertVersion(version))).rejects.toThrow(/unique/i);
  });

  test('drafts are listed for one account and environment, newest first', async () => {
    const { journal } = await open();
    await journal.change(async (tx) => {
      await tx.insertDraft({ ...draft, id: 'd2', createdAt: 3_000 });
      await tx.insertDraft({ ...draft, id: 'd3', state: 'discarded' });
      await tx.insertDraft({ ...draft, id: 'd4', accountKey: 'another' });
      await tx.insertDraft({ ...draft, id: 'd5', environment: 'live' });
    });
    const filter = { accountKey: 'account', environment: 'demo', states: ['open'] };
    expect(await journal.read(async (tx) => (await tx.listDrafts(filter)).map(({ id }) => id))).toEqual(['d2', 'd1']);
  });

  test('versions are counted by account and time', async () => {
    const { journal } = await open();
    await journal.change(async (tx) => {
      await tx.insertVersion({ ...version, version: 2, createdAt: 4_000 });
      await tx.insertDraft({ ...draft, id: 'd2', accountKey: 'another' });
      await tx.insertVersion({ ...version, draftId: 'd2', createdAt: 3_000 });
    });
    expect(await journal.read((tx) => tx.listVersionTimes('account', 1_000))).toEqual([4_000, 1_000]);
    expect(await journal.read((tx) => tx.listVersionTimes('account', 1_001))).toEqual([4_000]);
  });

  test('old drafts are removed with their versions, but not those that were submitted', async () => {
    const { journal, engine } = await open();
    await journal.change(async (tx) => {
      await tx.insertDraft({ ...draft, id: 'd2' });
      await tx.insertVersion({ ...version, draftId: 'd2' });
      await tx.insertDraft({ ...draft, id: 'd3', createdAt: 1_500 });
    });
    await insertSubmission(engine, 's1', 'done');
    await journal.change((tx) => tx.removeDrafts(1_500, 10));
    expect(await journal.read((tx) => tx.findDraft('d1'))).toBeDefined();
    expect(await journal.read((tx) => tx.findDraft('d2'))).toBeUndefined();
    expect(await journal.read((tx) => tx.listVersions('d2'))).toEqual([]);
    expect(await journal.read((tx) => tx.findDraft('d3'))).toBeDefined();
  });

  test('a merge of two accounts moves the drafts', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.joinDrafts('account', 'root'));
    expect(await journal.read((tx) => tx.findDraft('d1'))).toMatchObject({ accountKey: 'root' });
  });

  test('the database itself refuses a second open submission of an account, and a second repetition', async () => {
    const { engine } = await open();
    await insertSubmission(engine, 's1', 'sending');
    await expect(insertSubmission(engine, 's2', 'awaiting_approval')).rejects.toThrow(/unique/i);
    await insertSubmission(engine, 's3', 'stopped', 's0');
    await expect(insertSubmission(engine, 's4', 'stopped', 's0')).rejects.toThrow(/unique/i);
  });

  const submission = {
    id: 's1',
    draftId: 'd1',
    version: 1,
    accountKey: 'account',
    environment: 'demo',
    state: 'sending',
    createdAt: 1,
    endsAt: 9,
    haltCount: 0,
  };
  const leg = { submissionId: 's1', number: 1, state: 'waiting', value: '12.50' };
  const intent = {
    id: 'i1',
    kind: 'order',
    accountKey: 'account',
    environment: 'demo',
    state: 'APPROVED',
    fingerprint: 'f',
    createdAt: 1,
    leg: { submissionId: 's1', number: 1 },
  };

  test('an intent takes its leg in the same transaction, and a leg is taken once', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insertSubmission(submission, [leg]));
    const other = { ...intent, id: 'i2', leg: { submissionId: 's1', number: 2 } };
    await expect(journal.change((tx) => tx.insert(other))).rejects.toThrow();
    expect(await journal.read((tx) => tx.find('i2'))).toBeUndefined();
    expect(await journal.read((tx) => tx.listReservedLegs('account'))).toEqual([leg]);
    await journal.change((tx) => tx.insert(intent));
    expect(await journal.read((tx) => tx.listSubmissionLegs('s1'))).toEqual([{ ...leg, state: 'taken' }]);
    expect(await journal.read((tx) => tx.listReservedLegs('account'))).toEqual([]);
    await expect(journal.change((tx) => tx.insert({ ...intent, id: 'i3' }))).rejects.toThrow();
    expect(await journal.read((tx) => tx.list({ submissionId: 's1' }))).toEqual([intent]);
  });

  test('a submission that a person is asked about is found by its handle and its nonce, exactly', async () => {
    const { journal } = await open();
    const asked = { ...submission, approval: { handle: 'a_b-C', nonce: 'n1' } };
    await journal.change((tx) => tx.insertSubmission(asked, [leg]));
    const found = (filter: object) =>
      journal.read(async (tx) => (await tx.listSubmissions(filter)).map(({ id }) => id));
    expect(await found({ handle: 'a_b-C' })).toEqual(['s1']);
    expect(await found({ nonce: 'n1' })).toEqual(['s1']);
    for (const other of [{ handle: 'axb-C' }, { handle: 'a_b-c' }, { handle: 's1' }, { nonce: 'a_b-C' }])
      expect(await found(other)).toEqual([]);
  });

  test('a submission moves only from the state that was read', async () => {
    const { journal } = await open();
    await journal.change((tx) => tx.insertSubmission(submission, [leg]));
    const stopped = await journal.change((tx) => tx.moveSubmission('s1', 'sending', { state: 'stopped' }));
    expect(stopped).toEqual({ ...submission, state: 'stopped' });
    expect(await journal.change((tx) => tx.moveSubmission('s1', 'sending', { state: 'done' }))).toBeUndefined();
    expect(await journal.read((tx) => tx.findSubmission('s1'))).toEqual({ ...submission, state: 'stopped' });
    const approval = { handle: 'h', nonce: 'n' };
    await journal.change((tx) => tx.moveSubmission('s1', 'stopped', { state: 'stopped', approval } as never));
    expect(await journal.read((tx) => tx.findSubmission('s1'))).toMatchObject({ state: 'stopped', approval });
    expect(await journal.read((tx) => tx.listReservedLegs('account'))).toEqual([]);
    expect(await journal.read((tx) => tx.hasOpenSubmission('d1'))).toBe(false);
  });

  test('a merge of two accounts stops what is being sent, and closes its draft', async () => {
    const { journal } = await open();
    await journal.change(async (tx) => {
      await tx.insertDraft({ ...draft, id: 'd2' });
      await tx.insertSubmission(submission, [leg]);
    });
    await journal.change((tx) => tx.joinDrafts('account', 'root'));
    const moved = { ...submission, accountKey: 'root', state: 'stopped' };
    expect(await journal.read((tx) => tx.listSubmissions({ accountKey: 'root' }))).toEqual([moved]);
    expect(await journal.read((tx) => tx.findDraft('d1'))).toMatchObject({ state: 'discarded' });
    expect(await journal.read((tx) => tx.findDraft('d2'))).toMatchObject({ state: 'open' });
  });

  test('the database itself refuses a second intent for a leg of a submission', async () => {
    const { engine } = await open();
    await insertIntent(engine, 'i1', 's1', 1);
    await insertIntent(engine, 'i2', 's1', 2);
    await insertIntent(engine, 'i3', null, null);
    await insertIntent(engine, 'i4', null, null);
    await expect(insertIntent(engine, 'i5', 's1', 2)).rejects.toThrow(/unique/i);
  });
});
