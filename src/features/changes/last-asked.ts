/** When a host last asked what changed, and the weights that it was shown, so that it gets only what is new. */

import type { KeyValueStore } from '../../core/broker/types.ts';
import type { Weights } from './find-changes.ts';

export interface Asked {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly weights: Weights;
}

interface Asking {
  /** What a result compares with. */
  readonly base: Asked | undefined;
  readonly last: Asked;
}

/**
 * A question that is asked again within this time has the same result and what came since: a model repeats a call, and
 * a result that was lost must not be the only one.
 */
const repeatMs = 3_600_000;

export interface LastAsked {
  /** What the host was shown last; undefined when it never asked. */
  find(host: string, now: number): Promise<Asked | undefined>;
  /** Records that the host was shown. */
  note(host: string, shown: Asked): Promise<void>;
}

export function createLastAsked(records: KeyValueStore, accountKey: () => Promise<string>): LastAsked {
  const keyOf = async (host: string) => `${await accountKey()} ${host}`;
  return {
    find: async (host, now) => baseAt(await records.read<Asking>(space, await keyOf(host)), now),
    note: async (host, shown) =>
      records.update<Asking, void>(space, await keyOf(host), (asking) => ({
        state: { base: baseAt(asking, shown.at), last: shown },
        result: undefined,
      })),
  };
}

const space = 'changes';

/** A time in the future is that of a clock that was wrong. */
const baseAt = (asking: Asking | undefined, now: number): Asked | undefined => {
  const chosen = asking && now - asking.last.at < repeatMs ? asking.base : asking?.last;
  return chosen && chosen.at <= now ? chosen : undefined;
};
