/** What the tools of reports ask for, and what they return. */
import { describe, expect, test, vi } from 'vitest';
import { endpoints, reportFile } from '../../../src/core/endpoints/index.ts';
import type { ReportFile } from '../../../src/features/history/reports/read-report.ts';
import { downloadExport, listExports } from '../../../src/features/reports/tools/export-tools.ts';
import { contextOf, runWith, toolCall } from '../../core/tools/tool-call.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';

const report = (status: string, change: object = {}) => ({
  reportId: '3',
  status,
  timeFrom: '2025-01-01T00:00:00Z',
  timeTo: '2026-01-01T00:00:00Z',
  dataIncluded: { includeDividends: true, includeInterest: false, includeOrders: true, includeTransactions: false },
  ...change,
});

const csv = [
  'Action,Time,Ticker,No. of shares',
  '=Deposit,2025-02-03 08:00:00,,',
  'Deposit,2025-02-04 08:00:00,,',
].join('\n');

/** A call that gets these lists of reports, one after the other, and what it asked for. */
function callOf(
  lists: readonly (readonly object[])[],
  added: object = { rows: { transactions: 1 } },
  { signal }: AbortController = new AbortController(),
) {
  const requests: [endpoint: unknown, args: unknown, context: object][] = [];
  const saved: string[] = [];
  const imported: ReportFile[] = [];
  let polls = 0;
  const call = toolCall({
    signal,
    clock: createManualClock({ startAt: openMarketsAt, auto: true }),
    getLimit: async () => ({ requests: 1, periodMs: 30_000, freeInMs: 0 }),
    broker: {
      call: async (endpoint: unknown, args: unknown, context: object) => {
        requests.push([endpoint, args, context]);
        if (endpoint === reportFile) return { data: csv, answeredAt: 9 };
        if (endpoint === endpoints.listInstruments) return { data: [], answeredAt: 8 };
        const data = lists[Math.min(polls++, lists.length - 1)];
        return { data, answeredAt: call.clock.now() };
      },
    },
    exports: {
      save: async (reportId: string, pieces: AsyncIterable<string>) => {
        for await (const piece of pieces) saved.push(piece);
        return `/exports/${reportId}.csv`;
      },
    },
    history: {
      reportRequestedAt: async () => undefined,
      importReport: async (_: object, file: ReportFile) => {
        imported.push(file);
        return added;
      },
    },
  });
  return { call, requests, saved, imported };
}

describe('list_exports', () => {
  test('has a row for each report, and says when an unfinished one can be polled again', async () => {
    const { call } = callOf([[report('Processing')]]);
    const { asOf, fields, list } = await runWith(listExports, {}, call);
    expect({ asOf, fields }).toEqual({
      asOf: openMarketsAt,
      fields: { complete: true, retryAfterSeconds: 30, note: 'The service allows one request per 30 s.' },
    });
    expect(list?.rows).toHaveLength(1);
  });

  test('waits for a report, and polls with the demand for a newer list', async () => {
    const done = report('Finished', { downloadLink: 'https://files.invalid/3' });
    const { call, requests } = callOf([[report('Processing')], [done]]);
    const { asOf, fields } = await runWith(listExports, { reportId: '3', waitSeconds: 40 }, call);
    expect({ asOf, fields }).toEqual({ asOf: openMarketsAt + 30_000, fields: { complete: true } });
    expect(requests.map(([, , context]) => context)).toEqual([
      { ...contextOf({ notBefore: undefined }), needsComplete: false },
      { ...contextOf({ notBefore: openMarketsAt + 1 }), needsComplete: false },
    ]);
  });
});

describe('a list of reports says when it can be polled again', () => {
  const link = { downloadLink: 'https://files.invalid/3' };
  const retryOf = async (reports: readonly object[]) =>
    (await runWith(listExports, {}, callOf([reports]).call)).fields?.retryAfterSeconds;

  test.each([
    ['Failed', {}, undefined],
    ['Canceled', {}, undefined],
    ['Finished', link, undefined],
    ['Finished', {}, 30],
    ['Processing', {}, 30],
    ['Processing', link, 30],
    ['Queued', {}, 30],
  ])('with a report that is %s with %j: in %s seconds', async (status, change, seconds) => {
    expect(await retryOf([report(status, change)])).toBe(seconds);
  });

  test('where one report of several is not ready, and not where there is none', async () => {
    expect(await retryOf([report('Failed'), report('Processing')])).toBe(30);
    expect(await retryOf([])).toBeUndefined();
  });

  test('with the number of requests that the service allows', async () => {
    const { call } = callOf([[report('Processing')]]);
    const getLimit = async () => ({ requests: 2, periodMs: 60_000, freeInMs: 0 });
    expect((await runWith(listExports, {}, Object.assign(call, { getLimit }))).fields).toEqual({
      complete: true,
      retryAfterSeconds: 60,
      note: 'The service allows 2 requests per 60 s.',
    });
  });
});

