/** Reports that lack something: the result says what is missing, and is never reported as complete. */
// @module-tag server
import { expect, test } from 'vitest';
import type { Report } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror } from '../../../src/features/history/mirror-state.ts';
import { importReport } from '../../../src/features/history/reports/import-report.ts';
import type { ReportFile } from '../../../src/features/history/reports/read-report.ts';
import { ask, dayMs, deposit, iso, minuteMs, mirrorOn, startAt } from '../../support/fake-history.ts';
import { type Setup, setup } from '../../support/setup.ts';
import { type Body, ok } from './call-tool.ts';
import { fileOf } from './reports/support.ts';

/** A moment in a sentence. */
const inWords = (at: number) => `${iso(at).slice(0, 10)} ${iso(at).slice(11, 19)} UTC`;

/** A server whose pages end after the first, with a report of 2025; `beforeDownload` breaks what it likes. */
async function withReport(beforeDownload: (made: Setup) => void = () => undefined): Promise<Setup> {
  const made = await setup({ quirks: { failPage: { page: 2, status: 404 } } });
  const include = ['orders', 'dividends', 'transactions', 'interest'];
  const { reportId } = await ok(made, 'request_export', { timeFrom: '2025-01-01', timeTo: '2026-01-01', include });
  await made.clock.advance(minuteMs);
  await ok(made, 'list_exports', { reportId, waitSeconds: 50 });
  beforeDownload(made);
  await ok(made, 'download_export', { reportId });
  made.simulator.faults.length = 0;
  await made.clock.advance(minuteMs);
  return made;
}

const broken = () => {
  throw new BrokerageError('upstream_error', 'It failed.', 'Try again.');
};
const nothing = fileOf([]);
const reportOf = (reportId: string, from: number, to: number): Report =>
  ({
    reportId,
    timeFrom: iso(from),
    timeTo: iso(to),
    dataIncluded: { includeTransactions: true, includeInterest: true },
  }) as Report;

test('rows with only a short name may belong to the requested ticker, so its history is incomplete', {
  tags: ['slow'],
}, async () => {
  const made = await withReport(({ simulator }) =>
    simulator.faults.push({ endpoint: 'listInstruments', kind: 'status', status: 500, times: 9 }),
  );
  const range = { since: '2025-01-01', until: '2026-01-01' };
  const one = await ask(made, { kind: 'dividends', ...range, ticker: 'QNOON_GB_EQ' });
  expect(one.complete).toBe(false);
  expect(one.coverage.missing.join()).toContain('rows with only a short name');
  const all = await ask(made, { kind: 'dividends', ...range });
  expect(all.complete).toBe(true);
});

test('a report does not complete the history of orders, because it holds only executions', {
  tags: ['slow'],
}, async () => {
  const made = await withReport();
  const body = await ask(made, { kind: 'orders', since: '2025-01-01', until: '2025-11-01' });
  expect(body.complete).toBe(false);
  expect(body.coverage.missing.join()).toContain('it does not contain orders that ended otherwise');
});

test('two reports that meet inside a second leave that second out, and the result says so', async () => {
  const store = createMemoryHistory();
  const second = startAt - 10 * dayMs;
  const middle = second + 500;
  const add = (report: Report, name: string) => {
    const row = deposit(second, name, { amount: '1' }) as Body;
    const transactions = [{ kind: 'transactions' as const, row, at: second, line: 2, id: name, tickerIsShort: false }];
    return importReport(store, 'account', report, fileOf(transactions), startAt);
  };
  await add(reportOf('1', middle - dayMs, middle), 'before');
  await add(reportOf('2', middle, middle + dayMs), 'after');
  const { mirror, context } = mirrorOn(store, () => ({
    items: [deposit(startAt, 'head', { amount: '1' })],
    next: { cursor: '1' },
  }));
  const options = { context: context(1_500) };
  const body = await mirror.read(
    { kind: 'transactions', since: middle - dayMs / 2, until: middle + dayMs / 2 },
    options,
  );
  expect(body.coverage.complete).toBe(false);
  expect(body.coverage.missing?.[0]).toContain(`from ${inWords(second)} up to ${inWords(second + 1_000)}`);
});

test.each([
  ['asked for', [startAt, startAt + 15 * dayMs]],
  ['told of', [startAt + 15 * dayMs, startAt]],
])('a report that is found again covers no more than when it was first %s', async (_, moments) => {
  const store = createMemoryHistory();
  const { mirror } = mirrorOn(store, broken);
  for (const at of moments) await mirror.reportRequested('7', at);
  await mirror.importReport(reportOf('7', startAt - 200 * dayMs, startAt + 100 * dayMs), nothing);
  const state = await store.read({ account: 'account', kind: 'transactions' }, (tx) => tx.state());
  expect(state?.reports.map(({ to }) => to)).toEqual([startAt]);
});

