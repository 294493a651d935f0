/** The same seed gives the same campaign, as far as two processes can be made to repeat themselves. */
export interface Random {
  /** 0 to 1. */
  next(): number;
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: small, and good enough to choose faults with.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { next, below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}
