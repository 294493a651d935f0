/**
 * The background reading of one history: page after page at what the rate limit leaves, behind everything
 * that a person waits for. One process reads, the others look on and take over when it is gone.
 */
import type { Clock } from '../clock.ts';
import type { Lease } from './lease.ts';
import { computeRetryAt, fetchNextPage, nextJob, type PageReader } from './read-page.ts';

/** A page may wait for the limit this long. */
const pageTimeoutMs = 10 * 60_000;
/** How often a process that looks on sees whether it is its turn. */
const pollIntervalMs = 150;
/** A service that fails is asked this often in a row; then the next question tries again. */
const maxFailures = 6;
/** Pages in a row after which nothing is different. */
const maxUnchangedRounds = 3;

export interface SyncDeps {
  readonly reader: PageReader;
  readonly lease: Lease;
  readonly clock: Clock;
  /** Real time: it watches another process. */
  readonly realClock: Clock;
  readonly signal: AbortSignal;
  /** Told after every page. */
  readonly onPage: () => void;
}

/** Reads until there is nothing left to read, or until `signal`. Never throws. */
export async function syncHistory({ reader, lease, clock, realClock, signal, onPage }: SyncDeps): Promise<void> {
  const { store, account, kind } = reader;
  const readState = () => store.read({ account, kind }, (tx) => tx.state());
  try {
    let troubles = 0;
    let still = 0;
    while (!signal.aborted && troubles < maxFailures && still < maxUnchangedRounds) {
      const state = await readState();
      const [top] = state?.stretches ?? [];
      if (top && !top.next && !top.deadEnd && !state?.recheck) return;
      const job = nextJob(state, clock.now());
      if (!job) {
        // Only a pause that is worth waiting for: the next question comes back to the others.
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
      troubles = after?.stretches[0]?.trouble ? troubles + 1 : 0;
      // A page that changes nothing, not even where to go on, was not written: nothing is gained by reading it again.
      still = JSON.stringify(after) === JSON.stringify(state) ? still + 1 : 0;
    }
  } catch {
    // The next question begins again where this ended.
  } finally {
    await lease.release().catch(() => undefined);
  }
}
