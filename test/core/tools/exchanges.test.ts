/** list_exchanges: one line answers whether a market is open; schedules and events are returned on request. */
// @module-tag server
import { expect, test } from 'vitest';
import { against } from '../../support/fake-history.ts';

/** The clock of the test begins on Thursday 15 January 2026, 15:00 UTC. */
const schedule = (id: number, ...events: [string, string][]) => ({
  id,
  timeEvents: events.map(([date, type]) => ({ date: `2026-01-${date}:00Z`, type })),
});
const open = (id: number) =>
  schedule(id, ['15T08:00', 'OPEN'], ['15T16:30', 'CLOSE'], ['16T08:00', 'OPEN'], ['16T16:30', 'CLOSE']);
const closed = (id: number) =>
  schedule(id, ['15T08:00', 'OPEN'], ['15T12:00', 'CLOSE'], ['16T09:00', 'OPEN'], ['16T12:00', 'CLOSE']);
const exchanges = [
  { id: 1, name: 'Alder', workingSchedules: [open(11), open(12)] },
  { id: 2, name: 'Birch', workingSchedules: [open(21), closed(22)] },
  { id: 3, name: 'Cedar', workingSchedules: [closed(31)] },
];
const instruments = [{ ticker: 'B_US_EQ', name: 'Birch', type: 'STOCK', currencyCode: 'USD', workingScheduleId: 22 }];

const list = async (args: Record<string, unknown>) => {
  const made = await against((path) => ({ body: path.endsWith('/exchanges') ? exchanges : instruments }));
  return (await made.call('list_exchanges', args)).body;
};

test('each exchange has one line: open or not, and its next event', async () => {
  const body = await list({});
  expect(body.columns).toEqual(['exchange', 'open', 'nextEvent', 'nextAt', 'nextOpenAt']);
  expect(body.rows).toEqual([
    ['Alder', 'yes', 'CLOSE', '2026-01-15T16:30:00.000Z', null],
    ['Birch', 'partly', 'CLOSE', '2026-01-15T16:30:00.000Z', null],
    ['Cedar', 'no', 'OPEN', '2026-01-16T09:00:00.000Z', '2026-01-16T09:00:00.000Z'],
  ]);
  expect(body).not.toHaveProperty('note');
});

test('detailed returns each schedule, and says what a schedule is', async () => {
  const body = await list({ responseFormat: 'detailed' });
  expect(body.rows.map(([exchange, id, openNow]: unknown[]) => [exchange, id, openNow])).toEqual([
    ['Alder', '11', true],
    ['Alder', '12', true],
    ['Birch', '21', true],
    ['Birch', '22', false],
    ['Cedar', '31', false],
  ]);
  expect(body.note).toBe('An exchange has a schedule for each group of its instruments; a ticker has one of them.');
});

test('a ticker has one schedule, with its events', async () => {
  const body = await list({ ticker: 'B_US_EQ' });
  expect(body.rows).toHaveLength(1);
  expect(body.rows[0].slice(0, 3)).toEqual(['Birch', '22', false]);
  expect(body.events.rows).toEqual([
    ['Birch', '22', '2026-01-16T09:00:00.000Z', 'OPEN'],
    ['Birch', '22', '2026-01-16T12:00:00.000Z', 'CLOSE'],
  ]);
});

test('days without a ticker returns the events of all schedules as rows', async () => {
  const body = await list({ days: 1 });
  expect(body.columns).toEqual(['exchange', 'scheduleId', 'at', 'event']);
  expect(body.rows.filter(([exchange]: unknown[]) => exchange === 'Alder')).toEqual([
    ['Alder', '11', '2026-01-15T16:30:00.000Z', 'CLOSE'],
    ['Alder', '11', '2026-01-16T08:00:00.000Z', 'OPEN'],
    ['Alder', '12', '2026-01-15T16:30:00.000Z', 'CLOSE'],
    ['Alder', '12', '2026-01-16T08:00:00.000Z', 'OPEN'],
  ]);
});
