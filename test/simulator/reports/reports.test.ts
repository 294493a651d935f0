// @module-tag server
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Quirks } from '../../../src/simulator/index.ts';
import { pence, setup } from '../support.ts';

const exports_ = '/equity/history/exports';
const everything = { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true };
const year = { timeFrom: '2025-06-01T00:00:00Z', timeTo: '2026-06-01T00:00:00Z', dataIncluded: everything };

async function finishedCsv(quirks: Partial<Quirks> = {}, included: Partial<typeof everything> = {}, range = {}) {
  const all = await setup({ quirks });
  const { reportId } = (await all.post(exports_, { ...year, ...range, dataIncluded: { ...everything, ...included } }))
    .json;
  await all.clock.advance(20_000);
  const report = (await all.get(exports_)).json.find((one: { reportId: number }) => one.reportId === reportId);
  const answer = await all.send('GET', report.downloadLink, undefined, {});
  const rows: Record<string, string>[] = parse(answer.text, { columns: true, bom: true });
  return { ...all, report, answer, rows };
}

describe('a report', () => {
  test('goes from Queued to Finished within 20 seconds, and has a link only then', async () => {
    const { clock, post, get } = await setup();
    const { reportId } = (await post(exports_, year)).json;
    const seen: [string, boolean][] = [];
    for (let second = 0; second <= 20; second += 5) {
      const [report] = (await get(exports_)).json;
      expect(report).toMatchObject({ reportId, dataIncluded: everything, timeFrom: '2025-06-01T00:00:00.000Z' });
      seen.push([report.status, report.downloadLink !== null]);
      await clock.advance(5000);
    }
    expect(seen).toEqual([
      ['Queued', false],
      ['Processing', false],
      ['Running', false],
      ['Finished', true],
      ['Finished', true],
    ]);
  });

  test('serves CSV without authorisation, and refuses the key', async () => {
    const { report, answer, send, simulator } = await finishedCsv();
    expect(report.downloadLink.startsWith(`${simulator.origin}/`)).toBe(true);
    expect(report.downloadLink).not.toContain('/api/v0');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/csv');
    expect((await send('GET', report.downloadLink, undefined, { authorization: 'Basic eDp5' })).status).toBe(400);
    expect((await send('GET', report.downloadLink.replace(/.$/, '_'), undefined, {})).status).toBe(403);
  });

  test('holds the rows of its range, with the amounts of the books', async () => {
    const { rows, simulator } = await finishedCsv();
    const books = simulator.groundTruth();
    const within = ({ at }: { at: number }) => at >= Date.parse(year.timeFrom) && at < Date.parse(year.timeTo);
    const sum = (amounts: string[]) => amounts.reduce((total, amount) => total + pence(amount), 0n);
    const fills = books.history.filter(within).flatMap(({ fill }) => (fill ? [fill] : []));
    const paid = books.dividends.filter(within);
    const moved = books.transactions.filter(within);
    expect(rows).toHaveLength(fills.length + paid.length + moved.length);
    const totalOf = (action: RegExp) =>
      sum(rows.filter(({ Action }) => action.test(Action ?? '')).map(({ Total }) => Total ?? ''));
    expect(totalOf(/^Dividend/)).toBe(sum(paid.map(({ amount }) => amount)));
    expect(totalOf(/buy$|sell$/)).toBe(sum(fills.map(({ netValue }) => netValue)));
    expect(rows[0]).toHaveProperty('Currency (Price / share)');
    expect(rows.find(({ Action }) => Action === 'Deposit')?.Notes).toContain(',');
  });

  test('contains only the requested data', async () => {
    const { rows } = await finishedCsv(
      {},
      { includeDividends: false, includeOrders: false, includeTransactions: false },
    );
    expect(new Set(rows.map(({ Action }) => Action))).toEqual(new Set(['Interest on cash']));
    expect(Object.keys(rows[0] ?? {})).toEqual(['Action', 'Time', 'ID', 'Total', 'Currency (Total)']);
  });

  test('names a dividend as a sentence, and writes a split as one row or as a close and an open', async () => {
    const range = { timeFrom: '2024-11-21T00:00:00Z', timeTo: '2025-11-21T00:00:00Z' };
    const splits = async (csvSplits: 'one' | 'pair') => {
      const { rows } = await finishedCsv({ csvSplits }, {}, range);
      const actions = rows.map(({ Action }) => Action ?? '');
      expect(actions).toContain('Dividend (Dividends paid by us corporations)');
      expect(actions.filter((action) => /^Dividend \((?![A-Z][a-z ]+\)$)/.test(action))).toEqual([]);
      return rows.filter(({ Action }) => Action?.startsWith('Stock'));
    };
    const [one] = await splits('one');
    const [closed, opened] = await splits('pair');
    expect([one?.Action, closed?.Action, opened?.Action]).toEqual([
      'Stock Split',
      'Stock split close',
      'Stock split open',
    ]);
    const shares = (row: typeof one) => Number(row?.['No. of shares']);
    expect(shares(opened) - shares(closed)).toBeCloseTo(shares(one), 8);
  });

  test('may cover a year and a day and no more, and gets a new id each time', async () => {
    const { post, get } = await setup();
    expect((await post(exports_, { ...year, timeTo: '2026-06-02T00:00:01Z' })).status).toBe(400);
    expect((await post(exports_, { ...year, timeTo: year.timeFrom })).status).toBe(400);
    expect((await post(exports_, { ...year, timeFrom: 'yesterday' })).status).toBe(400);
    const longest = { ...year, timeTo: '2026-06-02T00:00:00Z' };
    const ids = [(await post(exports_, longest)).json.reportId, (await post(exports_, year)).json.reportId];
    expect(new Set(ids).size).toBe(2);
    expect((await get(exports_)).json).toHaveLength(2);
  });

  test.each([
    ['never', 'Running'],
    ['failed', 'Failed'],
    ['canceled', 'Canceled'],
  ] as const)('can end as %s', async (reportOutcome, status) => {
    const { clock, post, get } = await setup({ quirks: { reportOutcome } });
    await post(exports_, year);
    await clock.advance(600_000);
    expect((await get(exports_)).json).toMatchObject([{ status, downloadLink: null }]);
  });

  test('can be forbidden', async () => {
    const { post, get } = await setup({ quirks: { exportsForbidden: true } });
    for (const answer of [await get(exports_), await post(exports_, year)]) {
      expect(answer).toMatchObject({ status: 403, json: { type: '/api-errors/not-available-in-demo-account' } });
    }
  });

  test('can be anywhere in the list', async () => {
    const { clock, post, get } = await setup({ quirks: { reportsShuffled: true } });
    for (let index = 0; index < 6; index++) await post(exports_, year);
    const orders = new Set<string>();
    for (let index = 0; index < 5; index++) {
      orders.add((await get(exports_)).json.map(({ reportId }: { reportId: number }) => reportId).join());
      await clock.advance(1000);
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  test('can have other headers', { tags: ['slow'] }, async () => {
    const first = ({ answer }: { answer: { text: string } }) => answer.text.split('\n')[0] ?? '';
    expect(first(await finishedCsv({ csvTotals: 'inHeader' }))).toMatch(/,Total \(GBP\),(?!Currency \(Total\))/);
    const gross = await finishedCsv({ csvTotals: 'grossNet', csvTimeHeader: 'Time (UTC)', csvBom: true });
    expect(first(gross)).toMatch(
      /^\uFEFFAction,Time \(UTC\),.*,Gross Total,Currency \(Gross Total\),.*,Taxes,Currency \(Taxes\),Net Total,Currency \(Net Total\)$/,
    );
    for (const row of gross.rows.filter(({ Action }) => Action?.endsWith('buy'))) {
      expect(pence(row['Gross Total'] ?? '') + pence(row.Taxes ?? '')).toBe(pence(row['Net Total'] ?? ''));
    }
    expect(first(await finishedCsv({ csvTotals: 'gross' }))).toMatch(
      /,Gross Total,Currency \(Gross Total\),(?!.*(Taxes|Net Total))/,
    );
    expect(first(await finishedCsv({ csvNotes: 'last' }))).toMatch(/,Notes,ID$/);
    expect(first(await finishedCsv({ csvNotes: 'missing' }))).not.toMatch(/Notes|ID/);
  });
});
