/**
 * Journal of writes that are not orders (pies, reports). Each is recorded before it is sent, and sent once. When
 * the response to a create is lost, a listing of the service decides whether it exists before an equal one is sent
 * again.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { TradingSettings } from '../approval/enrollment/live-origin-guard.ts';
import type { Broker, CallContext, CallRequest } from '../broker/types.ts';
import { type Clock, isWithin } from '../clock.ts';
import { type Endpoint, endpoints, type Report } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import type { ProcessRegistry } from '../lease.ts';
import { log, orElse } from '../log.ts';
import { writeRefusal } from './halt/trading-state.ts';
import { duplicateWindowMs } from './intent/duplicates.ts';
import type { Journal, WriteIntent } from './intent/journal-port.ts';
import type { RuleName } from './intent/refusal.ts';

interface WriteOutcome {
  /** `refused`: a rule of this server refused it, and nothing was sent. */
  readonly outcome: 'done' | 'rejected' | 'unknown' | 'refused';
  readonly rule?: RuleName | undefined;
  readonly reason?: string | undefined;
  readonly intentId: string;
  readonly coalesced?: true | undefined;
  readonly answeredAt?: number | undefined;
  readonly result?: unknown;
  readonly brokerCode?: string | undefined;
  readonly message: string;
  readonly next?: string | undefined;
}

/** One write that is not an order. */
export interface WriteRequest {
  readonly endpoint: Endpoint;
  readonly request: CallRequest;
  readonly context: CallContext;
  readonly send: () => Promise<{ readonly data: unknown; readonly answeredAt: number }>;
  readonly whenUnknown: string;
  /** The request changes what the account does with its money, so whatever stops orders stops it too. */
  readonly changesAccount: boolean;
  /** For creates only: other requests can be repeated without harm. */
  readonly lookUp?: RecoveryLookup | undefined;
}

/** Errors after which nothing was sent to the broker. */
const unsentCodes = new Set<string>(['rate_limited', 'blocked', 'unreachable', 'cancelled', 'not_configured']);
/** A call that was refused this often within `loopMs` gets an error. */
const maxRefusedCalls = 5;
const loopMs = 60_000;

export interface WriteJournal {
  /**
   * Sends one write and returns its outcome. A refusal by a rule or by the broker is an outcome. Throws for other
   * errors after which the write provably did not happen.
   */
  run(request: WriteRequest): Promise<WriteOutcome>;
}

interface WriteJournalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly accountKey: () => Promise<string>;
}

/** Creates the journal of writes for one process. */
export const createWriteJournal = (deps: WriteJournalDeps): WriteJournal => ({
  run: (request) => runWrite(deps, request),
});

async function runWrite(deps: WriteJournalDeps, request: WriteRequest): Promise<WriteOutcome> {
  const { journal, settings } = deps;
  const write = await buildWrite(deps, request);
  if (request.changesAccount) {
    const refusal = await journal.read((tx) => writeRefusal(settings, tx));
    if (refusal)
      return {
        outcome: 'refused',
        intentId: write.id,
        ...refusal,
        message: 'This server refused the request; nothing was sent.',
        next: 'Tell the user which rule refused it.',
      };
  }
  await refuseLoop(deps, write);
  const twin = await insertUnlessDuplicate(deps, write, request.lookUp !== undefined);
  if (!twin) return sendWrite(deps, write, request);
  const outcome = await resolveLost(deps, twin, request);
  return { ...outcome, coalesced: true, message: `${outcome.message} The request was not sent again.` };
}

async function buildWrite(
  { accountKey, settings, processes, clock }: WriteJournalDeps,
  { endpoint, request }: WriteRequest,
): Promise<WriteIntent> {
  const account = await accountKey();
  const parts = [settings.environment, account, endpoint.id, request.id ?? '', request.body ?? ''];
  const now = clock.now();
  return {
    id: randomBytes(16).toString('hex'),
    kind: 'write',
    state: 'SENDING',
    environment: settings.environment,
    accountKey: account,
    fingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    endpoint: endpoint.id,
    createdAt: now,
    changedAt: now,
    sender: processes.self,
  };
}

