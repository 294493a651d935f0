/** The record of an import, when a process ended between a request and its response. */
import { expect, test } from 'vitest';
import type { Broker } from '../../../src/broker/types.ts';
import { BrokerageError } from '../../../src/errors.ts';
import {
  type CollectDeps,
  collectFinished,
  listAbandoned,
  type RequestOutcome,
  requestRange,
} from '../../../src/history/import/collect-reports.ts';
import { createImportRecords, type ImportRecord } from '../../../src/history/import/import-record.ts';
import { createMemoryRecords } from '../../../src/store/memory-records.ts';

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
    expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000, tries: 0 }]);
    return { kind: 'requested', reportId: '7' };
  });
  await requestRange(deps, range);
  expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000, tries: 0, reportId: '7' }]);
  expect(told).toEqual([['7', 1_000]]);
});

test('a report whose response was lost is found by its range', async () => {
  const { deps, told, read, collect } = await scene(async () => ({ kind: 'unknown' }), [listed('7', 'Running')]);
  await requestRange(deps, range);
  await collect();
  expect((await read()).pending).toEqual([{ ...range, requestedAt: 1_000, tries: 0, reportId: '7' }]);
  expect(told).toEqual([['7', 1_000]]);
});

test('a request that a later list does not have was never made, and is free again', async () => {
  const { deps, read, collect } = await scene(async () => ({ kind: 'unknown' }));
  await requestRange(deps, range);
  await collect();
  expect((await read()).pending).toEqual([]);
});

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
