/** Lists that do not fit into one result: none is cut without a note. */
// @module-tag server
import { expect, test } from 'vitest';
import { buildToolResult } from '../../../src/core/mcp/tool-result.ts';
import { setup } from '../../support/setup.ts';

const rows = Array.from({ length: 500 }, (_, n) => [n, 'x'.repeat(150)]);

test('a list without a cursor says how many of its rows are included, besides its other notes', () => {
  const list = { columns: ['n', 'text'], rows, cursorAfter: () => undefined, rest: 'the file has all rows' };
  const { body } = buildToolResult({ asOf: 0, fields: { note: 'Said before.' }, list }, 'demo');
  const shown = (body.rows as unknown[]).length;
  expect(shown).toBeLessThan(500);
  expect(body.note).toBe(`Said before. Only the first ${shown} of 500 rows fit; the file has all rows.`);
});

test('a result is cut at a row within 6,800 characters, and says before the rows where to continue', () => {
  for (const length of [20, 150, 700]) {
    const long = rows.map(([n]) => [n, 'x'.repeat(length)]);
    const list = { columns: ['n', 'text'], rows: long, cursorAfter: (kept: number) => `after ${kept}` };
    const { body, text } = buildToolResult({ asOf: 0, fields: { complete: true }, list }, 'demo');
    const kept = (body.rows as unknown[]).length;
    expect(text.length).toBeLessThanOrEqual(6_800);
    expect(text.length + JSON.stringify(long[kept]).length).toBeGreaterThan(6_790);
    expect(body.nextCursor).toBe(`after ${kept}`);
    expect(Object.keys(body)).toEqual(['env', 'asOf', 'complete', 'nextCursor', 'columns', 'rows']);
  }
});

test('objects have a page of at most 20,000 characters, and no field for a missing value', () => {
  const rows = Array.from({ length: 500 }, (_, n) => [n, n === 0 ? null : '"'.repeat(150)]);
  const cursorAfter = (kept: number) => (kept < rows.length ? `after ${kept}` : undefined);
  const list = { columns: ['n', 'text'], rows, asObjects: true, cursorAfter };
  const { body, text } = buildToolResult({ asOf: 0, fields: { complete: true }, list }, 'demo');
  const items = body.items as object[];
  expect(items.slice(0, 2)).toEqual([{ n: 0 }, { n: 1, text: '"'.repeat(150) }]);
  expect(text.length).toBeLessThanOrEqual(20_000);
  expect(text.length + JSON.stringify({ n: 100, text: '"'.repeat(150) }).length).toBeGreaterThan(20_000);
  expect(body.nextCursor).toBe(`after ${items.length}`);
  expect(Object.keys(body)).toEqual(['env', 'asOf', 'complete', 'nextCursor', 'items']);
});

test('a row that is longer than a result may be is returned alone', () => {
  const list = { rows: [Array(20).fill('x'.repeat(1_000)), ['y']], cursorAfter: (kept: number) => `after ${kept}` };
  expect(buildToolResult({ asOf: 0, fields: {}, list }, 'demo').body).toMatchObject({ nextCursor: 'after 1' });
});

test('a list that continues with a cursor, or fits, has no such note', () => {
  const goesOn = { rows, cursorAfter: (kept: number) => `after ${kept}` };
  expect(buildToolResult({ asOf: 0, fields: {}, list: goesOn }, 'demo').body).not.toHaveProperty('note');
  const fits = { rows: rows.slice(0, 3), cursorAfter: () => undefined };
  expect(buildToolResult({ asOf: 0, fields: {}, list: fits }, 'demo').body).not.toHaveProperty('note');
});

test('a preview of a long report says what it leaves out', async () => {
  const { call, clock } = await setup();
  const range = { timeFrom: '2025-01-01T00:00:00Z', timeTo: '2026-01-01T00:00:00Z' };
  const { body: asked } = await call('request_export', { ...range, include: ['dividends', 'interest', 'orders'] });
  await clock.advance(61_000);
  const [reportId] = asked.reportIds ?? [asked.reportId];
  const { body } = await call('download_export', { reportId, previewRows: 100 });
  expect(body.totalRows).toBeGreaterThan(100);
  expect(body.rows.length).toBeLessThan(100);
  expect(body.note).toContain(`Only the first ${body.rows.length} of 100 rows fit; the file has all rows.`);
});

test('a wait for a resting order polls less and less often', { tags: ['slow'] }, async () => {
  const { call, requests } = await setup();
  const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 9.5, timeValidity: 'DAY' };
  const { body: placed } = await call('place_limit_order', order);
  const before = requests().length;
  const { body } = await call('get_order', { orderId: placed.orderId, waitSeconds: 40 });
  expect(body).toMatchObject({ final: false, foundIn: 'pending' });
  const looks = requests().slice(before);
  expect(new Set(looks)).toEqual(new Set(['getPendingOrder']));
  expect(looks.length).toBeGreaterThan(8);
  expect(looks.length).toBeLessThan(14);
});
