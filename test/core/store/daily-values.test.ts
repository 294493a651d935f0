import { expect, test } from 'vitest';
import { createDailyValues } from '../../../src/core/store/history-table.ts';
import { openMemory } from './support.ts';

test('the last value of each day is kept, and the days of an account are listed oldest first', async () => {
  const values = createDailyValues<{ day: string; total: string }>(await openMemory());
  expect(await values.list('a')).toEqual([]);
  await values.keep('a', { day: '2026-01-02', total: '1' });
  await values.keep('a', { day: '2026-01-01', total: '2' });
  await values.keep('a', { day: '2026-01-02', total: '3' });
  await values.keep('b', { day: '2026-01-02', total: '4' });
  expect(await values.list('a')).toEqual([
    { day: '2026-01-01', total: '2' },
    { day: '2026-01-02', total: '3' },
  ]);
  expect(await values.list('b')).toEqual([{ day: '2026-01-02', total: '4' }]);
});
