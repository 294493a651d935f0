/** The simulated account between two runs of the program. */
// @module-tag process
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { endpoints } from '../../src/core/endpoints/index.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openMarketsAt } from '../support/setup.ts';

test('the sandbox allows the pages of its whole history at once, and its other limits are those of the specification', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = readConfig(
    { 'state-dir': folder },
    { argv: [], env: { HOME: folder }, platform: 'linux', readFile: () => undefined, getFileMode: () => undefined },
  );
  const composed = createApp(config, { clock: createManualClock({ startAt: openMarketsAt, auto: true }) });
  onTestFinished(() => composed.close());
  const { services } = composed;
  const { signal } = new AbortController();
  await runTool(tools, 'fetch_history', { kind: 'orders', limit: 1 }, services, { signal });
  await runTool(tools, 'list_positions', {}, services, { signal });
  expect(await services.getLimit(endpoints.listHistoricalOrders)).toMatchObject({ requests: 120, periodMs: 60_000 });
  expect(await services.getLimit(endpoints.listPositions)).toMatchObject({ requests: 1, periodMs: 1_000 });
});

test('a report from one run of the sandbox can be downloaded in the next, although its link is gone', {
  tags: ['slow'],
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = readConfig(
    { 'state-dir': folder },
    { argv: [], env: { HOME: folder }, platform: 'linux', readFile: () => undefined, getFileMode: () => undefined },
  );
  const clock = createManualClock({ startAt: openMarketsAt, auto: true });
  /** One tool call in a process of its own. */
  const call = async (name: string, args: object) => {
    const composed = createApp(config, { clock });
    const { signal } = new AbortController();
    const result = await runTool(tools, name, args, composed.services, { signal });
    await composed.close();
    expect(result).toMatchObject({ isError: false });
    return JSON.parse((result as { text: string }).text);
  };
  const range = { timeFrom: '2025-01-01', timeTo: '2025-02-01' };
  const { reportId } = await call('request_export', { ...range, include: ['transactions'] });
  const listed = await call('list_exports', { reportId, waitSeconds: 40 });
  expect(listed.rows[0][listed.columns.indexOf('status')]).toBe('Finished');
  // The link is not stored between the two runs, and the service allows one request for the list per minute.
  await clock.sleep(61_000);
  expect(await call('download_export', { reportId })).toMatchObject({ reportId, complete: true });
});
