/** Bodies that services of this kind have sent, or could send, beside those of the specification. */
import { describe, expect, test } from 'vitest';
import { readData } from '../../../../src/core/broker/response/parse-response.ts';
import { countUnreadable } from '../../../../src/core/endpoints/fields.ts';
import { type Endpoint, type EndpointId, endpoints, type ResponseOf } from '../../../../src/core/endpoints/index.ts';
import { isReady } from '../../../../src/core/endpoints/reports.ts';

const read = <Id extends EndpointId>(id: Id, body: unknown) =>
  readData({ endpoint: endpoints[id] as Endpoint }, JSON.stringify(body)) as ResponseOf<(typeof endpoints)[Id]>;
const unexpected = expect.objectContaining({ code: 'unexpected_answer' });

describe('a list of metadata', () => {
  const good = { ticker: 'ABC_US_EQ', name: 'ABC' };

  test.each([null, 'text', 7, { ticker: 5 }, {}, { unknownField: 1 }])(
    'keeps its readable items, and counts %j as one that is not',
    (bad) => {
      const list = read('listInstruments', [good, bad]);
      expect(list).toMatchObject([good]);
      expect(countUnreadable(list)).toBe(1);
    },
  );

  test('is of another format when more than 5,000 items cannot be read', () => {
    const bad = (count: number) => Array.from({ length: count }, () => null);
    expect(countUnreadable(read('listInstruments', [good, ...bad(5_000)]))).toBe(5_000);
    expect(() => read('listInstruments', [good, ...bad(5_001)])).toThrow(unexpected);
  });

  test('is read without a count when every item is readable', () => {
    expect(countUnreadable(read('listInstruments', { items: [good] }))).toBe(0);
  });

  test('keeps an exchange whose schedule has an unreadable event', () => {
    const timeEvents = [null, { date: '2026-01-05T08:00:00Z', type: 'OPEN' }];
    const [exchange] = read('listExchanges', [{ id: 1, name: 'X', workingSchedules: [null, { id: 2, timeEvents }] }]);
    expect(exchange?.workingSchedules).toMatchObject([{ id: '2', timeEvents: [timeEvents[1]] }]);
  });
});

describe('a list in which every item counts', () => {
  test.each([
    ['listPositions', [null]],
    ['listPendingOrders', [null]],
    ['listPendingOrders', [{ id: 'not a number' }]],
    ['listPositions', [{ order: { id: 1 } }]],
    ['listReports', [{ unknownField: 1 }]],
  ] as const)('is an error as a whole: %s %j', (id, body) => {
    expect(() => read(id, body)).toThrow(unexpected);
  });

  test.each([{}, { nextPagePath: null }, { items: null }])('is an error when a page has no rows: %j', (body) => {
    for (const id of ['listHistoricalOrders', 'listDividends', 'listTransactions'] as const)
      expect(() => read(id, body)).toThrow(unexpected);
  });

  test('is an error when its rows have the shape of another list', () => {
    expect(() => read('listHistoricalOrders', { items: [{ ticker: 'ABC_US_EQ', id: 1 }] })).toThrow(unexpected);
    expect(() => read('listTransactions', { items: [{ order: { id: 1 } }] })).toThrow(unexpected);
    expect(() => read('listDividends', { items: [{ order: { id: 1 } }] })).toThrow(unexpected);
  });

  test('takes a boolean that is written as text', () => {
    expect(read('listPendingOrders', [{ id: 1, extendedHours: 'false' }])).toMatchObject([{ extendedHours: false }]);
  });
});

test.each([{}, { unknownField: 1 }, [], 'text'])('a summary without data is an error: %j', (body) => {
  expect(() => read('getAccountSummary', body)).toThrow(unexpected);
});

test('a pie is read without the shares and issues that are null', () => {
  const pie = read('getPie', {
    settings: { id: 1, instrumentShares: { A: null, B: 0.5 } },
    instruments: [{ ticker: 'B', issues: [null, { name: 'DELISTED' }] }],
  });
  expect(pie.settings?.instrumentShares).toEqual({ B: '0.5' });
  expect(pie.instruments?.[0]?.issues).toEqual([{ name: 'DELISTED' }]);
});

test.each([
  [{ status: 'Finished', downloadLink: '' }, false],
  [{ status: 'Finished', downloadLink: null }, false],
  [{ status: 'Finished', downloadLink: 'https://files.example/1.csv' }, true],
])('a report is ready when it has a link: %j is %s', (body, ready) => {
  const [report] = read('listReports', [{ reportId: 1, ...body }]);
  expect(report && isReady(report)).toBe(ready);
});

test('a shared copy of the list of reports has no link and still says which reports are ready', () => {
  const list = read('listReports', [
    { reportId: 1, status: 'Finished', downloadLink: 'https://files.example/1.csv' },
    { reportId: 2, status: 'Finished' },
  ]);
  const copy = JSON.stringify(endpoints.listReports.toKeep?.(list));
  expect(copy).not.toContain('files.example');
  expect(read('listReports', JSON.parse(copy)).map(isReady)).toEqual([true, false]);
});
