/**
 * Caches responses for all processes that share the store: a small head with the age of the response and the
 * process that is reading a new one, and the body in a second record.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, dayMs, holdsUntil } from '../clock.ts';
import { isHeld } from '../lease.ts';
import type { RateLimiter } from './rate-limit/limiter.ts';
import { readData } from './response/parse-response.ts';
import type { KeyValueStore, ParsedResponse, PreparedRequest } from './types.ts';

interface Head {
  /** The version of the body record; undefined when there is no response yet. */
  readonly version?: string;
  readonly epoch: number;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly leader?: CacheLease;
}

/**
 * The process that reads for all. It renews `until` while it waits, so that a killed process does not block others
 * for long.
 */
export interface CacheLease {
  readonly id: string;
  readonly owner: string;
  readonly epoch: number;
  readonly askedAt: number;
  readonly until: number;
}

export type CacheDecision =
  | { readonly kind: 'use'; readonly version: string; readonly askedAt: number; readonly answeredAt: number }
  | { readonly kind: 'follow'; readonly leader: CacheLease }
  | { readonly kind: 'lead' };

/** A leader that has not renewed its lease for this long (ms) counts as dead. */
export const leaseMs = 6_000;
/** Parsed responses kept in memory; only the list of instruments is large. */
const maxParsed = 32;
/** No response is fresh for longer (ms): the longest period of a limit. */
const maxFreshMs = dayMs;
/** An expired response stays this long (ms), for callers that are about to read it. */
const lingerMs = 30_000;

export interface ReadCacheDeps {
  readonly records: KeyValueStore;
  readonly clock: Clock;
  readonly limits: RateLimiter;
  readonly owner: string;
  /** Whether another process still runs. Without it, only its lease shows that. */
  readonly isAlive?: ((owner: string) => boolean) | undefined;
}

interface Cache extends ReadCacheDeps {
  /** The newest last. */
  readonly parsed: Map<string, { readonly version: string; readonly data: unknown }>;
}

export function createReadCache(deps: ReadCacheDeps) {
  const cache: Cache = { ...deps, parsed: new Map() };
  return {
    choose: choose.bind(undefined, cache),
    keep: keep.bind(undefined, cache),
    renew: renew.bind(undefined, cache),
    use: use.bind(undefined, cache),
  };
}

/**
 * Decides whether this process uses the stored response, waits for the leader's, or leads. `unreadable` is the version of
 * a response that the caller could not read.
 */
async function choose(
  cache: Cache,
  request: PreparedRequest,
  key: string,
  flightId: string,
  unreadable: string | undefined,
): Promise<CacheDecision> {
  const epoch = await readEpoch(cache, request);
  const freshMs = await getFreshMs(cache, request);
  const notBefore = request.context.notBefore ?? Number.NEGATIVE_INFINITY;
  return cache.records.update<Head, CacheDecision>('read-head', key, (head) => {
    const now = cache.clock.now();
    if (
      head?.version !== undefined &&
      head.version !== unreadable &&
      head.epoch === epoch &&
      head.askedAt >= notBefore &&
      // A response of the future: the clock was set back since.
      head.askedAt <= now &&
      head.answeredAt <= now &&
      now < head.answeredAt + freshMs
    ) {
      const { version, askedAt, answeredAt } = head;
      return { state: head, result: { kind: 'use', version, askedAt, answeredAt } };
    }
    const leader = head?.leader;
    if (leader && isLeading(cache, leader, now) && leader.epoch === epoch && leader.askedAt >= notBefore)
      return { state: head, result: { kind: 'follow', leader } };
    const lead: CacheLease = { id: flightId, owner: cache.owner, epoch, askedAt: now, until: now + leaseMs };
    const state = { epoch: -1, askedAt: 0, answeredAt: 0, ...head, leader: lead };
    return { state, result: { kind: 'lead' } };
  });
}

const isLeading = ({ isAlive = () => true }: Cache, leader: CacheLease | undefined, now: number): boolean =>
  isHeld(leader, { isAlive }, now, leaseMs);