/** A call that is repeated in a loop while nothing can be sent gets an error, and adds no more rows. */
async function refuseLoop(
  { journal }: WriteJournalDeps,
  { accountKey, endpoint, createdAt }: WriteIntent,
): Promise<void> {
  const filter = { accountKey, states: ['REJECTED'] as const, createdSince: createdAt - loopMs };
  const rejected = await journal.read((tx) => tx.listWrites(filter));
  const same = rejected.filter(
    (write) => write.wasKeptBack && write.endpoint === endpoint && isWithin(write.createdAt, createdAt, loopMs),
  );
  if (same.length < maxRefusedCalls) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(((same.at(-1)?.createdAt ?? 0) + loopMs - createdAt) / 1000));
  throw new BrokerageError(
    'rate_limited',
    `${same.length} such calls were refused in the last minute: ${same[0]?.reason ?? ''}`,
    `Call again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}

/** Inserts a write, unless an equal create of the last minutes has an unknown outcome: then returns that one. */
const insertUnlessDuplicate = (
  { journal }: WriteJournalDeps,
  write: WriteIntent,
  isCreate: boolean,
): Promise<WriteIntent | undefined> =>
  journal.change(async (tx) => {
    const { fingerprint, createdAt } = write;
    const equal = isCreate ? await tx.listWrites({ fingerprint, createdSince: createdAt - duplicateWindowMs }) : [];
    const recent = equal.filter((other) => isWithin(other.createdAt, createdAt, duplicateWindowMs));
    const twin = recent.find(({ state }) => state === 'UNKNOWN' || state === 'SENDING');
    if (!twin) await tx.insertWrite(write);
    return twin;
  });

async function sendWrite(deps: WriteJournalDeps, write: WriteIntent, request: WriteRequest): Promise<WriteOutcome> {
  try {
    const { data, answeredAt } = await request.send();
    await closeWrite(deps, write, 'DONE', {});
    const message = 'The broker carried out the request.';
    return { outcome: 'done', intentId: write.id, answeredAt, message, result: data ?? null };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    if (!isLost(error)) return recordRefusal(deps, write, error);
    await closeWrite(deps, write, 'UNKNOWN', { reason: error.message });
    return resolveLost(deps, { ...write, state: 'UNKNOWN' }, request);
  }
}

/** Whether the request may have been carried out although it failed. */
const isLost = ({ code, facts }: BrokerageError): boolean =>
  facts.mayHaveHappened === true || code === 'upstream_error' || code === 'unexpected_answer';

/** A rejection by the broker is an outcome; any other failure is thrown again. */
async function recordRefusal(deps: WriteJournalDeps, write: WriteIntent, error: BrokerageError): Promise<WriteOutcome> {
  const { code, message, next, facts } = error;
  await closeWrite(deps, write, 'REJECTED', { reason: message, wasKeptBack: unsentCodes.has(code) });
  if (code !== 'rejected' && code !== 'not_found' && code !== 'forbidden') throw error;
  return { outcome: 'rejected', intentId: write.id, message, next, brokerCode: facts.brokerCode };
}

/** The outcome of a write whose response was lost: the result, if a search finds it. */
async function resolveLost(
  deps: WriteJournalDeps,
  write: WriteIntent,
  { lookUp, context, whenUnknown }: WriteRequest,
): Promise<WriteOutcome> {
  const question = { sentAt: write.createdAt, now: deps.clock.now(), context };
  const result = lookUp && (await findCreated(lookUp, question));
  const intentId = write.id;
  if (result === undefined)
    return {
      outcome: 'unknown',
      intentId,
      message: 'The response was lost; the request may have been carried out.',
      next: whenUnknown,
    };
  await closeWrite(deps, write, 'DONE', {});
  return {
    outcome: 'done',
    intentId,
    message: 'The broker carried out the request; a search found the result.',
    result,
  };
}

const closeWrite = (
  { journal, clock }: WriteJournalDeps,
  write: WriteIntent,
  state: WriteIntent['state'],
  change: Partial<WriteIntent>,
) =>
  journal
    .change((tx) => tx.moveWrite(write.id, write.state, { ...change, state, changedAt: clock.now() }))
    // The broker's response counts even if it could not be recorded.
    .catch(orElse('orders', undefined));

// Finds what a create made at the service when its response was lost.

/** How to find what a create made when its response was lost. */
export interface RecoveryLookup {
  /** The ids of the objects that may be the result, most likely first. */
  ids(context: CallContext): Promise<readonly string[]>;
  /** Whether the object is the requested one and did not exist before `sentAt` (ms). */
  isIt(id: string, sentAt: number, context: CallContext): Promise<boolean>;
  /** The result that the create would have returned. */
  result(id: string): unknown;
}

/** Each check can cost a request of a slow rate limit. */
const maxCandidates = 5;

/**
 * The result of a create that was sent at `sentAt` (ms), from reads that are not older than `now` (ms). Undefined
 * when no object or more than one can be the result, and when the objects cannot be read.
 */
export async function findCreated(
  lookUp: RecoveryLookup,
  { sentAt, now, context }: { readonly sentAt: number; readonly now: number; readonly context: CallContext },
): Promise<unknown> {
  const fresh = { ...context, notBefore: now };
  const found: string[] = [];
  try {
    for (const id of (await lookUp.ids(fresh)).slice(0, maxCandidates))
      if (await lookUp.isIt(id, sentAt, fresh)) found.push(id);
    const [only, ...others] = found;
    return only === undefined || others.length > 0 ? undefined : lookUp.result(only);
  } catch (error) {
    log.fault('search for the result of a write', error);
    return undefined;
  }
}

// Finds a report whose request lost its response, in the service's list of reports.

/** The body of a request for a report; times are ISO 8601. */
export interface ReportRequest {
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly dataIncluded: Readonly<Record<string, boolean>>;
}

/** A report with exactly the same range and content counts as the requested one, because it contains the same. */
export const createReportLookUp = (wanted: ReportRequest, broker: Broker): RecoveryLookup => ({
  ids: async (context) => {
    const { data } = await broker.call(endpoints.listReports, {}, context);
    return data.filter((report) => isLike(report, wanted)).flatMap(({ reportId }) => reportId ?? []);
  },
  isIt: async () => true,
  result: (reportId) => ({ reportId }),
});

const isLike = (report: Report, wanted: ReportRequest): boolean =>
  Date.parse(report.timeFrom ?? '') === Date.parse(wanted.timeFrom) &&
  Date.parse(report.timeTo ?? '') === Date.parse(wanted.timeTo) &&
  Object.entries(wanted.dataIncluded).every(
    ([part, isIncluded]) => (report.dataIncluded as Record<string, unknown> | undefined)?.[part] === isIncluded,
  );
