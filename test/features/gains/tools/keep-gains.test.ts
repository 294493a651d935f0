/** Gains that were computed before are used for the same question alone. */
import { expect, test } from 'vitest';
import { keepGains } from '../../../../src/features/gains/tools/gains-inputs.ts';
import { createKeptValues } from '../../../../src/features/history/kept-values.ts';
import { buy } from '../trades.ts';

test('a remark has the day of the zone that the call asks for, and equal calls get the same gains', () => {
  const kept = createKeptValues(1_000_000, () => undefined);
  const history = {
    keep: <Value>(slot: string, version: string, make: () => { value: Value; bytes: number }) =>
      kept.find<Value>(slot, version) ?? kept.keep(slot, version, make()),
  };
  const trades = [buy('2024-06-30T23:30:00Z', 2, 0, { type: 'FREE_SHARES' })];
  const inputs = { version: '1', applied: { trades, options: {}, income: [], remarks: [] } };
  const gainsIn = (zone: string) => keepGains(history, inputs, { method: 'fifo', zone });
  expect(gainsIn('UTC').remarks[0]).toContain('2024-06-30');
  expect(gainsIn('Europe/London').remarks[0]).toContain('2024-07-01');
  expect(gainsIn('UTC')).toBe(gainsIn('UTC'));
  expect(keepGains(history, inputs, { method: 'average', zone: 'UTC' }).method).toBe('average');
  expect(keepGains(history, { ...inputs, version: '2' }, { method: 'fifo', zone: 'UTC' })).not.toBe(gainsIn('UTC'));
});

test('of the gains of all sales one result is kept, and of a range or a ticker one for each question', () => {
  const slots: string[] = [];
  const history = {
    keep: <Value>(slot: string, _: string, make: () => { value: Value; bytes: number }) => {
      slots.push(slot);
      return make().value;
    },
  };
  const inputs = { version: '1', applied: { trades: [], options: {}, income: [], remarks: [] } };
  const all = { method: 'fifo', zone: 'UTC' } as const;
  for (const more of [
    {},
    { zone: 'Europe/London' },
    { since: 1 },
    { since: 2 },
    { ticker: 'A' },
    { since: 1, ticker: 'A' },
  ])
    keepGains(history, inputs, { ...all, ...more });
  expect(slots.slice(0, 2)).toEqual(['gains', 'gains']);
  expect(new Set(slots).size).toBe(5);
});
