/** Drafts, their submissions and their legs in detail; what must hold in both databases is in drafts.test.ts. */
import { describe, expect, test } from 'vitest';
import { createJournal } from '../../../src/core/store/journal-table.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { openMemory } from './support.ts';

const draft = {
  id: 'd1',
  accountKey: 'account',
  environment: 'demo',
  name: undefined as string | undefined,
  version: 1,
  state: 'open',
  source: 'save_draft',
  createdAt: 1_000,
  expiresAt: 2_000,
};
const version = { draftId: 'd1', version: 1, createdAt: 1_000, channel: 'tool', legs: [{ ticker: 'A' }] };
const submission = {
  id: 's1',
  draftId: 'd1',
  version: 1,
  accountKey: 'account',
  environment: 'demo',
  state: 'sending',
  createdAt: 5,
  endsAt: 9,
  haltCount: 0,
};
const leg = { submissionId: 's1', number: 1, state: 'waiting', value: '12.50' };

async function open() {
  const engine = await openMemory();
  const journal = createJournal(engine, { now: () => 5_000 });
  await journal.change(async (tx) => {
    await tx.insertDraft(draft);
    await tx.insertVersion(version);
  });
  return { engine, ...journal };
}

test('a draft and its versions are what was written', async () => {
  const anew = await loadAnew<typeof import('../../../src/core/store/draft-table.ts')>('src/core/store/draft-table.ts');
  const engine = await openMemory();
  const named = { ...draft, name: 'Monthly' };
  const edited = { ...version, version: 2, edit: { kind: 'remove', leg: 1 }, legs: [] };
  await engine.write(async (db) => {
    const tx = anew.changeDrafts(db);
    await tx.insertDraft(named);
    await tx.insertVersion(version);
    await tx.insertVersion(edited);
  });
  await engine.read(async (db) => {
    const tx = anew.readDrafts(db);
    expect(await tx.findDraft('d1')).toEqual(named);
    expect(await tx.listVersions('d1')).toEqual([version, edited]);
    expect(await tx.findVersion('d1', 2)).toEqual(edited);
    expect(await tx.findVersion('d1', 3)).toBeUndefined();
    expect(await tx.listDrafts({ accountKey: 'account', environment: 'demo', states: ['open'] })).toEqual([named]);
  });
});

test.each([
  [
    ['open', 'discarded'],
    ['d3', 'd1', 'd2'],
  ],
  [['discarded'], ['d2']],
  [[], []],
])('drafts in the states %j are listed newest first, and those of one moment by id', async (states, expected) => {
  const { change, read } = await open();
  await change(async (tx) => {
    await tx.insertDraft({ ...draft, id: 'd2', state: 'discarded' });
    await tx.insertDraft({ ...draft, id: 'd3', createdAt: 1_001 });
  });
  const filter = { accountKey: 'account', environment: 'demo', states };
  expect((await read((tx) => tx.listDrafts(filter))).map(({ id }) => id)).toEqual(expected);
});

test('a new name changes nothing else of a draft, and no other draft', async () => {
  const { change, read } = await open();
  await change(async (tx) => {
    await tx.insertDraft({ ...draft, id: 'd2' });
    await tx.renameDraft('d1', 'Monthly');
  });
  expect(await read((tx) => tx.findDraft('d1'))).toEqual({ ...draft, name: 'Monthly' });
  expect(await read((tx) => tx.findDraft('d2'))).toEqual({ ...draft, id: 'd2' });
});

test('at most the given number of old drafts is removed, the oldest first', async () => {
  const { change, read } = await open();
  await change(async (tx) => {
    await tx.insertDraft({ ...draft, id: 'd2', createdAt: 999 });
    await tx.removeDrafts(1_001, 1);
  });
  expect(await read((tx) => tx.findDraft('d2'))).toBeUndefined();
  expect(await read((tx) => tx.findDraft('d1'))).toEqual(draft);
});

test('a submission and its legs are what was written, and the waiting legs of an open one are reserved', async () => {
  const anew = await loadAnew<typeof import('../../../src/core/store/submission-table.ts')>(
    'src/core/store/submission-table.ts',
  );
  const { engine } = await open();
  const second = { ...leg, number: 2 };
  await engine.write((db) => anew.changeSubmissions(db).insertSubmission(submission, [second, leg]));
  await engine.write((db) => anew.claimLeg(db, second));
  await engine.read(async (db) => {
    const tx = anew.readSubmissions(db);
    expect(await tx.findSubmission('s1')).toEqual(submission);
    expect(await tx.findSubmission('s2')).toBeUndefined();
    expect(await tx.listSubmissionLegs('s1')).toEqual([leg, { ...second, state: 'taken' }]);
    expect(await tx.listReservedLegs('account')).toEqual([leg]);
    expect(await tx.listReservedLegs('other')).toEqual([]);
    expect(await tx.hasOpenSubmission('d1')).toBe(true);
    expect(await tx.hasOpenSubmission('d2')).toBe(false);
  });
  await engine.write((db) => anew.joinSubmissions(db, 'account', 'root'));
  await engine.read(async (db) => {
    const tx = anew.readSubmissions(db);
    expect(await tx.findSubmission('s1')).toEqual({ ...submission, accountKey: 'root', state: 'stopped' });
    expect(await tx.hasOpenSubmission('d1')).toBe(false);
  });
});

