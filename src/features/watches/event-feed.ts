/** The events that any process found, as they are found. */

import { type Clock, clockSlackMs, dayMs } from '../../core/clock.ts';
import { ignoreAbort } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { sanitizeDeep } from '../../core/text/sanitize-text.ts';
import type { KeptEvent } from './watch-store.ts';

/** Reads the newest events that were found since a time (ms), newest first. */
export type ListEvents = (filter: {
  readonly foundSince: number;
  readonly most: number;
}) => Promise<readonly ListedEvent[]>;

/** An event, with its account where there are several. */
type ListedEvent = KeptEvent & { readonly account?: string };

/** The events of several accounts as those of one, newest first. */
export const joinEvents =
  (accounts: readonly { readonly name: string; readonly listEvents: ListEvents }[]): ListEvents =>
  async (filter) => {
    const lists = accounts.map(async ({ name, listEvents }) =>
      (await listEvents(filter)).map(({ event, foundAt }): ListedEvent => {
        // A halt has one key in all accounts.
        return { account: name, event: { ...event, key: `${name} ${event.key}` }, foundAt };
      }),
    );
    return (await Promise.all(lists))
      .flat()
      .toSorted((a, b) => b.foundAt - a.foundAt)
      .slice(0, filter.most);
  };

const recentMs = 7 * dayMs;
const mostRecent = 50;

/** The newest events of a week as JSON, newest first. Throws `store_unavailable`. */
export async function readRecentEvents(listEvents: ListEvents, environment: string, now: number): Promise<string> {
  const events = await listEvents({ foundSince: now - recentMs, most: mostRecent });
  const rows = events.map(({ account, event: { key: _, kind, at, facts }, foundAt }) => ({
    ...(account !== undefined && { account }),
    kind,
    at: toIsoTimestamp(at),
    foundAt: toIsoTimestamp(foundAt),
    ...facts,
  }));
  return JSON.stringify(sanitizeDeep({ env: environment, events: rows }));
}

/** An event is in the store at most this long (ms) after the time at which it was found. */
const lateMs = 10 * 60_000;
const mostAtOnce = 500;
const pollEveryMs = 2_000;

/**
 * Calls `onEvents` with the events that are found from now on, oldest first, until `signal` aborts. A store that cannot
 * be read is tried again.
 */
export async function followEvents(
  deps: { readonly clock: Clock; readonly listEvents: ListEvents },
  onEvents: (events: readonly KeptEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock, listEvents } = deps;
  const read = () =>
    listEvents({ foundSince: clock.now() - lateMs - clockSlackMs, most: mostAtOnce }).catch(
      orElse('read the events', undefined),
    );
  let seen: ReadonlySet<string> | undefined;
  while (!signal.aborted) {
    const events = await read();
    if (events) {
      const fresh = seen ? events.filter(({ event }) => !seen?.has(event.key)) : [];
      seen = new Set(events.map(({ event }) => event.key));
      if (fresh.length > 0 && !signal.aborted) onEvents(fresh.toReversed());
    }
    await clock.sleep(pollEveryMs, signal).catch(ignoreAbort);
  }
}