describe('a call that waits for a report', () => {
  const done = report('Finished', { downloadLink: 'https://files.invalid/3' });
  const other = { ...done, reportId: '2' };

  /** When each poll was made, in milliseconds after the call began, and the ids and states of the reports at the end. */
  async function wait(lists: readonly (readonly object[])[], waitSeconds: number, parts: object = {}) {
    const { call } = callOf(lists);
    const polls: number[] = [];
    const texts: string[] = [];
    const read = call.broker.call;
    const broker = {
      call: (...given: Parameters<typeof read>) => {
        polls.push(call.clock.now() - openMarketsAt);
        return read(...given);
      },
    };
    const progress = (text: string) => void texts.push(text);
    const reply = await runWith(
      listExports,
      { reportId: '3', waitSeconds },
      Object.assign(call, { broker, progress, ...parts }),
    );
    return { polls, texts, rows: reply.list?.rows.map((row) => (row as unknown[]).slice(0, 2)) };
  }

  test('returns that report alone, as it is when the time is over', async () => {
    expect(await wait([[other, report('Processing')]], 40)).toEqual({
      polls: [0, 30_000],
      texts: ['Report 3 is Processing'],
      rows: [['3', 'Processing']],
    });
  });

  test('polls at the end of its time, and not after it', async () => {
    expect((await wait([[report('Processing')]], 30)).polls).toEqual([0, 30_000]);
    expect((await wait([[report('Processing')]], 29)).polls).toEqual([0]);
  });

  test('leaves two seconds for the response', async () => {
    const getLimit = async () => ({ requests: 1, periodMs: 24_000, freeInMs: 0 });
    expect((await wait([[report('Processing')]], 60, { getLimit })).polls).toEqual([0, 24_000, 48_000]);
    const slower = async () => ({ requests: 1, periodMs: 24_500, freeInMs: 0 });
    expect((await wait([[report('Processing')]], 60, { getLimit: slower })).polls).toEqual([0, 24_500]);
  });

  test('polls as often as the limit allows, and at most each two seconds', async () => {
    const getLimit = async () => ({ requests: 6, periodMs: 60_000, freeInMs: 0 });
    expect((await wait([[report('Processing')]], 20, { getLimit })).polls).toEqual([0, 10_000, 20_000]);
    const loose = async () => ({ requests: 60, periodMs: 60_000, freeInMs: 0 });
    expect((await wait([[report('Processing')]], 4, { getLimit: loose })).polls).toEqual([0, 2_000, 4_000]);
  });

  test('waits for one that is not listed yet, and says so', async () => {
    expect(await wait([[other], [other, done]], 40)).toEqual({
      polls: [0, 30_000],
      texts: ['Report 3 is not listed yet'],
      rows: [['3', 'Finished']],
    });
    await expect(wait([[other]], 5)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    [-5_000, 15_000],
    [-20_000, 0],
    [0, 20_000],
    [1, 0],
  ])('for a report that was requested at %s ms polls first at %s ms', async (requestedAt, first) => {
    const history = { reportRequestedAt: async () => openMarketsAt + requestedAt };
    expect((await wait([[done]], 40, { history })).polls).toEqual([first]);
  });
});

describe('download_export', () => {
  const done = [report('Finished', { downloadLink: 'https://files.invalid/3' })];

  test('saves the file without formulas, keeps its rows, and returns where it is with the first rows', async () => {
    const { call, requests, saved, imported } = callOf([done]);
    const { asOf, fields, list } = await runWith(downloadExport, { reportId: '3', previewRows: 1 }, call);
    expect(asOf).toBe(9);
    expect(fields).toEqual({
      reportId: '3',
      path: '/exports/3.csv',
      uri: 'export://3',
      totalRows: 2,
      complete: true,
      markedCells: 1,
      // The report has no column of amounts.
      unreadRows: {
        count: 2,
        rows: [
          { line: 2, action: '=Deposit', code: 'unknown_action', reason: 'its action is unknown' },
          { line: 3, action: 'Deposit', code: 'unreadable_value', reason: 'it has no amount' },
        ],
      },
      keptForHistory: { transactions: 1 },
    });
    expect(list).toMatchObject({
      columns: ['Action', 'Time', 'Ticker', 'No. of shares'],
      rest: 'the file has all rows',
    });
    expect(list?.rows).toHaveLength(1);
    expect(saved.join('')).toContain("'=Deposit");
    expect(imported).toHaveLength(1);
    expect(requests).toEqual([
      [endpoints.listReports, {}, { ...contextOf({ notBefore: undefined }), needsComplete: true }],
      [reportFile, { link: 'https://files.invalid/3' }, contextOf()],
      [endpoints.listInstruments, {}, contextOf({ waitUntil: openMarketsAt + 5_000 })],
    ]);
  });

  test('says why no row was kept for the history', async () => {
    const { call } = callOf([done], { rows: {}, reason: 'it is of another account' });
    expect((await runWith(downloadExport, { reportId: '3' }, call)).fields?.keptForHistory).toEqual({
      reason: 'Nothing: it is of another account.',
    });
  });

  test('of a report that is not finished says when to look again', async () => {
    const { call } = callOf([[report('Processing')]]);
    await expect(runWith(downloadExport, { reportId: '3' }, call)).rejects.toMatchObject({
      code: 'not_found',
      facts: { retryAfterSeconds: 30 },
    });
  });

  test('that is cancelled while the file is read saves nothing and keeps no row', async () => {
    const caller = new AbortController();
    const { call, saved, imported } = callOf([done], undefined, caller);
    const { broker } = call;
    const read = broker.call;
    Object.assign(broker, {
      call: async (...request: Parameters<typeof read>) => {
        // The last request before the file is read.
        if (request[0] === endpoints.listInstruments) caller.abort();
        return read(...request);
      },
    });
    const save = vi.spyOn(call.exports, 'save');
    await expect(runWith(downloadExport, { reportId: '3' }, call)).rejects.toMatchObject({ code: 'cancelled' });
    expect(save).not.toHaveBeenCalled();
    expect([saved, imported]).toEqual([[], []]);
  });
});

describe('a list of reports', () => {
  test('has each fact of a report under its name', async () => {
    const { list } = await runWith(listExports, {}, callOf([[report('Finished')]]).call);
    const [row] = (list?.rows ?? []) as unknown[][];
    expect(Object.fromEntries((list?.columns ?? []).map((name, at) => [name, row?.[at]]))).toEqual({
      reportId: '3',
      status: 'Finished',
      timeFrom: '2025-01-01T00:00:00Z',
      timeTo: '2026-01-01T00:00:00Z',
      downloadReady: false,
      includeDividends: true,
      includeInterest: false,
      includeOrders: true,
      includeTransactions: false,
    });
  });

  test('is as old as it is, however long the call may wait', async () => {
    expect((await runWith(listExports, { waitSeconds: 5 }, callOf([[report('Processing')]]).call)).asOf).toBe(
      openMarketsAt,
    );
  });
});

describe('the wait for a report', () => {
  /** When the list was read, with a report that was requested this many ms ago and is ready in the second list. */
  const readsOf = async (requestedAgoMs: number | undefined, limit: object = {}) => {
    const done = report('Finished', { downloadLink: 'https://files.invalid/3' });
    const { call } = callOf([[report('Processing')], [done]]);
    const read = call.broker.call;
    const times: number[] = [];
    Object.assign(call.broker, {
      call: (...request: Parameters<typeof read>) => {
        times.push(call.clock.now() - openMarketsAt);
        return read(...request);
      },
    });
    Object.assign(call.history, {
      reportRequestedAt: async () => (requestedAgoMs === undefined ? undefined : openMarketsAt - requestedAgoMs),
    });
    Object.assign(call, { getLimit: async () => ({ requests: 1, periodMs: 10_000, freeInMs: 0, ...limit }) });
    await runWith(listExports, { reportId: '3', waitSeconds: 45 }, call);
    return times;
  };

  test.each([
    ['that was requested a moment ago begins with the time that a report takes', 5_000, {}, [15_000, 25_000]],
    ['that was requested long ago begins at once', 20_000, {}, [0, 10_000]],
    ['that another clock requested later begins at once', -5_000, {}, [0, 10_000]],
    ['that nobody here requested begins at once', undefined, {}, [0, 10_000]],
    ['goes on when the rate limit allows a request', undefined, { freeInMs: 12_000 }, [0, 12_000]],
  ])('%s', async (_, requestedAgoMs, limit, times) => {
    expect(await readsOf(requestedAgoMs, limit)).toEqual(times);
  });
});

describe('a report without a file', () => {
  test.each([
    ['Failed', 'Request the report again.'],
    ['Canceled', 'Request the report again.'],
    ['Processing', 'Check again with list_exports in 30 s.'],
  ])('that is %s says so, and what to do', async (status, next) => {
    await expect(runWith(downloadExport, { reportId: '3' }, callOf([[report(status)]]).call)).rejects.toMatchObject({
      code: 'not_found',
      message: `Report 3 has no file: its status is ${status}.`,
      next,
    });
  });
});

test('a download counts all rows that could not be read and shows five, and marks no cell without need', async () => {
  const { call } = callOf([[report('Finished', { downloadLink: 'https://files.invalid/3' })]]);
  const lines = Array.from({ length: 7 }, () => 'Deposit,2025-02-04 08:00:00,,');
  const read = call.broker.call;
  Object.assign(call.broker, {
    call: async (...request: Parameters<typeof read>) =>
      request[0] === reportFile
        ? { data: ['Action,Time,Ticker,No. of shares', ...lines].join('\n'), answeredAt: 9 }
        : read(...request),
  });
  const { fields } = await runWith(downloadExport, { reportId: '3' }, call);
  const unread = fields?.unreadRows as { count: number; rows: unknown[] } | undefined;
  expect([unread?.count, unread?.rows.length]).toEqual([7, 5]);
  expect(fields).not.toHaveProperty('markedCells');
});
