/** The record of an import, when a process ended between a request and its response. */
import { describe, expect, test } from 'vitest';
import type { Broker } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import {
  type CollectDeps,
  collectFinished,
  type RequestOutcome,
  requestRange,
} from '../../../../src/features/reports/import/collect-reports.ts';
import {
  createImportRecords,
  type ImportRecord,
  listAbandoned,
} from '../../../../src/features/reports/import/import-record.ts';

const range = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2025, 0, 1) };
const everything = { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true };
const listed = (reportId: string, status: string) => ({
  reportId,
  status,
  timeFrom: new Date(range.from).toISOString(),
  timeTo: new Date(range.to).toISOString(),
  dataIncluded: everything,
});

/** An import at 1,000 ms whose service returns this to a request, and this list at 60,000 ms. */
async function scene(answer: () => Promise<RequestOutcome>, list: readonly object[] = []) {
  const records = createImportRecords(createMemoryRecords(), 'account');
  const empty: Partial<ImportRecord> = {
    phase: 'reports',
    pending: [],
    failed: [],
    useless: [],
    tries: {},
    abandonedFiles: [],
    unread: {},
  };
  await records.change(() => empty as ImportRecord);
  const told: [string, number][] = [];
  const deps: CollectDeps = {
    broker: { call: async () => ({ data: list, askedAt: 60_000 }) } as unknown as Broker,
    records,
    now: () => 1_000,
    requestReport: answer,
    reportRequested: async (...requested) => void told.push(requested),
    importReport: async () => ({ rows: {} }),
    lacksReport: async () => true,
    context: () => ({ priority: 'read', deadlineAt: 90_000 }),
  };
  const read = async () => (await records.read()) as ImportRecord;
  return { deps, told, read, collect: async () => collectFinished(deps, await read()) };
}

test('a request is recorded before it is sent, and its report id after it', async () => {
  const { deps, told, read } = await scene(async () => {
    expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000 }]);
    return { kind: 'requested', reportId: '7' };
  });
  await requestRange(deps, range);
  expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000, reportId: '7' }]);
  expect(told).toEqual([['7', 1_000]]);
});

test('a report whose response was lost is found by its range', async () => {
  const { deps, told, read, collect } = await scene(async () => ({ kind: 'unknown' }), [listed('7', 'Running')]);
  await requestRange(deps, range);
  await collect();
  expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000, reportId: '7' }]);
  expect(told).toEqual([['7', 1_000]]);
});

test('a request that a later list does not have was never made, and is free again', async () => {
  const { deps, read, collect } = await scene(async () => ({ kind: 'unknown' }));
  await requestRange(deps, range);
  await collect();
  expect((await read()).pending).toEqual([]);
});

test.each(['Failed', 'Canceled'])(
  'a report that ended as %s is counted, and its range is free again',
  async (status) => {
    const { deps, read, collect } = await scene(
      async () => ({ kind: 'requested', reportId: '7' }),
      [listed('7', status)],
    );
    await requestRange(deps, range);
    await collect();
    expect(await read()).toMatchObject({ pending: [], failed: [{ ...range, times: 1 }] });
  },
);

test('a request that was provably not sent leaves no trace', async () => {
  const { deps, read } = await scene(async () => {
    throw new BrokerageError('rate_limited', 'Too many.', 'Wait.');
  });
  await expect(requestRange(deps, range)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await read()).toMatchObject({ pending: [] });
});

test.each([
  ['rejected', { phase: 'reports' }, 1],
  ['forbidden', { phase: 'pages', isRefused: true }, 0],
] as const)('a request that is %s is not repeated', async (kind, record, abandoned) => {
  const { deps, read } = await scene(async () => ({ kind }));
  await requestRange(deps, range);
  expect(await read()).toMatchObject({ ...record, pending: [] });
  expect(listAbandoned(await read()).length).toBe(abandoned);
});

describe('the file of a report', () => {
  const finished = { ...listed('7', 'Finished'), downloadLink: 'https://files.example/7.csv' };
  const file = 'Action,Time,Total,Currency (Total)\nDeposit,2024-06-01 08:00:00,5,GBP\n';
  const shortRows = `Action,Time,Total\n${'a\n'.repeat(2_001)}`;

  /** A scene with a finished report whose link has this file. */
  async function withFile(answer: () => string, own = true) {
    const made = await scene(async () => ({ kind: 'requested', reportId: '7' }));
    let downloads = 0;
    const call = async (endpoint: { id: string }) => {
      if (endpoint.id !== 'reportFile')
        return { data: endpoint.id === 'listReports' ? [finished] : [], askedAt: 60_000 };
      downloads++;
      return { data: answer() };
    };
    const deps: CollectDeps = { ...made.deps, broker: { call } as unknown as Broker };
    if (own) await requestRange(deps, range);
    return { ...made, deps, collect: async () => collectFinished(deps, await made.read()), downloads: () => downloads };
  }

  test('counts a try before it is downloaded, and forgets it after the import', async () => {
    const made = await withFile(() => file);
    let duringImport: unknown;
    const deps: CollectDeps = {
      ...made.deps,
      importReport: async () => {
        duringImport = (await made.read()).tries;
        return { rows: { transactions: 1 } };
      },
    };
    await collectFinished(deps, await made.read());
    expect(duringImport).toEqual({ 7: 1 });
    expect(await made.read()).toMatchObject({ pending: [], tries: {}, abandonedFiles: [] });
  });

  test.each([
    ['requested by this import', true, [{ ...range, times: 2 }]],
    ['of another client', false, []],
  ])('that ended three processes is not tried again, %s', async (_, own, failed) => {
    const made = await withFile(() => {
      throw new Error('the process has ended');
    }, own);
    for (let crashes = 0; crashes < 3; crashes++) await expect(made.collect()).rejects.toThrow();
    expect((await made.read()).tries).toEqual({ 7: 3 });
    await made.collect();
    await made.collect();
    expect(made.downloads()).toBe(3);
    expect(await made.read()).toMatchObject({
      pending: [],
      failed,
      useless: ['7'],
      tries: {},
      abandonedFiles: [{ reportId: '7', ...range, code: 'crashed' }],
    });
  });

  test('that exceeds a bound is given up at once, because it stays the same', async () => {
    const made = await withFile(() => shortRows);
    await made.collect();
    await made.collect();
    expect(made.downloads()).toBe(1);
    const { abandonedFiles, failed } = await made.read();
    expect(abandonedFiles).toMatchObject([
      { reportId: '7', ...range, code: 'unexpected_answer', reportFault: 'too_many_unread_rows' },
    ]);
    expect(failed).toEqual([{ ...range, times: 2 }]);
  });

  test('that cannot be read is downloaded three times, then given up with the reason', async () => {
    const made = await withFile(() => 'Sign in, please');
    for (let lists = 0; lists < 5; lists++) await made.collect();
    expect(made.downloads()).toBe(3);
    expect((await made.read()).abandonedFiles).toMatchObject([{ reportId: '7', code: 'unexpected_answer' }]);
  });

  test.each(['cancelled', 'store_unavailable'] as const)('is not blamed for %s', async (code) => {
    const made = await withFile(() => {
      throw new BrokerageError(code, 'No.', 'Wait.');
    });
    for (let tries = 0; tries < 5; tries++) await expect(made.collect()).rejects.toMatchObject({ code });
    expect(made.downloads()).toBe(5);
    expect(await made.read()).toMatchObject({ tries: {}, abandonedFiles: [], pending: [{ reportId: '7' }] });
  });
});
