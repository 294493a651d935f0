import { expect, test } from 'vitest';
import type { HistoricalOrder } from '../../../src/core/endpoints/index.ts';
import { toOrderEvents } from '../../../src/features/watches/row-events.ts';

test('an order that ended without a fill ended now if it was open before, and else when it was created', () => {
  const createdAt = '2026-03-02T10:00:00.000Z';
  const order = { id: '7', ticker: 'XYZ_US_EQ', type: 'LIMIT', status: 'CANCELLED', quantity: '1', createdAt };
  const at = (open: ReadonlySet<string>) =>
    toOrderEvents([{ order } as HistoricalOrder], open, 1_800_000_000_000).map((event) => event.at);
  expect([at(new Set(['7'])), at(new Set())]).toEqual([[1_800_000_000_000], [Date.parse(createdAt)]]);
});
