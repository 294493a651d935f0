/** The audit trail of today as a resource. */
import { expect, test } from 'vitest';
import { readAudit, summarizeAudit } from '../../../../src/features/guides/resources/read-resource.ts';

type Deps = Parameters<typeof readAudit>[0];

const now = Date.parse('2026-01-15T15:00:00Z');
const today = Date.parse('2026-01-15T00:00:00Z');
const entry = (seq: number) => ({ seq, at: today + seq, environment: 'demo', kind: 'halt', data: { reason: 'A.' } });

/** What the trail was asked, and what the resource says when it holds these numbers, in the order of the trail. */
async function read(seqs: readonly number[], before?: number) {
  const asked: unknown[] = [];
  const audit = {
    since: async (at: number, most: number) => {
      asked.push(['since', at, most]);
      return seqs.map(entry);
    },
    verify: async (from: number) => {
      asked.push(['verify', from]);
      return { holds: true, rows: seqs.length };
    },
  } as unknown as Deps['audit'];
  const page = JSON.parse(await readAudit({ audit, clock: { now: () => now } as Deps['clock'] }, before)) as {
    entries: { seq: number }[];
  };
  return { asked, page, listed: page.entries.map(({ seq }) => seq) };
}

test('the chain is checked from the first event of today to the last', async () => {
  expect((await read([41, 42, 43])).asked).toEqual([
    ['since', today, 1_000],
    ['verify', 41],
  ]);
});

test('the chain is checked from the first event of today on a later page too', async () => {
  const { asked, listed } = await read([41, 42, 43], 43);
  expect(asked[1]).toEqual(['verify', 41]);
  expect(listed).toEqual([42, 41]);
});

test('the whole chain is checked on a day without an event', async () => {
  expect((await read([])).asked[1]).toEqual(['verify', 1]);
});

test('the newest event is the first, and what the check found is said', async () => {
  const { listed, page } = await read([41, 42, 43]);
  expect(listed).toEqual([43, 42, 41]);
  expect(page).toMatchObject({
    since: '2026-01-15T00:00:00.000Z',
    complete: true,
    chain: { holds: true, rows: 3 },
    entries: [{ seq: 43, at: '2026-01-15T00:00:00.043Z', environment: 'demo', event: 'halt', reason: 'A.' }, {}, {}],
  });
});

test('a day of a thousand events or more is not complete', async () => {
  const { page } = await read(Array.from({ length: 1_000 }, (_, n) => n + 1));
  expect(page).toMatchObject({ complete: false });
});

test('an event has each of its facts under its own name, and nothing else that was recorded', () => {
  const facts = {
    intentId: 'INTENT',
    from: 'FROM',
    state: 'STATE',
    endpoint: 'ENDPOINT',
    rule: 'RULE',
    reason: 'REASON',
    orderId: 'ORDER',
    brokerCode: 'BROKER CODE',
    by: 'BY',
    failures: 3,
    submissionId: 'SUBMISSION',
    draftId: 'DRAFT',
    version: 2,
    channel: 'CHANNEL',
    edit: 'EDIT',
    task: 'TASK',
    code: 'CODE',
    place: 'PLACE',
  };
  const data = { ...facts, request: { ticker: 'A' }, accountId: 'SECRET', approval: { by: 'OTHER' } };
  expect(summarizeAudit({ seq: 1, at: today, environment: 'demo', kind: 'order', data })).toEqual({
    ...facts,
    seq: 1,
    at: '2026-01-15T00:00:00.000Z',
    environment: 'demo',
    event: 'order',
    order: { ticker: 'A' },
  });
});

test.each([
  ['order', { id: 'I', intentId: 'J' }, { intentId: 'J' }],
  ['order', { id: 'I' }, { intentId: 'I' }],
  ['write', { id: 'I' }, { intentId: 'I' }],
  ['draft', { id: 'I' }, { intentId: undefined }],
  ['order', { state: 'APPROVED', approval: { by: 'page' } }, { by: 'page' }],
  ['order', { state: 'APPROVED', by: 'terminal', approval: { by: 'page' } }, { by: 'terminal' }],
  // An approval that is still recorded decided nothing about a later state.
  ['order', { state: 'PLACED', approval: { by: 'page' } }, { by: undefined }],
])('who and which order an event of %s is about: %j', (kind, data, expected) => {
  expect(summarizeAudit({ seq: 1, at: today, environment: 'demo', kind, data })).toMatchObject(expected);
});

test('a long day is read in pages, each of which begins after the last event of the one before', async () => {
  const seqs = Array.from({ length: 200 }, (_, n) => n + 1);
  let before: number | undefined;
  const listed: number[] = [];
  for (let pages = 0; pages < 50; pages++) {
    const { page, listed: own } = await read(seqs, before);
    listed.push(...own);
    const { nextUri, note } = page as { nextUri?: string; note?: string };
    if (nextUri === undefined) {
      expect(note).toBeUndefined();
      break;
    }
    expect(note).toBe(
      `This page has ${own.length} events, newest first. Read nextUri for the next page; stop when a page has no nextUri.`,
    );
    expect(nextUri).toBe(`audit://today?before=${own.at(-1)}`);
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(6_800);
    before = own.at(-1);
  }
  expect(listed).toEqual(seqs.toReversed());
});
