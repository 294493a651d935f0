/** The parts of a report when the service cannot be reached: none waits for rows that cannot arrive. */
// @module-tag server
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CollectedReport, collectReport } from '../../../src/features/documents/collect-report.ts';
import { toRows } from '../../../src/features/views/model/read-answer.ts';
import { listReportGaps } from '../../../src/features/views/report-page.ts';
import { runCommand } from '../../support/command.ts';
import { type Setup, setup } from '../../support/setup.ts';

const minuteMs = 60_000;
const allParts = ['portfolio', 'dividends', 'gains', 'returns', 'costs'];
const partTitles = ['Portfolio', 'Dividends', 'Realised gains and losses', 'Returns', 'Costs'];

/** Collects for at most four minutes; `told` are the lines of progress. */
async function collect(
  { composed, clock }: Setup,
  onLine: (line: string) => void = () => undefined,
  shutdownSignal = new AbortController().signal,
) {
  const told: string[] = [];
  const collected = await collectReport(composed.services, {
    until: clock.now() + 4 * minuteMs,
    shutdownSignal,
    tell: (line) => {
      told.push(line);
      onLine(line);
    },
  });
  return { ...collected, told };
}

const codesOf = ({ failures }: CollectedReport) => [...new Set(failures.map(({ code }) => code))];

test('a stored history is used without a wait, and marked, when the service is gone', { tags: ['slow'] }, async () => {
  const server = await setup({ limitScale: 0.001 });
  expect(await collect(server)).toMatchObject({ incomplete: undefined, failures: [] });
  await server.simulator.close();
  // Recent responses are returned again, so the service seems to be there for a few seconds.
  await server.clock.advance(10 * minuteMs);
  const collected = await collect(server);
  expect([collected.incomplete, codesOf(collected), collected.told]).toEqual(['failed', ['unreachable'], []]);
  expect(Object.keys(collected.answers)).toEqual(allParts);
  expect(collected.answers.gains).toMatchObject({
    complete: false,
    coverage: { orders: { from: null, error: { code: 'unreachable' } } },
  });
});

test('the wait for a history that is being read ends when the service goes', { tags: ['slow'] }, async () => {
  const server = await setup();
  const startedAt = server.clock.now();
  let isGone = false;
  const collected = await collect(server, (line) => {
    if (isGone || !line.startsWith('Still reading')) return;
    isGone = true;
    void server.simulator.close();
  });
  expect([isGone, collected.incomplete, codesOf(collected)]).toEqual([true, 'failed', ['unreachable']]);
  expect(collected.answers.gains).toMatchObject({ complete: false });
  expect(server.clock.now() - startedAt).toBeLessThan(4 * minuteMs);
});

test('without a stored row every part is the failure', async () => {
  const server = await setup();
  await server.simulator.close();
  const collected = await collect(server);
  expect([collected.incomplete, codesOf(collected), collected.told]).toEqual([undefined, ['unreachable'], []]);
  expect(Object.values(collected.answers).map((answer) => (answer as { code?: string }).code)).toEqual(
    allParts.map(() => 'unreachable'),
  );
  const interrupted = await collect(server, undefined, AbortSignal.abort());
  expect([interrupted.incomplete, codesOf(interrupted)]).toEqual(['interrupted', ['unreachable']]);
});

test('the command prints the failure and its next step once, and ends with 1', { tags: ['slow'] }, async () => {
  const { simulator, stateDir } = await setup();
  await simulator.close();
  const { code, stdout, stderr } = await runCommand(
    ['report', join(stateDir, 'r.html'), '--state-dir', join(stateDir, 'new')],
    {
      HOME: stateDir,
      BROKER_ENV: 'demo',
      BROKER_DEMO_BASE_URL: simulator.origin,
      BROKER_API_KEY: 'key',
      BROKER_API_SECRET: 'secret',
    },
  );
  const failures = stderr.split('\n').filter((line) => line.includes('ECONNREFUSED'));
  expect([code, failures]).toEqual([1, [expect.stringMatching(/ Check the network and the base URL, .+$/)]]);
  // Each part that is missing is named.
  const named = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect(named.map((line) => line.trim().split(':')[0])).toEqual(partTitles);
});

test('the sales of the report are whole and newest first, although a result for a host is cut', {
  tags: ['slow'],
}, async () => {
  const server = await setup({ limitScale: 0.001 });
  const { answers } = await collect(server);
  const { body } = await server.call('summarize_realised_gains', { method: 'broker' });
  const gains = answers.gains as typeof body;
  const days = (rows: unknown[][]) => rows.map(([soldOn]) => soldOn);
  expect(body.rows.length).toBeLessThan(gains.totals.disposals);
  expect(gains.rows).toHaveLength(gains.totals.disposals);
  expect([body.rowCount, gains.rowCount, gains.nextCursor]).toEqual([gains.totals.disposals, undefined, undefined]);
  expect(days(gains.rows)).toEqual(days(gains.rows).sort().reverse());
  expect(body.rows).toEqual(gains.rows.slice(0, body.rows.length));
  const byYear = toRows((gains as { byYear?: unknown }).byYear);
  const years = new Set(days(gains.rows).map((day) => String(day).slice(0, 4)));
  expect(byYear.map(({ year }) => year)).toEqual([...years].reverse());
  expect(byYear.reduce((sum, { disposals }) => sum + Number(disposals), 0)).toBe(gains.totals.disposals);
  expect(listReportGaps(answers)).toEqual([]);
});
