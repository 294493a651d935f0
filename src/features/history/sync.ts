/**
 * Syncs one history in the background, page by page, with what other requests leave of the rate limit. One process
 * reads; the others poll and take over when it exits.
 */
import type { Clock } from '../../core/clock.ts';
import { log, orElse } from '../../core/log.ts';
import { needsPages, type PageGoal } from './coverage.ts';
import type { Lease } from './lease.ts';
import { computeRetryAt, fetchNextPage, nextJob, type PageReader } from './read-page.ts';

/** A page may wait this long for the rate limit. */
const pageTimeoutMs = 10 * 60_000;
/** How often a waiting process checks whether it can take the lease. */
const pollIntervalMs = 150;
/** The sync ends after this many failures in a row; the next call starts it again. */
const maxFailures = 6;
/** The sync ends after this many pages in a row that change nothing. */
const maxUnchangedRounds = 3;

export interface SyncDeps {
  readonly reader: PageReader;
  readonly lease: Lease;
  readonly clock: Clock;
  /** Real time, because the lease is shared with other processes. */
  readonly realClock: Clock;
  readonly signal: AbortSignal;
  /** How much to read. It is requested before each page, because another caller can need more. */
  readonly goal: () => PageGoal;
  /** Called after every page. */
  readonly onPage: () => void;
}

/** Reads until no page is left, the sync gives up, or `signal` aborts. Never throws. */
export async function syncHistory(deps: SyncDeps): Promise<void> {
  const { reader, lease, clock, realClock, signal, goal, onPage } = deps;
  const { store, account, kind } = reader;
  const readState = () => store.read({ account, kind }, (tx) => tx.state());
  try {
    let failures = 0;
    let unchangedRounds = 0;
    while (!signal.aborted && failures < maxFailures && unchangedRounds < maxUnchangedRounds) {
      const state = await readState();
      const [top] = state?.stretches ?? [];
      if (state && !needsPages(state, goal())) return;
      const job = nextJob(state, clock.now());
      if (!job) {
        // Wait only for a short pause; after a longer one the next call starts the sync again.
        const pauseMs = (top ? computeRetryAt(top, clock.now()) : 0) - clock.now();
        if (pauseMs > 5 * 60_000) return;
        await clock.sleep(Math.max(1, pauseMs), signal);
        continue;
      }
      if (!(await lease.take())) {
        await realClock.sleep(pollIntervalMs, signal);
        continue;
      }
      await fetchNextPage(reader, job, { priority: 'sync', deadlineAt: clock.now() + pageTimeoutMs, signal });
      onPage();
      const after = await readState();
      failures = after?.stretches[0]?.trouble ? failures + 1 : 0;
      // An unchanged state means that the page was not written, so reading it again and again gains nothing.
      unchangedRounds = JSON.stringify(after) === JSON.stringify(state) ? unchangedRounds + 1 : 0;
    }
  } catch (error) {
    // The next call continues where this one ended.
    log.fault('read the history', error);
  } finally {
    await lease.release().catch(orElse('read the history', undefined));
  }
}
