/** What happens to an account whose watching processes are killed. */
import type { WatchEvent } from '../../../src/features/watches/event.ts';
import { day, hour, start } from './support.ts';

/** The events of the world that are to arrive. */
export const count = 200;

/** Numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What happens on the account in two days, a quarter of it in one minute; and 20 things before the first sight. */
export function makeWorld(random: () => number): readonly WatchEvent[] {
  const timeOf = (index: number) => {
    if (index >= count) return start - day;
    return start + 1 + Math.floor(index % 4 === 0 ? hour + random() * 60_000 : random() * 2 * day);
  };
  return Array.from({ length: count + 20 }, (_, index) => ({
    key: `order:${index}`,
    kind: index % 3 === 0 ? 'order_rejected' : 'order_filled',
    at: timeOf(index),
    facts: { ticker: `T${index}_US_EQ`, side: 'BUY' },
  }));
}
