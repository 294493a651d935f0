/** Keeps what was seen and the events between in one transaction, so that an event is neither lost nor found twice. */

import { type Clock, clockSlackMs, dayMs } from '../../core/clock.ts';
import { emptySight, findEvents, type Reading } from './find-events.ts';
import type { KeptEvent, WatchStore } from './watch-store.ts';

/** How long (ms) an event is kept; longer than any of them can be found again. */
const keepMs = 30 * dayMs;

/** Compares a reading with what was seen before. Returns the new events; throws `store_unavailable`. */
export const noteReading = (
  { store, clock }: { readonly store: WatchStore; readonly clock: Clock },
  account: string,
  reading: Reading,
): Promise<readonly KeptEvent[]> =>
  store.change(async (tx) => {
    const before = (await tx.findSight(account)) ?? emptySight;
    // Another process read later, while this one was suspended. A sight of the future is that of a clock that was ahead.
    if (before.at > reading.at && before.at <= clock.now() + clockSlackMs) return [];
    const { events, sight } = findEvents(before, reading, await tx.listWatches(account));
    const kept: KeptEvent[] = [];
    for (const event of events) {
      const found = { event, foundAt: reading.at };
      if (await tx.insertEvent(account, found)) kept.push(found);
    }
    await tx.keepSight(account, sight);
    if (kept.length > 0) await tx.removeOld(account, reading.at - keepMs);
    return kept;
  });
