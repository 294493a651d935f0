/** The daily values of the seeded past, against the books. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { listPastValues, startSimulator } from '../../../src/simulator/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const toUtcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const startAt = Date.parse('2026-11-25T00:00:30Z');

test('the last value is cash and positions of the account when it starts, and the first is the first deposit', {
  tags: ['slow'],
}, async () => {
  let state = '';
  const clock = createManualClock({ startAt });
  const simulator = await startSimulator({
    clock,
    persistence: { load: () => undefined, save: (text) => (state = text) },
  });
  const { cash, positions, transactions, currency } = simulator.groundTruth();
  await simulator.close();
  const values = await listPastValues(state);
  const total = positions.reduce((sum, { currentValue }) => sum.plus(currentValue), new Big(cash.total));
  const last = values.at(-1);
  expect(last).toMatchObject({ day: '2026-11-24', at: Date.parse('2026-11-24T23:59:00Z'), currency });
  // The prices of a minute and a half before.
  expect(new Big(last?.totalValue ?? 0).div(total).minus(1).abs().lt('0.002')).toBe(true);
  const [deposit] = transactions;
  expect(values[0]).toMatchObject({
    day: toUtcDay(deposit?.at ?? 0),
    totalValue: new Big(deposit?.amount ?? 0).toFixed(),
  });
  expect(new Set(values.map(({ day }) => day)).size).toBe(values.length);
});
