/** When a host last asked what changed, and what it was shown, so that it gets only what is new. */

import type { KeyValueStore } from '../../core/broker/types.ts';

/** Percent of the account's value, by ticker; null where a value is unknown. */
export type Weights = Readonly<Record<string, number | null>>;

/** What a host was shown. Times are milliseconds since 1970, UTC. */
export interface Asked {
  /** Everything that the service had until then was read. */
  readonly at: number;
  readonly weights: Weights | undefined;
  /** The names of all changes from `seenFrom` to `at`: a row can come later than its time says. */
  readonly seenFrom: number;
  readonly seen: readonly string[];
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
  /** What the host was shown last; undefined when it never asked. A later page (`isContinued`) has the range of the first. */
  find(host: string, now: number, isContinued?: boolean): Promise<Asked | undefined>;
  /** Records that the host was shown. */
  note(host: string, shown: Asked): Promise<void>;
}

export function createLastAsked(records: KeyValueStore, accountKey: () => Promise<string>): LastAsked {
  const keyOf = async (host: string) => `${await accountKey()} ${host}`;
  return {
    find: async (host, now, isContinued = false) =>
      baseAt(await records.read<Asking>(space, await keyOf(host)), now, isContinued),
    note: async (host, shown) =>
      records.update<Asking, void>(space, await keyOf(host), (asking) => ({
        // A host that asks every few minutes would otherwise never get beyond the first of its questions.
        state:
          asking && asking.last.at <= shown.at && isRepeat(asking, shown.at)
            ? asking
            : { base: baseAt(asking, shown.at), last: shown },
        result: undefined,
      })),
  };
}

const space = 'changes';

const isRepeat = ({ last }: Asking, now: number): boolean => now - last.at < repeatMs;

/** A time in the future is that of a clock that was wrong. */
function baseAt(asking: Asking | undefined, now: number, isContinued = false): Asked | undefined {
  const chosen = asking && (isContinued || isRepeat(asking, now)) ? asking.base : asking?.last;
  return chosen && chosen.at <= now ? chosen : undefined;
}