test.each(['awaiting_approval', 'sending'])('a submission in the state %s is open', async (state) => {
  const { change, read } = await open();
  await change((tx) => tx.insertSubmission({ ...submission, state }, [leg]));
  expect(await read((tx) => tx.hasOpenSubmission('d1'))).toBe(true);
  expect(await read((tx) => tx.listReservedLegs('account'))).toEqual([leg]);
});

describe('submissions', () => {
  const asked = { handle: 'h2', nonce: 'n2' };
  const rows = [
    submission,
    { ...submission, id: 's2', state: 'stopped', createdAt: 6, repeatOf: 's0', approval: asked },
    { ...submission, id: 's3', accountKey: 'other', createdAt: 6, draftId: 'd2' },
    { ...submission, id: 's4', environment: 'live', state: 'done', createdAt: 7 },
  ];

  test.each<[object, string[]]>([
    [{}, ['s4', 's2', 's3', 's1']],
    [{ accountKey: 'other' }, ['s3']],
    [{ environment: 'live' }, ['s4']],
    [{ draftId: 'd2' }, ['s3']],
    [{ repeatOf: 's0' }, ['s2']],
    [{ handle: 'h2' }, ['s2']],
    [{ nonce: 'n2' }, ['s2']],
    [{ nonce: 'h2' }, []],
    [{ states: ['done', 'stopped'] }, ['s4', 's2']],
    [{ states: ['done'] }, ['s4']],
    [{ states: [] }, []],
    [{ createdSince: 6 }, ['s4', 's2', 's3']],
    [{ createdSince: 7 }, ['s4']],
    [{ accountKey: 'account', states: ['stopped', 'sending'], createdSince: 6 }, ['s2']],
  ])('with %o are listed newest first, and those of one moment by id', async (filter, expected) => {
    const { change, read } = await open();
    await change(async (tx) => {
      await tx.insertDraft({ ...draft, id: 'd2' });
      for (const row of rows) await tx.insertSubmission(row, []);
    });
    const found = await read((tx) => tx.listSubmissions(filter));
    expect(found).toEqual(expected.map((id) => rows.find((row) => row.id === id)));
  });

  test('can be repeated again after the repetition is released, and the row still names what it repeats', async () => {
    const { change, read } = await open();
    const first = { ...submission, state: 'stopped', repeatOf: 's0' };
    await change((tx) => tx.insertSubmission(first, []));
    const second = { ...first, id: 's2' };
    await expect(change((tx) => tx.insertSubmission(second, []))).rejects.toThrow(/unique/i);
    await change((tx) => tx.releaseRepetition('s1'));
    await change((tx) => tx.insertSubmission(second, []));
    await change((tx) => tx.releaseRepetition('s3'));
    expect(await read((tx) => tx.findSubmission('s1'))).toEqual(first);
    expect(await read((tx) => tx.listSubmissions({ repeatOf: 's0' }))).toEqual([second]);
  });

  test('that do not exist are not moved', async () => {
    const { change, read } = await open();
    expect(await change((tx) => tx.moveSubmission('s9', 'sending', { state: 'done' }))).toBeUndefined();
    expect(await read((tx) => tx.listSubmissions({}))).toEqual([]);
  });

  test('are stopped by a merge of accounts while they wait for approval, and those that ended stay as they are', async () => {
    const { change, read } = await open();
    await change(async (tx) => {
      await tx.insertDraft({ ...draft, id: 'd2' });
      await tx.insertDraft({ ...draft, id: 'd3', state: 'sent' });
      await tx.insertSubmission({ ...submission, state: 'awaiting_approval' }, []);
      await tx.insertSubmission({ ...submission, id: 's2', draftId: 'd2', state: 'done' }, []);
      await tx.insertSubmission({ ...submission, id: 's3', draftId: 'd3', environment: 'live' }, []);
      await tx.joinDrafts('account', 'root');
    });
    const stateOf = async (id: string) => (await read((tx) => tx.findSubmission(id)))?.state;
    expect([await stateOf('s1'), await stateOf('s2'), await stateOf('s3')]).toEqual(['stopped', 'done', 'stopped']);
    const draftOf = (id: string) => read((tx) => tx.findDraft(id));
    expect(await draftOf('d1')).toEqual({ ...draft, accountKey: 'root', state: 'discarded' });
    expect(await draftOf('d2')).toEqual({ ...draft, id: 'd2', accountKey: 'root' });
    expect(await draftOf('d3')).toEqual({ ...draft, id: 'd3', accountKey: 'root', state: 'sent' });
  });
});

test('a leg that was taken, or does not exist, cannot be taken', async () => {
  const { change, read } = await open();
  await change((tx) => tx.insertSubmission(submission, [leg]));
  const intent = (id: string, number: number) => ({
    ...{ id, kind: 'order', accountKey: 'account', environment: 'demo', state: 'APPROVED', fingerprint: 'f' },
    ...{ createdAt: 1, leg: { submissionId: 's1', number } },
  });
  await expect(change((tx) => tx.insert(intent('i2', 2)))).rejects.toThrow('The leg of the submission has an intent.');
  await change((tx) => tx.insert(intent('i1', 1)));
  await expect(change((tx) => tx.insert(intent('i3', 1)))).rejects.toThrow();
  expect(await read((tx) => tx.list())).toHaveLength(1);
});
