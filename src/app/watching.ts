/** Connects what watches the account with the store, the service and the tools. */

import type { Broker } from '../core/broker/types.ts';
import { ExpectedError } from '../core/errors.ts';
import { isLeaseHeld } from '../core/lease.ts';
import type { RunTool } from '../core/mcp/run-tool.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import { toIsoTimestamp } from '../core/text/dates.ts';
import type { SubmissionDeps } from '../features/drafts/submission/submission.ts';
import type { History } from '../features/history/history-port.ts';
import type { Delivery } from '../features/watches/delivery-rules.ts';
import type { ListEvents } from '../features/watches/event-feed.ts';
import { createFailedWays, listFailedWays, type ShownFailure } from '../features/watches/failed-ways.ts';
import type { Sight } from '../features/watches/find-events.ts';
import type { Channel } from '../features/watches/notify/channel.ts';
import { createChannels } from '../features/watches/notify/channels.ts';
import type { Digest } from '../features/watches/say-event.ts';
import { createWatchBook, type WatchBook } from '../features/watches/watch-book.ts';
import { nameWatchLease, type WatchLoopDeps } from '../features/watches/watch-loop.ts';
import type { Watch } from '../features/watches/watch-rules.ts';
import type { KeptEvent, WatchStore } from '../features/watches/watch-store.ts';
import type { OpenedStore } from './open-app-store.ts';

/** What watches the account of a process. Creating it watches nothing. */
export interface Watching {
  readonly book: WatchBook;
  readonly accountKey: () => Promise<string>;
  /** Throws `store_unavailable`. */
  readonly listEvents: ListEvents;
  /** The ways that failed and need other settings. */
  listFailures(): Promise<readonly ShownFailure[]>;
  /** The parts of a loop that sends through these channels. `run` calls a tool. */
  connect(channels: readonly Channel[], run: RunTool, onFailure?: (failure: ShownFailure) => void): WatchLoopDeps;
}

/** The ways in which this process can notify its owner. */
export const openChannels = (config: Config, { env }: Pick<ProcessContext, 'env'>): readonly Channel[] =>
  createChannels(config, { env });

/** The account as a notification names it. */
export const placeOf = ({ environment, account }: Pick<Config, 'environment' | 'account'>) => ({
  environment,
  account: account?.isOneOfSeveral ? account.name : undefined,
});

export function createWatching(
  { store: opened, processes, activity }: OpenedStore,
  deps: {
    readonly config: Config;
    readonly broker: Broker;
    readonly history: History;
    readonly drafts: SubmissionDeps;
    readonly accountKey: () => Promise<string>;
  },
): Watching {
  const { config, broker, history, drafts, accountKey } = deps;
  const { clock, realClock, records } = opened;
  const { environment, taxZone } = config;
  const lease = { records, realClock, processes };
  const store: WatchStore = opened.watches<Watch, Sight, KeptEvent, Delivery>();
  return {
    accountKey,
    book: createWatchBook({
      store,
      clock,
      accountKey,
      isWatched: (key) => isLeaseHeld(lease, nameWatchLease(key)),
    }),
    listEvents: async (filter) => {
      const account = await accountKey();
      return store.read((tx) => tx.listEvents(account, filter));
    },
    listFailures: () => listFailedWays(records, environment),
    connect: (channels, run, onFailure) => {
      activity.isWatching = true;
      return {
        sight: { broker, history, store: drafts.store, clock, taxZone },
        delivery: {
          ...{ store, clock, channels, settings: config.notify },
          failed: createFailedWays({ records, clock, environment, onFailure }),
          place: placeOf(config),
          readDigest: createDigestReader(run),
        },
        lease,
        environment,
        accountKey,
      };
    },
  };
}

/** Returns a function that says what changed since a time (ms). It throws an ExpectedError when that cannot be read. */
const createDigestReader =
  (run: RunTool) =>
  async (since: number, signal: AbortSignal): Promise<Digest> => {
    const { isError, body } = await run('get_changes', { since: toIsoTimestamp(since) }, { signal });
    if (isError) throw new ExpectedError(String(body.message));
    return { count: Number(body.changes), text: String(body.message) };
  };
