/** Reads one page of a history from the service and applies it to the mirror. */
import type { Broker, CallContext, PageCursor } from '../../core/broker/types.ts';
import { holdsUntil } from '../../core/clock.ts';
import { BrokerageError, isFailure } from '../../core/errors.ts';
import { applyPage, type PageRead } from './apply-page.ts';
import { type HistoryKind, kinds } from './kinds.ts';
import { type MirrorState, maxRetryMs, type Recheck, type Segment, type SyncFailure } from './mirror-state.ts';
import { newestPageCursor } from './page-boundary.ts';
import type { HistoryStore } from './row-store.ts';

const minuteMs = 60_000;
const maxFailures = 5;
/** After this many restarts a walk pauses. */
const maxRestarts = 2;

export interface PageReader {
  readonly broker: Broker;
  readonly store: HistoryStore;
  readonly account: string;
  readonly kind: HistoryKind;
  readonly now: () => number;
  /** The write counter of the account; it changes with every write of this program. */
  readonly epoch: () => Promise<number>;
}

/**
 * Reads the newest page; the broker may reuse a read that another caller has just made. Throws what the service or
 * the rate limit reports.
 */
export async function fetchNewestPage(reader: PageReader, context: CallContext): Promise<void> {
  await readOne(reader, { query: newestPageCursor, continues: undefined }, context);
}

/** A page to read: the next of a walk, the next of a recheck, or the newest of the list. */
export interface PageJob {
  readonly query: PageCursor;
  readonly continues: PageRead['continues'];
}

/** The page to read next in the background; undefined when nothing is left or a retry is not due yet. */
export function nextJob(state: MirrorState | undefined, now: number): PageJob | undefined {
  const [top] = state?.stretches ?? [];
  if (!top) return { query: newestPageCursor, continues: undefined };
  if (computeRetryAt(top, now) > now) return undefined;
  if (top.deadEnd) return { query: newestPageCursor, continues: undefined };
  if (top.next) return { query: top.next, continues: top.id };
  return state?.recheck && { query: state.recheck.next, continues: 'recheck' };
}

/** When to try again after a failure (ms); 0 when no time is set. */
export const computeRetryAt = ({ trouble }: Segment, now: number): number =>
  holdsUntil(trouble?.retryAt, now, maxRetryMs) ? (trouble?.retryAt ?? 0) : 0;

/**
 * Reads one page in the background. A failure is stored in the mirror with the time of the next try. Throws only
 * when cancelled, or an unexpected error.
 */
export async function fetchNextPage(reader: PageReader, job: PageJob, context: CallContext): Promise<void> {
  try {
    // A walk that starts again needs the current newest page, so it accepts no earlier read.
    const fresh = job.continues === undefined ? { ...context, notBefore: reader.now() } : context;
    await readOne(reader, job, fresh);
  } catch (error) {
    if (!isFailure(error)) throw error;
    await recordFailure(reader, job, error);
  }
}

async function readOne(reader: PageReader, job: PageJob, context: CallContext): Promise<void> {
  const { broker, store, account, kind, now } = reader;
  const { query, continues } = job;
  const epoch = await reader.epoch();
  // Reads one page per call, so that each has its own deadline and any process can read the next.
  for await (const page of broker.pages(kinds[kind].endpoint, { from: query }, context)) {
    const { chainError } = page;
    const read = { page: chainError ? { ...page, next: query } : page, query, continues, epoch };
    const applied = await store.change({ account, kind }, (tx) => applyPage(tx, kind, read, now()));
    if (applied === 'ends_early') throw endsEarly();
    if (chainError) await recordFailure(reader, job, chainError, true);
    return;
  }
}

const endsEarly = () =>
  new BrokerageError(
    'unexpected_answer',
    'The service ended the list before rows that it returned earlier.',
    'Call again in a few minutes. If the error persists and the account was reset, remove the state folder.',
    { endsEarly: true },
  );

function recordFailure(
  { store, account, kind, now }: PageReader,
  { continues }: PageJob,
  error: BrokerageError,
  isStuck = false,
): Promise<void> {
  return store.change({ account, kind }, async (tx) => {
    const state = await tx.state();
    const [top, ...rest] = state?.stretches ?? [];
    if (!state || !top) return;
    if (continues === 'recheck') return tx.setState({ ...state, recheck: countRecheckFailure(state.recheck) });
    if (continues !== undefined && top.id !== continues) return;
    await tx.setState({ ...state, stretches: [withFailure(top, error, now(), isStuck), ...rest] });
  });
}

/** Ends the recheck after a few failures; the next new segment starts it again. */
const countRecheckFailure = (recheck: Recheck | undefined): Recheck | undefined =>
  recheck && recheck.failures < maxFailures ? { ...recheck, failures: recheck.failures + 1 } : undefined;

/**
 * A temporary failure is tried again after a growing pause. If the service rejects a page twice, the cursor is no
 * longer valid, so the walk starts again at the newest page.
 */
function withFailure(top: Segment, error: BrokerageError, now: number, isStuck: boolean): Segment {
  const failures = (top.trouble?.failures ?? 0) + 1;
  const isRefusal = ['not_found', 'rejected', 'unexpected_answer'].includes(error.code);
  const failure = (retryMs: number): SyncFailure => ({ reason: error.message, failures, retryAt: now + retryMs });
  if (isStuck) return { ...top, trouble: failure(maxRetryMs) };
  if (isRefusal && failures >= 2 && !top.deadEnd) {
    const isHopeless = top.restarts >= maxRestarts;
    // An unexpected end of the list may be temporary, so wait before a long list is read again.
    const pauseMs = error.facts.endsEarly ? 10 * minuteMs : 0;
    return { ...top, deadEnd: true, trouble: { ...failure(isHopeless ? maxRetryMs : pauseMs), failures: 0 } };
  }
  return { ...top, trouble: failure(failures >= maxFailures ? maxRetryMs : 2 ** failures * 2_500) };
}
