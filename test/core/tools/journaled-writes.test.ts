/** What the tools of pies and reports send, and how a lost response is looked up. */
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { WriteRequest } from '../../../src/core/orders/write-journal.ts';
import { createPie, deletePie, duplicatePie, getPie, listPies, updatePie } from '../../../src/core/tools/pie-tools.ts';
import { requestExport } from '../../../src/features/reports/tools/request-export.ts';
import { openMarketsAt } from '../../support/setup.ts';
import { contextOf, runWith, toolCall } from './tool-call.ts';

const sentAt = openMarketsAt;
const iso = (at: number) => new Date(at).toISOString();

/** A call whose writes succeed, and what they are given. */
function callOf(
  result: object = { id: '5' },
  answers: ReadonlyMap<unknown, (args: { id: string }) => unknown> = new Map(),
) {
  const writes: WriteRequest[] = [];
  const asked: unknown[] = [];
  const call = toolCall({
    directory: { getOrThrow: async (ticker: string) => void asked.push(ticker) },
    broker: {
      call: async (endpoint: unknown, args: { id: string }) => ({ data: answers.get(endpoint)?.(args), answeredAt: 5 }),
    },
    history: { reportRequested: async (...noted: unknown[]) => void asked.push(noted) },
    writes: {
      run: async (request: WriteRequest) => {
        writes.push(request);
        return { outcome: 'done', result, answeredAt: 5 };
      },
    },
  });
  return { call, writes, asked };
}

const pie = { name: 'Pie', instrumentShares: { A: 0.5, B: 0.5 } };
const unknown = { changesAccount: true, whenUnknown: 'Check with list_pies whether it happened before you repeat it.' };

test.each([
  [createPie, { ...pie, endDate: 0 }, endpoints.createPie, { body: { ...pie, endDate: iso(0) } }, ['A', 'B']],
  [updatePie, { pieId: '5', ...pie }, endpoints.updatePie, { id: '5', body: pie }, ['A', 'B']],
  [deletePie, { pieId: '5' }, endpoints.deletePie, { id: '5' }, []],
  [duplicatePie, { pieId: '5', name: 'Copy' }, endpoints.duplicatePie, { id: '5', body: { name: 'Copy' } }, []],
])('$name sends each argument once, after its tickers are known', async (tool, args, endpoint, request, tickers) => {
  const { call, writes, asked } = callOf();
  expect(await runWith(tool, args, call)).toEqual({ asOf: 5, fields: { outcome: 'done', result: { id: '5' } } });
  expect(writes).toMatchObject([{ endpoint, request, context: contextOf(), ...unknown }]);
  expect(asked).toEqual(tickers);
});

describe('a pie whose creation had no response', () => {
  const settings =
    (name: string, createdAt: number) =>
    ({ id }: { id: string }) =>
      id === '10' ? { settings: { name, creationDate: iso(createdAt) } } : undefined;

  test('is looked for among all pies, the newest first', async () => {
    const { call, writes } = callOf({}, new Map([[endpoints.listPies, () => [{ id: '9' }, {}, { id: '10' }]]]));
    await runWith(createPie, pie, call);
    expect(await writes[0]?.lookUp?.ids(contextOf())).toEqual(['10', '9']);
    expect(writes[0]?.lookUp?.result('10')).toEqual({ id: '10' });
  });

  test.each([
    ['with its name, of this moment', settings('Pie', sentAt), true],
    ['of a clock that is a minute behind', settings('Pie', sentAt - 59_999), true],
    ['of a minute before', settings('Pie', sentAt - 60_000), false],
    ['with another name', settings('Other', sentAt), false],
    ['without a time', () => ({ settings: { name: 'Pie' } }), false],
    ['without settings', () => ({}), false],
  ])('is a pie %s: %o', async (_, answer, isIt) => {
    const { call, writes } = callOf({}, new Map([[endpoints.getPie, answer]]));
    await runWith(createPie, pie, call);
    expect(await writes[0]?.lookUp?.isIt('10', sentAt, contextOf())).toBe(isIt);
  });
});

