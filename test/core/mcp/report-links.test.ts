/** The link of a report gives access to the report: it is used and never stored, returned or logged. */
// @module-tag server
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { type Setup, setup } from '../../support/setup.ts';

const range = { timeFrom: '2025-01-01', timeTo: '2025-06-01', include: ['dividends', 'transactions', 'interest'] };
const processes = (self: string) => ({ self, isAlive: () => true });

/** Everything in the state folder, the write-ahead log of the store included. */
const filesOf = ({ stateDir }: Setup): string =>
  readdirSync(stateDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n');

async function linkOf({ composed, clock }: Setup): Promise<string> {
  const context = { priority: 'read', deadlineAt: clock.now() + 50_000 } as const;
  const { data } = await composed.services.broker.call(endpoints.listReports, {}, context);
  return data[0]?.downloadLink ?? '';
}

test('request, list and download work within one process and leave no link behind, also after its end', async () => {
  const made = await setup();
  const { body: requested } = await made.call('request_export', range);
  const { reportId } = requested;
  const { body: listed } = await made.call('list_exports', { reportId, waitSeconds: 50 });
  const link = await linkOf(made);
  expect(new URL(link).pathname.length).toBeGreaterThan(1);
  const { body: downloaded } = await made.call('download_export', { reportId });
  expect(downloaded).toMatchObject({ reportId, complete: true });
  // One read of the list served all three.
  expect(made.requests().filter((id) => id === 'listReports').length).toBeLessThanOrEqual(2);
  const { pathname } = new URL(link);
  expect(JSON.stringify([requested, listed, downloaded])).not.toContain(pathname);
  expect(filesOf(made)).not.toContain(pathname);
  await made.composed.close();
  expect(filesOf(made)).not.toContain(pathname);
});

test('a process downloads a report that two others requested and listed', async () => {
  const first = await setup({ processes: processes('first') });
  const second = await setup({ beside: first, processes: processes('second') });
  const third = await setup({ beside: first, processes: processes('third') });
  const { body: requested } = await first.call('request_export', range);
  const { reportId } = requested;
  const { body: listed } = await second.call('list_exports', { reportId, waitSeconds: 50 });
  expect(JSON.stringify(listed)).toContain('Finished');
  const link = await linkOf(second);
  // What the third one finds in the store has no link; the service allows the next read after a minute.
  const early = await third.call('download_export', { reportId });
  if (early.isError) await first.clock.advance(61_000);
  const late = early.isError ? await third.call('download_export', { reportId }) : early;
  expect(late.body).toMatchObject({ reportId, complete: true });
  expect(early.isError ? early.body.code : 'rate_limited').toBe('rate_limited');
  expect(filesOf(first)).not.toContain(new URL(link).pathname);
});
