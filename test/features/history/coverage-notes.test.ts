import { expect, test } from 'vitest';
import { coverageNote, historyProgress, isBeingRead } from '../../../src/features/history/coverage-notes.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';
import { toolCall } from '../../core/tools/tool-call.ts';

test.each([
  ['one history', { coverage: { complete: false, reading: true } }, true],
  ['one of several', { coverage: { orders: { complete: true }, dividends: { complete: false, reading: true } } }, true],
  ['one that waits for the next question', { coverage: { complete: false, reading: false } }, false],
  ['whole ones', { coverage: { orders: { complete: true } } }, false],
  ['none', { positions: [] }, false],
  ['one that is not known yet', { coverage: null }, false],
  ['an unknown one beside one that is read', { coverage: { orders: null, dividends: { reading: true } } }, true],
  ['a row that has the words in it', { rows: ['"reading":true'], coverage: { complete: true } }, false],
])('a result of %s', (_, body, expected) => {
  expect(isBeingRead(body)).toBe(expected);
});

test('progress of a reading is reported when its kind, its rows or its day changed, and not again at each poll', () => {
  const reported: string[] = [];
  const report = historyProgress(toolCall({ progress: (message: string) => void reported.push(message) }));
  report({ kind: 'orders', rows: 0, from: undefined });
  report({ kind: 'orders', rows: 50, from: '2025-03-01T09:00:00Z' });
  report({ kind: 'orders', rows: 50, from: '2025-03-01T08:00:00Z' });
  report({ kind: 'orders', rows: 50, from: '2025-02-28T08:00:00Z' });
  report({ kind: 'orders', rows: 51, from: '2025-02-28T08:00:00Z' });
  report({ kind: 'dividends', rows: 51, from: '2025-02-28T08:00:00Z' });
  report({ kind: 'orders', rows: 51, from: '2025-02-28T08:00:00Z' });
  expect(reported).toEqual([
    'Read 0 rows of orders',
    'Read 50 rows of orders, back to 2025-03-01',
    'Read 50 rows of orders, back to 2025-02-28',
    'Read 51 rows of orders, back to 2025-02-28',
    'Read 51 rows of dividends, back to 2025-02-28',
  ]);
});

const whole: Coverage = { from: null, complete: true, rows: 9 };
const part: Coverage = { ...whole, complete: false };

test.each<[string, readonly Coverage[], object]>([
  ['whole', [whole, whole], {}],
  ['of no history', [], {}],
  [
    'not whole, for reasons that are named once',
    [whole, { ...part, missing: ['A.', 'B.'] }, { ...part, missing: ['B.'] }],
    { note: 'Not complete. A. B.', next: 'Call again later.' },
  ],
  ['not whole, for no known reason', [part], { note: 'Not complete.', next: 'Call again later.' }],
  [
    'being read',
    [{ ...part, missing: ['A.'], reading: true, nextPageInSeconds: 25 }],
    {
      note: 'Not complete. A.',
      next: 'The rest is loading in the background: call again in 25 s.',
      retryAfterSeconds: 25,
    },
  ],
])('a result that is %s says so, and when to ask again', (_, coverages, fields) => {
  expect(coverageNote(...coverages)).toEqual(fields);
});
