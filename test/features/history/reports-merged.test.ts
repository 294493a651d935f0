/** Reports: several for a long range, saved, and part of the history where its pages do not reach. */
// @module-tag server
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Setup, setup } from '../../support/setup.ts';
import { type Body, ok } from './call-tool.ts';

const minute = 60_000;
const everything = ['orders', 'dividends', 'transactions', 'interest'];

async function reportOf(made: Setup, timeFrom: string, timeTo: string, include = everything): Promise<Body> {
  const { reportId } = await ok(made, 'request_export', { timeFrom, timeTo, include });
  await made.clock.advance(minute);
  const listed = await ok(made, 'list_exports', { reportId, waitSeconds: 50 });
  expect(listed.rows[0][1]).toBe('Finished');
  return ok(made, 'download_export', { reportId });
}

test('a range of several years becomes a report for each, as many as the limit allows in a call', async () => {
  const made = await setup();
  const include = ['dividends'];
  const first = await ok(made, 'request_export', { timeFrom: '2023-02-01', timeTo: '2026-01-01', include });
  expect(first.outcome).toBe('done');
  expect(first.complete).toBe(false);
  expect(first.reports.length).toBe(2);
  await made.clock.advance(minute);
  const rest = await ok(made, 'request_export', { ...first.remaining, include });
  expect(rest.outcome).toBe('done');
  const asked = [...first.reports, { timeFrom: first.remaining.timeFrom, timeTo: first.remaining.timeTo }];
  expect(asked.map(({ timeFrom, timeTo }: Body) => [timeFrom.slice(0, 10), timeTo.slice(0, 10)])).toEqual([
    ['2023-02-01', '2024-02-01'],
    ['2024-02-01', '2025-02-01'],
    ['2025-02-01', '2026-01-01'],
  ]);
  expect(made.simulator.groundTruth().reports.length).toBe(3);
});

test('a request for reports returns the next step, and when the list can be polled again', async () => {
  const made = await setup();
  const range = { timeFrom: '2024-07-01', timeTo: '2026-01-01' };
  const { reportId, reports, next, result } = await ok(made, 'request_export', { ...range, include: ['dividends'] });
  expect(reports.map((report: Body) => report.reportId)).toContain(reportId);
  expect(next).toBe(
    `Call list_exports with reportId ${reports[1].reportId} and waitSeconds, then download_export for each.`,
  );
  // It would name only the second report.
  expect(result).toBeUndefined();
  const early = await ok(made, 'list_exports', {});
  expect(early.retryAfterSeconds).toBeGreaterThan(0);
  await made.clock.advance(early.retryAfterSeconds * 1000);
  const later = await ok(made, 'list_exports', {});
  expect(later.rows.map(([, status]: string[]) => status)).toEqual(['Finished', 'Finished']);
  expect(later).not.toHaveProperty('retryAfterSeconds');
});

test('a report fills the history where no page was read, and duplicates no row elsewhere', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ quirks: { failPage: { page: 3, status: 404 } } });
  const before = await ok(made, 'fetch_history', { kind: 'dividends', limit: 500, waitSeconds: 50 });
  expect(before.complete).toBe(false);
  expect(before.rows.length).toBeLessThanOrEqual(100);
  for (const [from, to] of [
    ['2023-01-01', '2024-01-01'],
    ['2024-01-01', '2025-01-01'],
    ['2025-01-01', '2026-01-01'],
    ['2025-01-01', '2026-01-01'],
  ] as const) {
    const file = await reportOf(made, from, to);
    expect(file.keptForHistory.dividends).toBeGreaterThan(0);
    await made.clock.advance(minute);
  }
  const range = { since: '2023-01-01', until: '2026-01-16' };
  const rows: Body[] = [];
  let after: Body = {};
  do {
    const cursor = after.nextCursor ? { cursor: after.nextCursor } : {};
    after = await ok(made, 'fetch_history', { kind: 'dividends', limit: 500, waitSeconds: 50, ...range, ...cursor });
    expect(after.complete).toBe(true);
    rows.push(...after.rows);
  } while (after.nextCursor);
  const wanted = made.simulator.groundTruth().dividends.filter(({ at }) => at < Date.parse('2026-01-16'));
  expect(rows.length).toBe(wanted.length);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0).toFixed(2);
  const amount = after.columns.indexOf('amount');
  expect(sum(rows.map((row: Body) => Number(row[amount])))).toBe(sum(wanted.map((row) => Number(row.amount))));
  // Rows before the first report are unknown, so the complete history is not there yet.
  const all = await ok(made, 'fetch_history', { kind: 'dividends', limit: 500, waitSeconds: 0 });
  expect(all.complete).toBe(false);
});

test('a report without interest does not count as a history of transactions', async () => {
  const made = await setup();
  const file = await reportOf(made, '2025-01-01', '2026-01-01', ['transactions', 'orders']);
  expect(Object.keys(file.keptForHistory)).toEqual(['orders']);
});

test('a report requested before the end of its range covers no more than its rows', async () => {
  const made = await setup({ quirks: { failPage: { page: 2, status: 404 } } });
  // Another client requested it, so this server does not know when.
  const response = await fetch(`${made.simulator.origin}/api/v0/equity/history/exports`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('test-key:test-secret').toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      timeFrom: '2025-06-01T00:00:00Z',
      timeTo: '2026-05-30T00:00:00Z',
      dataIncluded: { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true },
    }),
  });
  const { reportId } = (await response.json()) as { reportId: number };
  await made.clock.advance(2 * minute);
  await ok(made, 'download_export', { reportId: String(reportId) });
  const body = await ok(made, 'fetch_history', { kind: 'dividends', since: '2025-06-01', waitSeconds: 0 });
  expect(body.coverage.to < '2026-01-16').toBe(true);
});

test('the saved file runs nothing in a spreadsheet, belongs to its owner only, and lists the escaped cells', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const file = await reportOf(made, '2025-01-01', '2026-01-01');
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  const text = await readFile(file.path, 'utf8');
  for (const line of text.split('\n').slice(1))
    for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+@]|^"?-(?![\d.])/);
  expect(file.uri).toBe(`export://${file.reportId}`);
});

test.each([
  ['http to another host', 'http://192.0.2.7/report.csv'],
  ['a file', 'file:///etc/passwd'],
  ['an address with a name and a password', 'https://user:secret@localhost/report.csv'],
])('a link that is %s is not followed', async (_, link) => {
  const made = await setup();
  const { reportId } = await ok(made, 'request_export', {
    timeFrom: '2025-01-01',
    timeTo: '2026-01-01',
    include: everything,
  });
  await made.clock.advance(2 * minute);
  made.simulator.quirks.downloadLink = link;
  const { isError, body } = await made.call('download_export', { reportId });
  expect(isError).toBe(true);
  expect(body.code).toBe('unexpected_answer');
  expect(JSON.stringify(body)).not.toContain('secret');
});