test('a pie that was read has its name in the list, beside its figures', async () => {
  const one = {
    id: '5',
    cash: '100',
    progress: '0.5',
    status: 'AHEAD',
    result: { priceAvgInvestedValue: '80', priceAvgValue: '90', priceAvgResult: '10' },
    dividendDetails: { gained: '2' },
  };
  const answers = new Map<unknown, () => unknown>([
    [endpoints.listPies, () => [one]],
    [endpoints.getPie, () => ({ settings: { name: 'Pie' } })],
  ]);
  const { call } = callOf({}, answers);
  const before = await runWith(listPies, {}, call);
  expect({ asOf: before.asOf, fields: before.fields }).toEqual({
    asOf: 5,
    fields: { complete: true, note: expect.stringContaining('once it was read alone') },
  });
  expect(await runWith(getPie, { pieId: '5' }, call)).toEqual({
    asOf: 5,
    fields: { pie: { settings: { name: 'Pie' } } },
  });
  const after = await runWith(listPies, {}, call);
  expect(after.fields).toEqual({ complete: true });
  expect(after.list).toMatchObject({
    columns: [
      'id',
      'name',
      'paidIn',
      'uninvested',
      'progress',
      'status',
      'invested',
      'value',
      'result',
      'dividendsGained',
    ],
    rows: [['5', 'Pie', '100', '20.00', '0.5', 'AHEAD', '80', '90', '10', '2']],
  });
});

