/**
 * The owner's risk limits from variables or config.json. A missing one keeps its default
 * (orders/intent/risk-limits.ts).
 */
import { UsageError } from '../errors.ts';
import { readFlag, type Values } from './values.ts';

/** The risk limits that are set. Amounts are decimal strings. */
export interface LimitSettings {
  /** Account currency. */
  readonly maxOrderValue?: string;
  readonly maxDayValue?: string;
  readonly maxOrderQuantity?: string;
  readonly ordersPerMinute?: number;
  readonly ordersPerHour?: number;
  readonly ordersPerDay?: number;
  readonly maxPendingPerTicker?: number;
  /** Percent. */
  readonly maxPriceDistance?: string;
  readonly tickers?: readonly string[];
  readonly instrumentTypes?: readonly string[];
  readonly haltOnForeignOrders?: boolean;
}

const amounts = ['maxOrderValue', 'maxDayValue', 'maxOrderQuantity', 'maxPriceDistance'] as const;
const counts = ['ordersPerMinute', 'ordersPerHour', 'ordersPerDay', 'maxPendingPerTicker'] as const;
const lists = ['tickers', 'instrumentTypes'] as const;

/** Returns the limits that are set. Throws a UsageError for an invalid value. */
export function readLimits(values: Values): LimitSettings {
  const limits: Record<string, unknown> = {};
  for (const name of amounts) {
    const value = values[name];
    if (!value) continue;
    // An amount that was accepted but not understood would be a limit without effect.
    if (!/^\d{1,15}(\.\d{1,10})?$/.test(value.text.trim()))
      throw new UsageError(`${value.from} is "${value.text}"`, {
        next: 'it must be a number without sign, such as 2500 or 0.5.',
      });
    limits[name] = value.text.trim();
  }
  for (const name of counts) {
    const value = values[name];
    if (!value) continue;
    if (!/^\d{1,9}$/.test(value.text.trim()))
      throw new UsageError(`${value.from} is "${value.text}"`, { next: 'it must be an integer, such as 20.' });
    limits[name] = Number(value.text);
  }
  for (const name of lists) {
    const value = values[name];
    if (!value) continue;
    const words = value.text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    if (words.length === 0) throw new UsageError(`${value.from} is empty`, { next: 'remove it to use the default.' });
    limits[name] = words;
  }
  if (values.haltOnForeignOrders) limits.haltOnForeignOrders = readFlag(values, 'haltOnForeignOrders');
  return limits;
}