test('a row with an unknown action leaves out its second, and the rest of the report is read', async () => {
  const store = createMemoryHistory();
  const [unknownAt, knownAt] = [startAt - 5 * dayMs, startAt - 6 * dayMs];
  const row = deposit(knownAt, 'known', { amount: '1' }) as Body;
  const transactions = [{ kind: 'transactions' as const, row, at: knownAt, line: 2, id: '1', tickerIsShort: false }];
  const unread: ReportFile['unread'] = [
    { line: 3, action: 'Coffee', code: 'unknown_action', reason: '', at: unknownAt + 250, kinds: ['transactions'] },
  ];
  const report = reportOf('1', startAt - 10 * dayMs, startAt);
  const read = fileOf(transactions, unread);
  expect(await importReport(store, 'account', report, read, startAt)).toEqual({
    rows: { transactions: 1 },
    unread: { unknown_action: 1 },
  });
  const { mirror, context } = mirrorOn(store, () => ({
    items: [deposit(startAt, 'head', { amount: '1' })],
    next: { cursor: '1' },
  }));
  const readSince = (since: number) =>
    mirror.read({ kind: 'transactions', since, until: startAt - dayMs }, { context: context(1_500) });
  const around = await readSince(startAt - 7 * dayMs);
  expect(around.rows.map(({ reference, fromReport }) => [reference, fromReport])).toEqual([['rknown', true]]);
  expect(around.coverage.complete).toBe(false);
  expect(around.coverage.missing?.[0]).toContain(`from ${inWords(unknownAt)} up to ${inWords(unknownAt + 1_000)}`);
  expect((await readSince(unknownAt + 1_000)).coverage.complete).toBe(true);
});

test('a report that another process wrote during the import covers nothing', async () => {
  const store = createMemoryHistory();
  const place = { account: 'account', kind: 'transactions' } as const;
  const rows = Array.from({ length: 3 }, (_, index) => ({
    kind: 'transactions' as const,
    row: deposit(startAt - index * dayMs, `${index}`, { amount: '1' }) as Body,
    at: startAt - index * dayMs,
    line: index + 2,
    id: `${index}`,
    tickerIsShort: false,
  }));
  const file: ReportFile = {
    ...fileOf(rows),
    slices: async function* () {
      yield rows;
      await store.change(place, (tx) => tx.put('report:1', [{ ...stored, key: '0000009' }]));
    },
  };
  const stored = { at: 1, ticker: undefined, type: undefined, isFinal: true, segment: 0, data: '{}' };
  const report = reportOf('1', startAt - 10 * dayMs, startAt);
  expect(await importReport(store, 'account', report, file, startAt)).toEqual({
    rows: {},
    reason: 'another process imported it at the same time',
  });
  expect((await store.read(place, (tx) => tx.state()))?.reports ?? []).toEqual([]);
  // The next import replaces what is left.
  expect(await importReport(store, 'account', report, fileOf(rows), startAt)).toEqual({ rows: { transactions: 3 } });
  const state = await store.read(place, (tx) => tx.state());
  expect(state?.reports.map(({ reportId }) => reportId)).toEqual(['1']);
  const everything = { spans: [{ source: 'report:1' as const, from: 0, to: startAt + dayMs }] };
  expect(await store.read(place, (tx) => tx.count(everything))).toBe(3);
});

test('a row without a readable time leaves out the range of its report', async () => {
  const store = createMemoryHistory();
  const [from, to] = [startAt - 10 * dayMs, startAt - dayMs];
  const unread: ReportFile['unread'] = [
    { line: 2, action: 'Deposit', code: 'unreadable_time', reason: '', at: undefined, kinds: ['transactions'] },
  ];
  await importReport(store, 'account', reportOf('1', from, to), fileOf([], unread), startAt);
  const state = await store.read({ account: 'account', kind: 'transactions' }, (tx) => tx.state());
  expect(state?.reports.map(({ holes }) => holes)).toEqual([[{ from, to }]]);
});

test('a page with a row older than the assumed beginning of the history takes the assumption back', async () => {
  const place = { account: 'account', kind: 'transactions' } as const;
  const beginsAt = startAt - 10 * dayMs;
  const readBeginning = async (oldest: number) => {
    const store = createMemoryHistory();
    await store.change(place, (tx) => tx.setState({ ...emptyMirror, beginsAt }));
    const { mirror, context } = mirrorOn(store, () => ({
      items: [deposit(oldest + 1_000, 'newer'), deposit(oldest, 'older')],
      next: { cursor: '1' },
    }));
    await mirror.read({ kind: 'transactions' }, { context: context(1_500) });
    return (await store.read(place, (tx) => tx.state()))?.beginsAt;
  };
  expect(await readBeginning(beginsAt)).toBe(beginsAt);
  expect(await readBeginning(beginsAt - 1_000)).toBeUndefined();
});
