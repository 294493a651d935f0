/** The audit trail of today as a resource. */
import { expect, test } from 'vitest';
import { readAudit } from '../../../src/mcp/resources/audit-resource.ts';

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
