import { expect, test } from 'vitest';
import { getRetryAfter } from '../../../src/features/history/coverage-notes.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';

const read = (change: Partial<Coverage> = {}): Coverage => ({ complete: false, rows: 1, reading: true, ...change });

test.each<[string, readonly Coverage[], number | undefined]>([
  ['nothing is read', [], undefined],
  ['no history is being read', [read({ reading: false, nextPageInSeconds: 40 })], undefined],
  ['a page can be read at once', [read()], 10],
  ['a page can be read in nine seconds', [read({ nextPageInSeconds: 9 })], 10],
  ['a page can be read in eleven seconds', [read({ nextPageInSeconds: 11 })], 11],
  ['the later of two can be read in forty', [read({ nextPageInSeconds: 40 }), read({ nextPageInSeconds: 20 })], 40],
  ['a history that waits is not being read', [read(), read({ reading: false, nextPageInSeconds: 40 })], 10],
])('the time to call again when %s', (_, coverages, expected) => {
  expect(getRetryAfter(coverages)).toBe(expected);
});