describe('request_export', () => {
  const year = { timeFrom: Date.UTC(2025, 0, 1), timeTo: Date.UTC(2026, 0, 1) };

  test('sends the range and each content that was named, and notes when it was requested', async () => {
    const { call, writes, asked } = callOf({ reportId: '3' });
    const { asOf, fields } = await runWith(requestExport, { ...year, include: ['interest', 'transactions'] }, call);
    expect(asOf).toBe(5);
    expect(fields).toEqual({
      outcome: 'done',
      result: { reportId: '3' },
      reportId: '3',
      next: 'Call list_exports with reportId 3 and waitSeconds, then download_export.',
    });
    expect(writes).toMatchObject([
      {
        endpoint: endpoints.requestReport,
        request: {
          body: {
            timeFrom: '2025-01-01T00:00:00.000Z',
            timeTo: '2026-01-01T00:00:00.000Z',
            dataIncluded: {
              includeDividends: false,
              includeInterest: true,
              includeOrders: false,
              includeTransactions: true,
            },
          },
        },
        changesAccount: false,
        whenUnknown: 'Check with list_exports whether it was requested.',
        lookUp: { ids: expect.any(Function) },
      },
    ]);
    expect(asked).toEqual([['3', openMarketsAt]]);
  });

  test('of two years requests two reports, and names each with its range', async () => {
    const { call } = callOf({ reportId: '3' });
    const { fields } = await runWith(
      requestExport,
      { ...year, timeTo: Date.UTC(2027, 0, 1), include: ['orders'] },
      call,
    );
    expect(fields).toMatchObject({
      result: undefined,
      reportId: '3',
      reports: [
        { reportId: '3', timeFrom: '2025-01-01T00:00:00.000Z', timeTo: '2026-01-01T00:00:00.000Z' },
        { reportId: '3', timeFrom: '2026-01-01T00:00:00.000Z', timeTo: '2027-01-01T00:00:00.000Z' },
      ],
      next: 'Call list_exports with reportId 3 and waitSeconds, then download_export for each.',
    });
  });

  test('returns what is left when the rate limit allows no further report', async () => {
    const { call } = callOf({ reportId: '3' });
    const { run } = call.writes;
    let calls = 0;
    const once: typeof run = (request) => {
      if (calls++ > 0) throw new BrokerageError('rate_limited', 'LIMIT', 'LATER');
      return run(request);
    };
    Object.assign(call.writes, { run: once });
    const { fields } = await runWith(
      requestExport,
      { ...year, timeTo: Date.UTC(2027, 0, 1), include: ['orders'] },
      call,
    );
    expect(fields).toMatchObject({
      reportId: '3',
      reports: [{ reportId: '3', timeFrom: '2025-01-01T00:00:00.000Z', timeTo: '2026-01-01T00:00:00.000Z' }],
      complete: false,
      remaining: { timeFrom: '2026-01-01T00:00:00.000Z', timeTo: '2027-01-01T00:00:00.000Z' },
      message: 'The rate limit does not allow the rest of the range to be requested in this call.',
      next: 'Call request_export again with the remaining timeFrom and timeTo.',
    });
  });

  /** The ranges that are requested, with these results in turn. */
  async function request(args: object, ...results: readonly (object | Error)[]) {
    const { call } = callOf();
    const ranges: [from: string, to: string][] = [];
    const left = [...results];
    const run = async ({ request: sent }: { request: { body: { timeFrom: string; timeTo: string } } }) => {
      ranges.push([sent.body.timeFrom.slice(0, 10), sent.body.timeTo.slice(0, 10)]);
      const next = left.shift() ?? { outcome: 'done', result: { reportId: '3' }, answeredAt: 5 };
      if (next instanceof Error) throw next;
      return next;
    };
    Object.assign(call.writes, { run });
    const { fields } = await runWith(requestExport, { include: ['orders'], ...args }, call);
    return { ranges, fields };
  }
  const twoYears = { timeFrom: Date.UTC(2024, 0, 1), timeTo: Date.UTC(2026, 0, 1) };

  test('from 29 February continues at 28 February, so that no part is longer than a year', async () => {
    const { ranges } = await request({ timeFrom: Date.UTC(2024, 1, 29), timeTo: Date.UTC(2026, 0, 1) });
    expect(ranges).toEqual([
      ['2024-02-29', '2025-02-28'],
      ['2025-02-28', '2026-01-01'],
    ]);
  });

  test.each(['unknown', 'rejected'])(
    'requests no more after one that is %s, and offers no download',
    async (outcome) => {
      const { ranges, fields } = await request(twoYears, { outcome, next: 'CHECK IT' });
      expect(ranges).toEqual([['2024-01-01', '2025-01-01']]);
      expect(fields).toEqual({ outcome, next: 'CHECK IT' });
    },
  );

  test('names the reports before one whose response was lost', async () => {
    const done = { outcome: 'done', result: { reportId: '3' }, answeredAt: 5 };
    const { fields } = await request(twoYears, done, { outcome: 'unknown', next: 'CHECK IT' });
    expect(fields).toEqual({ outcome: 'unknown', next: 'CHECK IT', reportId: '3' });
  });

  test.each([
    ['the rate limit has no room for the first', [new BrokerageError('rate_limited', 'LIMIT', 'LATER')]],
    [
      'a later one fails for another reason',
      [{ outcome: 'done', result: { reportId: '3' } }, new BrokerageError('unreachable', 'NO', 'LATER')],
    ],
  ])('is an error when %s', async (_, results) => {
    await expect(request(twoYears, ...results)).rejects.toMatchObject({ next: 'LATER' });
  });

  test.each([
    ['2025-01-01', '2026-01-01', true],
    ['2025-01-01', '2025-01-01', false],
    ['2025-01-02', '2025-01-01', false],
    ['1990-01-01', '2020-01-01', true],
    ['1990-01-01', '2020-01-02', false],
  ])('accepts the range from %s to %s: %s', (timeFrom, timeTo, isValid) => {
    expect(requestExport.input.safeParse({ timeFrom, timeTo, include: ['orders'] }).success).toBe(isValid);
  });

  test.each(['dividends', 'interest', 'orders', 'transactions'])('of %s has these alone', async (name) => {
    const { call, writes } = callOf({ reportId: '3' });
    await runWith(requestExport, { ...year, include: [name] }, call);
    const { dataIncluded } = (writes[0]?.request.body ?? {}) as { dataIncluded?: object };
    const wanted = Object.entries(dataIncluded ?? {}).flatMap(([key, value]) => (value ? [key.toLowerCase()] : []));
    expect(wanted).toEqual([`include${name}`]);
  });
});

