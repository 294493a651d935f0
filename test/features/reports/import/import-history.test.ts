/** The import of a long history through reports, against the simulated service in simulated time. */
// @module-tag server
import { expect, test } from 'vitest';
import type { ImportProgress } from '../../../../src/features/reports/import/history-import.ts';
import { openMarketsAt, type Setup, setup } from '../../../support/setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

async function ok({ call }: Setup, tool: string, args: Record<string, unknown> = {}): Promise<Body> {
  const { isError, body } = await call(tool, args);
  expect(isError, JSON.stringify(body)).toBe(false);
  return body;
}

/** Calls the tool until the import is complete. */
async function callUntilDone(made: Setup): Promise<Body> {
  for (let calls = 0; calls < 40; calls++) {
    const body = await ok(made, 'import_history');
    if (body.complete) return body;
    await made.clock.advance(body.retryAfterSeconds * 1000);
  }
  throw new Error('The import did not end.');
}

/** Runs an import to its end. It waits in real time, because its own sleeps would move the simulated time. */
async function runImport({ composed }: Setup, years?: number): Promise<ImportProgress> {
  const { historyImport } = composed.services;
  await historyImport.start(years);
  for (;;) {
    const progress = await historyImport.progress();
    if (progress && (progress.isDone || !progress.isRunning)) return progress;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const count = (made: Setup, endpoint: string) => made.requests().filter((id) => id === endpoint).length;

/** The ranges that were requested, newest first, as days. */
const requestedRanges = (made: Setup): string[] =>
  made.simulator
    .groundTruth()
    .reports.map(({ timeFrom, timeTo }) => `${new Date(timeFrom).toISOString()}/${new Date(timeTo).toISOString()}`);

const questions: readonly (readonly [string, Record<string, unknown>])[] = [
  ['summarize_realised_gains', { method: 'uk_section_104' }],
  ['summarize_realised_gains', { method: 'fifo' }],
  ['summarize_realised_gains', { method: 'broker' }],
  ['summarize_dividends', { groupBy: 'ticker' }],
  ['summarize_dividends', { groupBy: 'type' }],
  ['summarize_costs', { groupBy: 'name' }],
  ['summarize_costs', { groupBy: 'ticker' }],
  ['calculate_returns', {}],
];

/** Fields that depend on the time of the call, because prices move. */
const ofTheMoment = new Set(['asOf', 'coverage', 'gain', 'gainPercent', 'moneyWeighted', 'trailingTwelveMonths']);
/** `trades` counts the rows of a split, which are one or two. */
const ofTheForm = new Set(['value', 'valueAt', 'note', 'trades']);

/** Every answer once nothing is missing, without what depends on the time of the call. */
async function askAll(made: Setup): Promise<Body[]> {
  const answers: Body[] = [];
  for (const [tool, args] of questions) {
    let body: Body;
    do {
      body = await ok(made, tool, args);
      if (!body.complete) await made.clock.advance(30_000);
    } while (!body.complete);
    const fields = Object.entries(body).filter(([name]) => !ofTheMoment.has(name) && !ofTheForm.has(name));
    answers.push([tool, args, Object.fromEntries(fields)]);
  }
  return answers;
}

test.each([
  ['', {}],
  [
    ' of another form',
    {
      csvSplits: 'pair',
      csvTotals: 'grossNet',
      csvNotes: 'missing',
      csvTimeHeader: 'Time (UTC)',
      csvBom: true,
      reportsShuffled: true,
    },
  ],
] as const)('figures are equal to the penny from pages and from reports%s', { tags: ['slow'] }, async (_, quirks) => {
  const refused = await setup({ quirks: { exportsForbidden: true } });
  expect((await runImport(refused)).way).toBe('pages');
  const made = await setup({ quirks });
  await runImport(made);
  expect(count(made, 'listHistoricalOrders')).toBe(1);
  expect(await askAll(made)).toEqual(await askAll(refused));
  // Each question reads the newest page at most.
  expect(count(made, 'listHistoricalOrders')).toBeLessThanOrEqual(1 + questions.length);
  expect(made.simulator.log.filter((request) => request.refused)).toEqual([]);
});

test('the tax of dividends is the same, whether pages or reports were read first', { tags: ['slow'] }, async () => {
  const askTaxes = async (made: Setup) => {
    const bodies = [];
    for (const groupBy of ['country', 'treatment']) {
      const { columns, rows } = await ok(made, 'summarize_dividends', { groupBy, until: '2026-01-01' });
      bodies.push({ columns, rows });
    }
    return bodies;
  };
  const readPages = async (made: Setup) => {
    while (!(await ok(made, 'fetch_history', { kind: 'dividends', waitSeconds: 50 })).complete)
      await made.clock.advance(30_000);
  };
  const pagesFirst = await setup();
  await readPages(pagesFirst);
  const unknown = ({ columns, rows }: Body) =>
    rows.reduce((sum: number, row: Body[]) => sum + row[columns.indexOf('withheldUnknown')], 0);
  expect(unknown((await askTaxes(pagesFirst))[0])).toBeGreaterThan(0);
  await runImport(pagesFirst);
  const reportsFirst = await setup();
  await runImport(reportsFirst);
  const byReports = await askTaxes(reportsFirst);
  expect(byReports.map(unknown)).toEqual([0, 0]);
  expect(await askTaxes(pagesFirst)).toEqual(byReports);
  // Pages that are read later leave it as it is.
  await readPages(reportsFirst);
  expect(await askTaxes(reportsFirst)).toEqual(byReports);
  // Every dividend has its tax now, so another import requests nothing.
  const requested = requestedRanges(pagesFirst).length;
  await pagesFirst.clock.advance(600_000);
  await runImport(pagesFirst);
  expect(requestedRanges(pagesFirst).length).toBe(requested);
});

test('a fill that is in a page and in a report is one row', { tags: ['slow'] }, async () => {
  const made = await setup({ quirks: { failPage: { page: 4, status: 404 } } });
  // Three pages are read before the reports, and stay the source of their rows.
  const first = await ok(made, 'fetch_history', { kind: 'orders', limit: 100, waitSeconds: 20 });
  expect(first.complete).toBe(false);
  await runImport(made);
  const { composed, clock } = made;
  const context = { priority: 'read' as const, deadlineAt: clock.now() + 60_000 };
  const { rows, coverage } = await composed.services.history.read({ kind: 'orders' }, { context });
  expect(coverage).toMatchObject({ complete: true, from: null });
  const ids = rows.flatMap(({ fill }) => fill?.id ?? []);
  const sources = new Set(rows.filter(({ fill }) => fill).map(({ fromReport }) => fromReport));
  const fills = made.simulator.groundTruth().history.flatMap(({ fill }) => (fill ? [String(fill.id)] : []));
  expect(sources).toEqual(new Set([true, undefined]));
  expect(ids.toSorted()).toEqual(fills.toSorted());
});

test('an import requests each year once, from the newest back to two that are empty', { tags: ['slow'] }, async () => {
  const made = await setup();
  const done = await runImport(made);
  const ranges = made.simulator.groundTruth().reports;
  const until = openMarketsAt - 15 * 60_000;
  const year = (back: number) => new Date(until).setUTCFullYear(2026 - back);
  // The seeded history begins three years ago.
  expect(ranges.map(({ timeFrom, timeTo }) => [timeFrom, timeTo])).toEqual(
    [0, 1, 2, 3, 4].map((back) => [year(back + 1), year(back)]),
  );
  expect(done).toMatchObject({ isDone: true, way: 'reports', years: { ready: 5, expected: 5 } });
  const { history, dividends, transactions } = made.simulator.groundTruth();
  const fills = history.filter(({ fill }) => fill);
  expect(done.rows).toBeGreaterThanOrEqual(fills.length + dividends.length + transactions.length);
  // A second import finds everything, and requests nothing.
  await made.clock.advance(600_000);
  expect(await callUntilDone(made)).toMatchObject({ complete: true, years: { ready: 5 } });
  expect(requestedRanges(made).length).toBe(5);
});

test('a call returns before the import is complete, and another process continues it', { tags: ['slow'] }, async () => {
  const first = await setup();
  const early = await ok(first, 'import_history');
  expect(early).toMatchObject({ complete: false, way: 'reports' });
  expect(early.secondsLeft).toBeGreaterThan(0);
  await first.composed.services.historyImport.close();
  const second = await setup({ beside: first });
  expect(await callUntilDone(second)).toMatchObject({ complete: true });
  const { reports } = second.simulator.groundTruth();
  // Each year begins where the next one was requested to end, so none was requested twice.
  expect(reports.slice(1).map(({ timeTo }) => timeTo)).toEqual(reports.slice(0, -1).map(({ timeFrom }) => timeFrom));
});

test('a request whose response was lost is found in the list, and not sent again', { tags: ['slow'] }, async () => {
  const made = await setup();
  made.simulator.faults.push({ endpoint: 'requestReport', kind: 'resetAfterRead', times: 1 });
  await runImport(made, 1);
  expect(requestedRanges(made)).toHaveLength(1);
});

test('reports that another client requested are used', { tags: ['slow'] }, async () => {
  const made = await setup();
  const dataIncluded = {
    includeDividends: true,
    includeInterest: true,
    includeOrders: true,
    includeTransactions: true,
  };
  const year = { timeFrom: '2024-01-15T14:45:00.000Z', timeTo: '2025-01-15T14:45:00.000Z' };
  await fetch(`${made.simulator.origin}/api/v0/equity/history/exports`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('test-key:test-secret').toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...year, dataIncluded }),
  });
  await made.clock.advance(60_000);
  await runImport(made);
  const [other, ...own] = made.simulator.groundTruth().reports;
  const overlap = own.filter(
    ({ timeFrom, timeTo }) => timeFrom < (other?.timeTo ?? 0) && timeTo > (other?.timeFrom ?? 0),
  );
  // Nobody knows when the other client requested it, so it counts up to its newest row only.
  const newestAt = Math.max(
    ...made.simulator
      .groundTruth()
      .transactions.concat(made.simulator.groundTruth().dividends as never)
      .map(({ at }) => at)
      .filter((at) => at < (other?.timeTo ?? 0)),
  );
  for (const { timeFrom } of overlap) expect(timeFrom).toBeGreaterThanOrEqual(newestAt - 1000);
});

