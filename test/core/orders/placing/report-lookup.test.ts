/** The report of a request whose response was lost: one with the same range and the same content. */
import { expect, test } from 'vitest';
import { createReportLookUp } from '../../../../src/core/orders/write-journal.ts';
import { context, createBroker, startAt } from './world.ts';

const wanted = {
  timeFrom: '2026-01-01T00:00:00.000Z',
  timeTo: '2026-01-15T00:00:00.000Z',
  dataIncluded: { includeOrders: true, includeDividends: false },
};
const report = { reportId: '5', ...wanted };

const idsOf = (...reports: readonly object[]) => {
  const service = createBroker({ now: () => startAt });
  service.answers.listReports = () => reports;
  return createReportLookUp(wanted, service.broker).ids(context);
};

test.each<[string, object, readonly string[]]>([
  ['has the same range and content', {}, ['5']],
  ['writes the same times in another form', { timeFrom: '2026-01-01T01:00:00+01:00' }, ['5']],
  ['begins at another time', { timeFrom: '2026-01-01T00:00:00.001Z' }, []],
  ['ends at another time', { timeTo: '2026-01-15T00:00:00.001Z' }, []],
  ['has no begin', { timeFrom: undefined }, []],
  ['has no end', { timeTo: undefined }, []],
  ['has more content', { dataIncluded: { includeOrders: true, includeDividends: true } }, []],
  ['has less content', { dataIncluded: { includeOrders: false, includeDividends: false } }, []],
  ['does not say all of its content', { dataIncluded: { includeOrders: true } }, []],
  ['says nothing of its content', { dataIncluded: undefined }, []],
  ['has no id', { reportId: undefined }, []],
])('a report that %s', async (_, change, ids) => {
  expect(await idsOf({ ...report, ...change })).toEqual(ids);
});

test('all reports that match are named, in the sequence of the service', async () => {
  expect(await idsOf(report, { ...report, timeTo: '2026-01-14T00:00:00Z' }, { ...report, reportId: '4' })).toEqual([
    '5',
    '4',
  ]);
});

test('the list is read as the caller says, and a report that matches is the requested one whenever it was made', async () => {
  const service = createBroker({ now: () => startAt });
  service.answers.listReports = () => [];
  const lookUp = createReportLookUp(wanted, service.broker);
  await lookUp.ids(context);
  expect(service.calls).toEqual([{ id: 'listReports', request: {}, context }]);
  expect(await lookUp.isIt('5', startAt, context)).toBe(true);
  expect(lookUp.result('5')).toEqual({ reportId: '5' });
});
