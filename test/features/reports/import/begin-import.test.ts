/** What a call of import_history does to the import that exists. */
import { expect, test } from 'vitest';
import { beginOrContinue } from '../../../../src/features/reports/import/history-import.ts';
import type { ImportRecord } from '../../../../src/features/reports/import/import-record.ts';

const now = Date.parse('2026-11-20T15:00:00.500Z');

const running: ImportRecord = {
  startedAt: now - 60_000,
  until: now - 90_500,
  years: 2,
  phase: 'pages',
  pending: [],
  failed: [],
  useless: ['7'],
  tries: { 7: 1 },
  abandonedFiles: [],
  unread: {},
};

test.each<[string, ImportRecord, number | undefined, ImportRecord]>([
  ['the same years', running, 2, running],
  ['fewer years', running, 1, running],
  ['more years requests reports for them', running, 3, { ...running, years: 3, phase: 'reports' }],
  ['all years requests reports for them', running, undefined, { ...running, years: undefined, phase: 'reports' }],
  [
    'more years of a service that refuses reports reads pages',
    { ...running, isRefused: true },
    3,
    { ...running, isRefused: true, years: 3, phase: 'pages' },
  ],
  ['years where all are read', { ...running, years: undefined }, 9, { ...running, years: undefined }],
])('a running import goes on: %s', (_, before, years, after) => {
  expect(beginOrContinue(before, years, now)).toEqual(after);
});

test.each<[string, ImportRecord | undefined]>([
  ['without one', undefined],
  ['after one that is done', { ...running, phase: 'done' }],
  ['after one of a clock that was ahead', { ...running, until: now + 1 }],
])('an import begins %s, and its reports end a full second before the clocks can differ', (_, before) => {
  const { startedAt, until, years, phase, pending, useless } = beginOrContinue(before, 5, now);
  expect({ startedAt, years, phase, pending, useless }).toEqual({
    startedAt: now,
    years: 5,
    phase: 'reports',
    pending: [],
    useless: [],
  });
  expect(until % 1000).toBe(0);
  expect(until).toBeLessThan(now - 1000);
});