test('where the service refuses reports, pages are read, and the result says so', { tags: ['slow'] }, async () => {
  const made = await setup({ quirks: { exportsForbidden: true } });
  const done = await callUntilDone(made);
  expect(done).toMatchObject({ complete: true, way: 'pages' });
  expect(done.note).toContain('refuses reports');
  expect(count(made, 'requestReport')).toBe(0);
  const body = await ok(made, 'summarize_costs', { groupBy: 'year' });
  expect(body.complete).toBe(true);
});

async function expectPagesAfter(reportOutcome: 'failed' | 'never') {
  const made = await setup({ quirks: { reportOutcome } });
  await runImport(made, 1);
  const ranges = requestedRanges(made);
  expect([ranges.length, new Set(ranges).size]).toEqual([2, 1]);
  const body = await ok(made, 'summarize_costs', { groupBy: 'year', since: '2025-02-01' });
  expect(body.complete).toBe(true);
}

test('a report that fails is requested again once, then its pages are read', { tags: ['slow'] }, () =>
  expectPagesAfter('failed'),
);

test('so is a report that is never ready', { tags: ['slow'] }, () => expectPagesAfter('never'));

test('years bounds the reports and the pages', { tags: ['slow'] }, async () => {
  const made = await setup();
  const done = await runImport(made, 2);
  expect(done.years).toEqual({ requested: 2, ready: 2, expected: 2 });
  expect(requestedRanges(made).length).toBe(2);
  expect(count(made, 'listHistoricalOrders')).toBe(1);
  const body = await ok(made, 'summarize_dividends', { groupBy: 'year', since: '2024-06-01', until: '2025-12-01' });
  expect(body.complete).toBe(true);
  // A longer import requests only the rest.
  await runImport(made, 3);
  expect(requestedRanges(made).length).toBe(3);
});

const askCosts = (made: Setup) => ok(made, 'summarize_costs', { groupBy: 'year' });

/** The answer to a question over a history of which more than a page is read. */
async function askFirst(made: Setup): Promise<Body> {
  let body: Body;
  do body = await askCosts(made);
  while (body.coverage.orders.rows < 100);
  return body;
}

test('the first question over a long history names the import and how long each way takes', async () => {
  const { next } = await askFirst(await setup());
  expect(next).toMatch(
    /Pages take about 200 s per 1000 rows; import_history takes about 30 s per year, through reports\./,
  );
});

test('a question after the import does not name it, nor does one to a read-only server', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await runImport(made);
  expect(await askCosts(made)).not.toHaveProperty('next');
  const body = await askFirst(await setup({ config: { readOnly: true } }));
  expect([body.complete, body.next.includes('import_history')]).toEqual([false, false]);
});
