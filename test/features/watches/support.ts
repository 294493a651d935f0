import type { WatchEvent } from '../../../src/features/watches/event.ts';
import type { HeldPrice, PriceReading } from '../../../src/features/watches/find-moves.ts';
import type { Watch } from '../../../src/features/watches/watch-rules.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const start = Date.UTC(2026, 0, 15, 12);

export const halt = (key: string, at: number): WatchEvent => ({ key, kind: 'halt', at, facts: { since: at } });

export const holding = (price: string, change: Partial<HeldPrice> = {}): HeldPrice => ({
  ticker: 'QNOON_GB_EQ',
  name: 'Noon',
  price,
  currency: 'GBX',
  quantity: '10',
  averagePrice: '100',
  ...change,
});

export const prices = (price: string, change: Partial<PriceReading> = {}): PriceReading => ({
  day: '2026-01-15',
  holdings: [holding(price)],
  ...change,
});

export const above = (level: string): Watch => ({
  id: 'w1',
  createdAt: 0,
  kind: 'price',
  ticker: 'QNOON_GB_EQ',
  direction: 'above',
  level,
});

export const below = (level: string): Watch => ({ ...above(level), direction: 'below' }) as Watch;

export const move = (percent: string, ticker?: string): Watch => ({
  id: 'w2',
  createdAt: 0,
  kind: 'move',
  ticker,
  percent,
});
