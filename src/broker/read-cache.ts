/**
 * Answers of reads as they are kept for everybody who shares the store: a small head that says how
 * fresh the answer is and who is asking for a new one, and the body beside it.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { ParsedResponse, PreparedRequest } from './pipeline-types.ts';
import type { KeyValueStore } from './ports.ts';
import type { RateLimiter } from './rate-limit/limiter.ts';
import { readData } from './response/parse-response.ts';

interface Head {
  /** The record of the body; undefined when there is no answer yet. */
  readonly version?: string;
  readonly epoch: number;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly leader?: CacheLease;
}

/** Who asks for all. It renews `until` while it waits, so that one that was killed stands in nobody's way for long. */
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

/** After this long a leader that has not renewed its word is taken for dead. */
export const leaseMs = 6_000;
/** Parsed answers that are kept at hand; the list of instruments is the one large one. */
const maxParsed = 32;
/** An answer that is no longer fresh stays this long, for those who are about to read it. */
const lingerMs = 30_000;

export interface ReadCacheDeps {
  readonly records: KeyValueStore;
  readonly clock: Clock;
  readonly limits: RateLimiter;
  readonly owner: string;
}

export function createReadCache(deps: ReadCacheDeps) {
  const { records, clock, limits, owner } = deps;
  const parsed = new Map<string, { version: string; data: unknown }>();

  const remember = (key: string, version: string, data: unknown) => {
    parsed.delete(key);
    parsed.set(key, { version, data });
    for (const oldest of parsed.keys()) {
      if (parsed.size <= maxParsed) break;
      parsed.delete(oldest);
    }
  };

  const getFreshMs = async ({ endpoint, accountKey }: PreparedRequest) =>
    endpoint.freshSeconds ? endpoint.freshSeconds * 1000 : limits.periodMs(accountKey, endpoint);

  // Nothing that we write changes the metadata, and reading it anew costs a minute of its limit.
  const readEpoch = async ({ endpoint, accountKey }: PreparedRequest) =>
    endpoint.freshSeconds ? 0 : readCacheVersion(records, accountKey);

  const choose = async (
    request: PreparedRequest,
    key: string,
    flightId: string,
    without: { readonly dead: string | undefined; readonly version: string | undefined },
  ): Promise<CacheDecision> => {
    const epoch = await readEpoch(request);
    const freshMs = await getFreshMs(request);
    const notBefore = request.context.notBefore ?? Number.NEGATIVE_INFINITY;
    return records.update<Head, CacheDecision>('read-head', key, (head) => {
      const now = clock.now();
      if (
        head?.version !== undefined &&
        head.version !== without.version &&
        head.epoch === epoch &&
        head.askedAt >= notBefore &&
        // Asked for in the future: the clock was set back since.
        head.askedAt <= now &&
        now < head.answeredAt + freshMs
      ) {
        const { version, askedAt, answeredAt } = head;
        return { state: head, result: { kind: 'use', version, askedAt, answeredAt } };
      }
      const leader = head?.leader;
      const leads = leader && leader.until > now && leader.until <= now + leaseMs && leader.owner !== without.dead;
      if (leads && leader.epoch === epoch && leader.askedAt >= notBefore)
        return { state: head, result: { kind: 'follow', leader } };
      const lead: CacheLease = { id: flightId, owner, epoch, askedAt: now, until: now + leaseMs };
      const state = { epoch: -1, askedAt: 0, answeredAt: 0, ...head, leader: lead };
      return { state, result: { kind: 'lead' } };
    });
  };

  const keep = async (request: PreparedRequest, key: string, flightId: string, answer: ParsedResponse | undefined) => {
    const epoch = await readEpoch(request);
    const version = randomUUID();
    const { toKeep } = request.endpoint;
    const textToKeep = () => (toKeep ? JSON.stringify(toKeep(answer?.data)) : answer?.text);
    if (answer)
      await records.update('read-body', key, () => ({ state: { version, text: textToKeep() }, result: undefined }));
    const kept = await records.update<Head, boolean>('read-head', key, (head) => {
      const { leader, ...rest } = head ?? { epoch: -1, askedAt: 0, answeredAt: 0 };
      // Somebody else leads by now: this answer is given to its own caller only.
      if (leader?.id !== flightId) return { state: head, result: false };
      // A read that was never answered leaves nothing: whoever asks for thousands of ids fills no index.
      const state = rest.version === undefined ? undefined : rest;
      if (!answer || leader.epoch !== epoch) return { state, result: false };
      const { askedAt, answeredAt } = answer;
      return { state: { version, epoch, askedAt: Math.min(askedAt, leader.askedAt), answeredAt }, result: true };
    });
    if (kept && answer) remember(key, version, answer.data);
    if (answer) await sweep(request, key);
  };

  const renew = (key: string, flightId: string) =>
    records.update<Head, void>('read-head', key, (head) => {
      if (head?.leader?.id !== flightId) return { state: head, result: undefined };
      return { state: { ...head, leader: { ...head.leader, until: clock.now() + leaseMs } }, result: undefined };
    });

  /** A walk leaves hundreds of pages: whoever reads next removes what is no longer fresh. */
  const sweep = async (request: PreparedRequest, key: string): Promise<void> => {
    const now = clock.now();
    const cachedUntil = now + (await getFreshMs(request)) + lingerMs;
    const stale = await records.update<Record<string, number>, string[]>('read-index', request.accountKey, (before) => {
      const all = Object.entries({ ...before, [key]: cachedUntil });
      return {
        state: Object.fromEntries(all.filter(([, until]) => until > now)),
        result: all.filter(([, until]) => until <= now).map(([name]) => name),
      };
    });
    for (const name of stale) {
      const isLed = await records.update<Head, boolean>('read-head', name, (head) => {
        const leads = (head?.leader?.until ?? 0) > now;
        return leads ? { state: head, result: true } : { state: undefined, result: false };
      });
      if (isLed) continue;
      parsed.delete(name);
      await records.update('read-body', name, () => ({ state: undefined, result: undefined }));
    }
  };

  const use = async (
    request: PreparedRequest,
    key: string,
    choice: CacheDecision & { kind: 'use' },
  ): Promise<ParsedResponse | undefined> => {
    const memo = parsed.get(key);
    const { version, askedAt, answeredAt } = choice;
    if (memo?.version === version) return { data: memo.data, text: '', askedAt, answeredAt, shared: true };
    if (request.context.needsComplete && request.endpoint.toKeep) return undefined;
    const body = await records.read<{ version: string; text: string }>('read-body', key);
    if (body?.version !== version) return undefined;
    const data = readData(request, body.text);
    // A part must not be taken for the whole later.
    if (!request.endpoint.toKeep) remember(key, version, data);
    return { data, text: body.text, askedAt, answeredAt, shared: true };
  };

  return { choose, keep, renew, use };
}

/** A number that is another one after every write of ours. */
export const readCacheVersion = async (records: KeyValueStore, accountKey: string): Promise<number> =>
  (await records.read<number>('read-epoch', accountKey)) ?? 0;

/** Nothing that was asked for until now is handed out any more. */
export const invalidateReads = (records: KeyValueStore, accountKey: string): Promise<void> =>
  records.update<number, void>('read-epoch', accountKey, (epoch) => ({ state: (epoch ?? 0) + 1, result: undefined }));
