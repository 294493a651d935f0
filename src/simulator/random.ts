/** Pseudorandom numbers that depend only on their seed. */

/** Returns a 32-bit hash of a text. */
export function hashText(text: string, seed = 0): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

/** Returns a 32-bit hash of integers. */
export function hashNumbers(a: number, b = 0, c = 0): number {
  return mix(Math.imul(mix(Math.imul(mix(a), 0x9e3779b1) ^ b), 0x85ebca6b) ^ c);
}

function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
  let counter = 0;
  const next = () => hashNumbers(seed, ++counter) / 0x1_0000_0000;
  return {
    next,
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new RangeError('nothing to pick from');
      return value;
    },
    chance: (probability) => next() < probability,
  };
}

/** Returns an identifier in the form of a UUID, derived from a text. */
export function toUuid(text: string): string {
  const hex = [1, 2, 3, 4].map((part) => hashText(text, part).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
