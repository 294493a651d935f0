import { type Endpoint, endpoints } from '../../catalogue/index.ts';
import type { Clock } from '../../clock.ts';
import type { KeyValueStore } from '../ports.ts';
import { initialLimit, type LimitState } from './limit-state.ts';
import { limitKey, limitNamespace, specLimit } from './limiter.ts';
import { availability } from './slot-schedule.ts';

export interface RateLimitStatus {
  readonly endpoint: string;
  readonly limit: number;
  readonly periodSeconds: number;
  /** Whether the limit is the specification's or what the service's headers said. */
  readonly source: 'spec' | 'headers';
  /** Requests that may leave now. */
  readonly free: number;
  /** Seconds until the next one may. */
  readonly freeInSeconds: number;
  /** How old the shared answer is (its first page, for a history); undefined when there is none. */
  readonly cachedSecondsAgo: number | undefined;
}

/** What is left of each endpoint's allowance, as far as the store knows. Sends nothing. */
export async function listRateLimits(
  deps: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
): Promise<RateLimitStatus[]> {
  const rows: RateLimitStatus[] = [];
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    if (!endpoint.limit) continue;
    const kept = await deps.records.read<LimitState>(limitNamespace, limitKey(accountKey, endpoint));
    const state = kept ?? initialLimit(endpoint.limit);
    const { free, freeInMs } = availability(state, deps.clock.now());
    rows.push({
      endpoint: `${endpoint.method} ${endpoint.path}`,
      limit: state.requests,
      periodSeconds: state.periodMs / 1000,
      source: state.source,
      free,
      freeInSeconds: Math.ceil(freeInMs / 1000),
      cachedSecondsAgo: await readCacheAge(deps, accountKey, endpoint),
    });
  }
  return rows;
}

export interface EndpointLimit {
  readonly requests: number;
  readonly periodMs: number;
  /** How long the limit keeps the next request back; a request on its way counts as answered now. */
  readonly freeInMs: number;
}

/** The limit of an endpoint as it is known now: what the headers said, else the specification's. Sends nothing. */
export async function readLimit(
  { records, clock }: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
  endpoint: Endpoint,
): Promise<EndpointLimit> {
  const kept = await records.read<LimitState>(limitNamespace, limitKey(accountKey, endpoint));
  const state = kept ?? initialLimit(specLimit(endpoint));
  const { requests, periodMs } = state;
  return { requests, periodMs, freeInMs: availability(state, clock.now()).freeInMs };
}

/** How long the limit keeps the next request to an endpoint back (ms); 0 while one of them is on its way. */
export async function nextRequestInMs(
  { records, clock }: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
  endpoint: Endpoint,
): Promise<number> {
  const state = await records.read<LimitState>(limitNamespace, limitKey(accountKey, endpoint));
  if (!state || state.slots.some(({ answeredAt }) => answeredAt === undefined)) return 0;
  return availability(state, clock.now()).freeInMs;
}

async function readCacheAge(
  { records, clock }: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
  endpoint: Endpoint,
): Promise<number | undefined> {
  if (endpoint.effect !== 'read') return undefined;
  for (const path of [endpoint.path, `${endpoint.path}?limit=50`]) {
    const head = await records.read<{ version?: string; answeredAt: number }>('read-head', `${accountKey} ${path}`);
    if (head?.version !== undefined) return Math.max(0, Math.round((clock.now() - head.answeredAt) / 1000));
  }
  return undefined;
}
