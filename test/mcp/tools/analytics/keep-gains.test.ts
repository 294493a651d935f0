/** Gains that were computed before are used for the same question alone. */
import { expect, test } from 'vitest';
import { createKeptValues } from '../../../../src/history/kept-values.ts';
import { keepGains } from '../../../../src/mcp/tools/analytics/keep-gains.ts';
import { buy } from '../../../analytics/realized/trades.ts';

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