describe('the weights of a pie', () => {
  test.each([
    [{ A: 1 }, true],
    [{ A: 0.5, B: 0.5 }, true],
    [{ A: 0.5, B: 0.4995 }, true],
    [{ A: 0.5, B: 0.498 }, false],
    [{ A: 0.5, B: 0.502 }, false],
    [{ A: 0.5 }, false],
    [{}, false],
    [{ A: 1.1 }, false],
  ])('%j are accepted: %s', (instrumentShares, isValid) => {
    expect(createPie.input.safeParse({ name: 'Pie', instrumentShares }).success).toBe(isValid);
  });
});

test('the list of pies says that names are missing while one of them is, and not of one without an id', async () => {
  const lists = [
    [{ id: '5', cash: '80', result: { priceAvgInvestedValue: '80.01' } }, { id: '6' }],
    [{ id: '5' }, {}],
  ];
  const answers = new Map<unknown, () => unknown>([
    [endpoints.listPies, () => lists.shift()],
    [endpoints.getPie, () => ({ settings: { name: 'Pie' } })],
  ]);
  const { call } = callOf({}, answers);
  await runWith(getPie, { pieId: '5' }, call);
  const first = await runWith(listPies, {}, call);
  expect(first.fields).toHaveProperty('note');
  // Shares that cost more than was paid in leave nothing to be told.
  expect(first.list?.rows.map((row) => (row as unknown[]).slice(0, 4))).toEqual([
    ['5', 'Pie', '80', null],
    ['6', null, null, null],
  ]);
  const second = await runWith(listPies, {}, call);
  expect(second.fields).not.toHaveProperty('note');
  expect(second.list?.rows.map((row) => (row as unknown[]).slice(0, 2))).toEqual([
    ['5', 'Pie'],
    [null, null],
  ]);
});

test('a pie is read by its id, and one without a name stays without one in the list', async () => {
  const asked: unknown[] = [];
  const answers = new Map<unknown, () => unknown>([
    [
      endpoints.listPies,
      () => [
        { id: '5', cash: '10', result: { priceAvgInvestedValue: '12' } },
        { id: '6', result: { priceAvgInvestedValue: '1' } },
      ],
    ],
    [endpoints.getPie, () => ({ settings: {} })],
  ]);
  const { call } = callOf({}, answers);
  const { call: send } = call.broker;
  const broker = {
    call: (...given: Parameters<typeof send>) => {
      asked.push(given.slice(0, 2));
      return send(...given);
    },
  };
  await runWith(getPie, { pieId: '5' }, Object.assign(call, { broker }));
  expect(asked).toEqual([[endpoints.getPie, { id: '5' }]]);
  const { fields, list } = await runWith(listPies, {}, call);
  expect(fields?.note).toContain('once it was read alone');
  // Shares that cost more than was paid in leave nothing uninvested, and what was paid in can be unknown.
  const cells = list?.rows.map((row) =>
    ['name', 'paidIn', 'uninvested'].map((name) => (row as unknown[])[(list.columns ?? []).indexOf(name)]),
  );
  expect(cells).toEqual([
    [null, '10', null],
    [null, null, null],
  ]);
});

test('a copy without a name of its own is found by its time alone', async () => {
  const settings = { name: 'WHATEVER', creationDate: iso(sentAt) };
  const { call, writes } = callOf({}, new Map([[endpoints.getPie, () => ({ settings })]]));
  await runWith(duplicatePie, { pieId: '5' }, call);
  expect(await writes[0]?.lookUp?.isIt('10', sentAt, contextOf())).toBe(true);
});
