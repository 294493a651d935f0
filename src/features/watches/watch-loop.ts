/** Watches the account as long as a process runs. One process of a store watches; another takes over when it ends. */

import { ignoreAbort } from '../../core/errors.ts';
import { createLease, type Lease, type LeaseDeps } from '../../core/lease.ts';
import { orElse } from '../../core/log.ts';
import { resolveZone } from '../../core/text/dates.ts';
import { type DeliveryDeps, deliverEvents } from './deliver-events.ts';
import { emptySight } from './find-events.ts';
import { noteReading } from './note-reading.ts';
import { isOrderUnderWay, readServiceSight, readStoreSight, type SightDeps, type SightPlace } from './read-sight.ts';

export interface WatchLoopDeps {
  readonly sight: SightDeps;
  readonly delivery: DeliveryDeps;
  readonly lease: LeaseDeps;
  readonly environment: string;
  /** The key of the account. It changes once, when the service first says which account it is. */
  readonly accountKey: () => Promise<string>;
}

/** The name of the lease of the process that watches. */
export const nameWatchLease = (accountKey: string): string => `watch ${accountKey}`;

export interface WatchLoop {
  /** Resolves when the round that is running has ended, and another process may watch. */
  stop(): Promise<void>;
}

/** The store is compared this often (ms), because an approval waits for minutes only. */
const storeEveryMs = 5_000;
/** The service is read this often (ms). */
const serviceEveryMs = 60_000;

/** Starts to watch. Never throws: what fails is logged, and tried again in the next round. */
export function startWatchLoop(deps: WatchLoopDeps): WatchLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { clock } = deps.sight;
  const round = createRound(deps, signal);
  const running = (async () => {
    while (!signal.aborted) {
      await round.run().catch(orElse('watch the account', undefined));
      await clock.sleep(storeEveryMs, signal).catch(ignoreAbort);
    }
    await round.end().catch(orElse('watch the account', undefined));
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Creates the rounds of one process. A round reads, keeps what happened, and sends what is due. */
export function createRound(deps: WatchLoopDeps, signal: AbortSignal) {
  const { sight, delivery, environment } = deps;
  const { clock, taxZone } = sight;
  let held: { readonly name: string; readonly lease: Lease } | undefined;
  let hasBegun = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let zone = resolveZone(taxZone, undefined);
  const takeLease = async (accountKey: string): Promise<boolean> => {
    const name = nameWatchLease(accountKey);
    if (held?.name !== name) {
      await held?.lease.release();
      held = { name, lease: createLease(deps.lease, name) };
    }
    return held.lease.take();
  };

  const readService = async (place: SightPlace) => {
    const now = clock.now();
    // A clock that was set back must not stop the reads.
    const isDue = now >= readAt + serviceEveryMs || now < readAt;
    if (!isDue || (await isOrderUnderWay(sight, place))) return undefined;
    readAt = now;
    const earlier = await delivery.store.read((tx) => tx.findSight(place.accountKey));
    const read = await readServiceSight(sight, earlier ?? emptySight, signal);
    zone = read.zone ?? zone;
    return read;
  };

  return {
    /** Does nothing while another process watches. Throws `store_unavailable`. */
    run: async (): Promise<void> => {
      const at = clock.now();
      const place = { accountKey: await deps.accountKey(), environment };
      if (!(await takeLease(place.accountKey))) return;
      if (!hasBegun) await delivery.failed.keepOnly(delivery.channels.map(({ name }) => name));
      hasBegun = true;
      const found = await readStoreSight(sight, place);
      const service = await readService(place);
      const reading = {
        at,
        pending: service?.pending,
        prices: service?.prices,
        found: { ...found, ...service?.found },
      };
      await noteReading(delivery, place.accountKey, reading);
      await deliverEvents(delivery, { account: place.accountKey, zone }, signal);
    },
    /** Lets another process watch. */
    end: async (): Promise<void> => {
      await held?.lease.release();
    },
  };
}