/** Stores the response of the leader, and ends its lease. `response` is undefined when the read failed. */
async function keep(
  cache: Cache,
  request: PreparedRequest,
  key: string,
  flightId: string,
  response: ParsedResponse | undefined,
): Promise<void> {
  const { records } = cache;
  const epoch = await readEpoch(cache, request);
  const version = randomUUID();
  const { toKeep } = request.endpoint;
  const textToKeep = () => (toKeep ? JSON.stringify(toKeep(response?.data)) : response?.text);
  if (response)
    await records.update('read-body', key, () => ({ state: { version, text: textToKeep() }, result: undefined }));
  const kept = await records.update<Head, boolean>('read-head', key, (head) => {
    const { leader, ...rest } = head ?? { epoch: -1, askedAt: 0, answeredAt: 0 };
    // Another process leads by now, so this response is returned only to its own caller.
    if (leader?.id !== flightId) return { state: head, result: false };
    // A read without a response is not stored, so that requests for thousands of ids cannot fill the index.
    const state = rest.version === undefined ? undefined : rest;
    if (!response || leader.epoch !== epoch) return { state, result: false };
    const { askedAt, answeredAt } = response;
    return { state: { version, epoch, askedAt: Math.min(askedAt, leader.askedAt), answeredAt }, result: true };
  });
  if (kept && response) remember(cache, key, version, response.data);
  if (response) await removeExpired(cache, request, key);
}

/** Renews the lease of the leader. */
const renew = ({ records, clock }: Cache, key: string, flightId: string): Promise<void> =>
  records.update<Head, void>('read-head', key, (head) => {
    if (head?.leader?.id !== flightId) return { state: head, result: undefined };
    return { state: { ...head, leader: { ...head.leader, until: clock.now() + leaseMs } }, result: undefined };
  });

/** The stored response; undefined when its body is gone, or is a part and the caller needs all. */
async function use(
  cache: Cache,
  request: PreparedRequest,
  key: string,
  choice: CacheDecision & { kind: 'use' },
): Promise<ParsedResponse | undefined> {
  const memo = cache.parsed.get(key);
  const { version, askedAt, answeredAt } = choice;
  if (memo?.version === version) return { data: memo.data, text: '', askedAt, answeredAt, shared: true };
  if (request.context.needsComplete && request.endpoint.toKeep) return undefined;
  const body = await cache.records.read<{ version: string; text: string }>('read-body', key);
  if (body?.version !== version) return undefined;
  const data = readData(request, body.text);
  // A partial response must not be returned as a complete one later.
  if (!request.endpoint.toKeep) remember(cache, key, version, data);
  return { data, text: body.text, askedAt, answeredAt, shared: true };
}

/** Removes expired responses of the account, because a walk leaves hundreds of pages. */
async function removeExpired(cache: Cache, request: PreparedRequest, key: string): Promise<void> {
  const { records, clock, parsed } = cache;
  const now = clock.now();
  const cachedUntil = now + (await getFreshMs(cache, request)) + lingerMs;
  const isCached = (until: number) => holdsUntil(until, now, maxFreshMs + lingerMs);
  const stale = await records.update<Record<string, number>, string[]>('read-index', request.accountKey, (before) => {
    const all = Object.entries({ ...before, [key]: cachedUntil });
    return {
      state: Object.fromEntries(all.filter(([, until]) => isCached(until))),
      result: all.filter(([, until]) => !isCached(until)).map(([name]) => name),
    };
  });
  for (const name of stale) {
    const isKept = await records.update<Head, boolean>('read-head', name, (head) => {
      const isLed = isLeading(cache, head?.leader, now);
      return isLed ? { state: head, result: true } : { state: undefined, result: false };
    });
    if (isKept) continue;
    parsed.delete(name);
    await records.update('read-body', name, () => ({ state: undefined, result: undefined }));
  }
}

function remember({ parsed }: Cache, key: string, version: string, data: unknown): void {
  parsed.delete(key);
  parsed.set(key, { version, data });
  for (const oldest of parsed.keys()) {
    if (parsed.size <= maxParsed) break;
    parsed.delete(oldest);
  }
}

const getFreshMs = async ({ limits }: Cache, { endpoint, accountKey }: PreparedRequest): Promise<number> =>
  endpoint.freshSeconds ? endpoint.freshSeconds * 1000 : limits.periodMs(accountKey, endpoint);

// No write changes the metadata, and reading it again would use up its limit for a minute.
const readEpoch = async ({ records }: Cache, { endpoint, accountKey }: PreparedRequest): Promise<number> =>
  endpoint.freshSeconds ? 0 : readWriteEpoch(records, accountKey);

/** The write counter (epoch) of the account, which changes with every write of this program; 0 before the first. */
export const readWriteEpoch = async (records: KeyValueStore, accountKey: string): Promise<number> =>
  (await records.read<number>('read-epoch', accountKey)) ?? 0;

/** Invalidates everything that was requested until now. */
export const invalidateReads = (records: KeyValueStore, accountKey: string): Promise<void> =>
  records.update<number, void>('read-epoch', accountKey, (epoch) => ({ state: (epoch ?? 0) + 1, result: undefined }));
