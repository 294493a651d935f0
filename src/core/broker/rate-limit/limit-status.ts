import type { Clock } from '../../clock.ts';
import { type Endpoint, endpoints } from '../../endpoints/index.ts';
import type { KeyValueStore } from '../types.ts';
import { availability, initialLimit, type LimitState } from './limit-state.ts';
import { limitKey, limitNamespace } from './limiter.ts';

/** The remaining allowance of one endpoint. */
export interface RateLimitStatus {
  readonly endpoint: string;
  readonly limit: number;
  readonly periodSeconds: number;
  /** Whether the limit comes from the specification or from the service's headers. */
  readonly source: 'spec' | 'headers';
  /** Requests that can be sent now. */
  readonly free: number;
  /** Seconds until the next request can be sent; 0 when one can be sent now. */
  readonly freeInSeconds: number;
  /** Age in seconds of the cached response (of the first page, for a history); undefined when there is none. */
  readonly cachedSecondsAgo: number | undefined;
}

/** The remaining allowance of each endpoint, as far as the store knows. Sends no request. */
export async function listRateLimits(
  deps: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
): Promise<RateLimitStatus[]> {
  const rows: RateLimitStatus[] = [];
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
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

/** The current limit of one endpoint. */
export interface EndpointLimit {
  readonly requests: number;
  readonly periodMs: number;
  /** Milliseconds until the next request is allowed, as if requests in flight ended now. */
  readonly freeInMs: number;
}

/** The current limit of an endpoint: from the service's headers, otherwise from the specification. Sends no request. */
export async function readLimit(
  { records, clock }: { readonly records: KeyValueStore; readonly clock: Clock },
  accountKey: string,
  endpoint: Endpoint,
): Promise<EndpointLimit> {
  const kept = await records.read<LimitState>(limitNamespace, limitKey(accountKey, endpoint));
  const state = kept ?? initialLimit(endpoint.limit);
  const { requests, periodMs } = state;
  return { requests, periodMs, freeInMs: availability(state, clock.now()).freeInMs };
}

/** Milliseconds until the next request to an endpoint is allowed; 0 while a request is in flight. Sends no request. */
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
