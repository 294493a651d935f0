/**
 * Runs an import: one report per year as fast as the rate limit allows, then the pages that no report has. One process
 * runs it; another takes over when it exits.
 */
import type { EndpointLimit } from '../../../core/broker/rate-limit/limit-status.ts';
import type { Clock } from '../../../core/clock.ts';
import { type Endpoint, endpoints } from '../../../core/endpoints/index.ts';
import { BrokerageError, isAbort } from '../../../core/errors.ts';
import type { Lease } from '../../../core/lease.ts';
import { log, orElse } from '../../../core/log.ts';
import { type CollectDeps, collectFinished, requestRange } from './collect-reports.ts';
import { change, type ImportRecord } from './import-record.ts';
import type { YearPlan } from './plan-years.ts';

/** How long (ms) the service has been seen to take for a report. */
export const makingMs = 20_000;
const pollIntervalMs = 150;
/** The import stops after this many failures in a row; the next call continues it. */
const maxFailures = 6;

export interface RunDeps extends CollectDeps {
  readonly lease: Lease;
  readonly clock: Clock;
  /** Real time, because the lease is shared with other processes. */
  readonly realClock: Clock;
  readonly signal: AbortSignal;
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  readonly plan: (record: ImportRecord) => Promise<YearPlan>;
  /** When the oldest open position began (ms). */
  readonly findOldestPosition: () => Promise<number>;
  /** Stores that nothing is older than this (ms). */
  readonly keepBeginning: (at: number) => Promise<void>;
  /** Reads the pages since a moment (ms) that no report has. False when some are still missing. */
  readonly readMissingPages: (since: number | undefined) => Promise<boolean>;
}

/** Runs until the import is done, `signal` aborts, or the service fails too often. Never throws. */
export async function runImport(deps: RunDeps): Promise<void> {
  const { records, lease, clock, realClock, signal } = deps;
  let failures = 0;
  try {
    while (!signal.aborted) {
      const record = await records.read();
      if (!record || record.phase === 'done') return;
      if (!(await lease.take())) {
        await realClock.sleep(pollIntervalMs, signal);
        continue;
      }
      const trouble = await takeStep(deps, record).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (trouble === undefined) {
        failures = 0;
        continue;
      }
      const hasEnded = await handleTrouble(deps, trouble);
      failures++;
      if (hasEnded || failures >= maxFailures) return;
      await clock.sleep(2 ** failures * 2_500, signal);
    }
  } catch (error) {
    // The next call continues where this one ended.
    log.fault('import the history', error);
  } finally {
    await lease.release().catch(orElse('history', undefined));
  }
}

/** Records the error. Returns true when a retry cannot help. */
async function handleTrouble({ records }: RunDeps, error: unknown): Promise<boolean> {
  if (isAbort(error)) throw error;
  log.fault('import the history', error);
  const { code, message } =
    error instanceof BrokerageError
      ? error
      : { code: 'internal' as const, message: 'An error in brokerage-mcp itself ended the import.' };
  if (code === 'cancelled') throw error;
  if (code === 'forbidden') {
    await change(records, (record) => ({ ...record, isRefused: true, phase: 'pages', pending: [] }));
    return false;
  }
  await change(records, (record) => ({ ...record, trouble: { code, message } }));
  return code === 'internal' || code === 'unauthorized' || code === 'not_configured' || code === 'read_only';
}

async function takeStep(deps: RunDeps, record: ImportRecord): Promise<void> {
  const { records, clock, signal } = deps;
  if (record.phase === 'pages') return readPages(deps, record);
  if (record.listedAt === undefined) {
    // Reports that exist already are not requested again.
    const oldestPositionAt = await deps.findOldestPosition();
    await change(records, (one) => ({ ...one, oldestPositionAt }));
    return collectFinished(deps, record);
  }
  const plan = await deps.plan(record);
  if (!plan.next && !plan.isWaiting) {
    if (plan.beginsAt !== undefined) await deps.keepBeginning(plan.beginsAt);
    await change(records, ({ trouble: _, ...one }) => ({ ...one, phase: 'pages' }));
    return;
  }
  const now = clock.now();
  const requestAt = plan.next
    ? now + (await deps.getLimit(endpoints.requestReport)).freeInMs
    : Number.POSITIVE_INFINITY;
  const pollAt = await computePollAt(deps, record, plan);
  if (plan.next && requestAt <= now) return requestRange(deps, plan.next);
  if (pollAt <= now) return collectFinished(deps, record);
  await clock.sleep(Math.min(requestAt, pollAt) - now, signal);
}

/**
 * When to read the list of reports (ms). The service allows half as many reads as requests, so a read follows every
 * second request, and the last one follows the last request.
 */
async function computePollAt({ getLimit, clock }: RunDeps, record: ImportRecord, plan: YearPlan): Promise<number> {
  if (record.pending.length === 0) return Number.POSITIVE_INFINITY;
  const lastRequestAt = Math.min(clock.now(), Math.max(...record.pending.map(({ requestedAt }) => requestedAt)));
  const freeAt = clock.now() + (await getLimit(endpoints.listReports)).freeInMs;
  const readyAt = lastRequestAt + makingMs;
  const pollAt = Math.max(freeAt, readyAt);
  if (!plan.next) return pollAt;
  const isLate = pollAt > readyAt + makingMs / 4;
  return (plan.expected - plan.reached) % 2 === 0 && !isLate ? pollAt : Number.POSITIVE_INFINITY;
}

async function readPages(deps: RunDeps, record: ImportRecord): Promise<void> {
  const { since } = await deps.plan(record);
  const isComplete = await deps.readMissingPages(record.years === undefined ? undefined : since);
  await change(deps.records, ({ trouble: _, ...one }) => ({
    ...one,
    ...(isComplete ? { phase: 'done' } : {}),
  }));
  if (!isComplete)
    throw new BrokerageError(
      'upstream_error',
      'Some pages of the history could not be read.',
      'Call import_history again in a few minutes.',
    );
}
