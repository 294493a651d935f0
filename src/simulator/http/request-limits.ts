/** Rate limits per endpoint or older path: windows that start with their first request and allow bursts. */
import { type Endpoint, type EndpointId, endpoints } from '../../core/endpoints/index.ts';
import type { Quirks } from '../testing/quirks.ts';

interface Window {
  startedAt: number;
  used: number;
}

/** How long (ms) a full window still refuses requests after its end, when that quirk is on. */
const windowMarginMs = 45;

/** The limit of an endpoint, or one of one request per period under a name of its own. */
export type LimitName = EndpointId | { readonly name: string; readonly periodSeconds: number };

export interface RequestLimits {
  /** Counts a request; returns false when it exceeds the limit. */
  take(limit: LimitName, nowMs: number): boolean;
  /** Counts requests of another client of the account. */
  spend(limit: LimitName, requests: number, nowMs: number): void;
  headers(limit: LimitName, nowMs: number): Record<string, string>;
  /** Returns the headers of a limit of which nothing is used; for a request that counts to no limit. */
  unusedHeaders(limit: LimitName | undefined, nowMs: number): Record<string, string>;
  /** Returns the time (ms) that the limit leaves for one request: its period divided by its requests. */
  shareMs(limit: LimitName): number;
}

const histories = new Set<EndpointId>(['listHistoricalOrders', 'listDividends', 'listTransactions']);

export function createRequestLimits(quirks: Quirks, scale: number): RequestLimits {
  const windows = new Map<string, Window>();
  const getLimit = (id: LimitName | undefined) => {
    if (typeof id === 'object') return { requests: 1, periodMs: id.periodSeconds * 1000 * scale };
    const limit = (id && (endpoints[id] as Endpoint).limit) ?? { requests: 1000, periodSeconds: 1 };
    const requests = id && histories.has(id) ? (quirks.historyRequests ?? limit.requests) : limit.requests;
    return { requests, periodMs: limit.periodSeconds * 1000 * scale };
  };
  const current = (id: LimitName, nowMs: number): Window => {
    const name = typeof id === 'object' ? id.name : id;
    const known = windows.get(name);
    const { requests, periodMs } = getLimit(id);
    const isFull = known !== undefined && known.used >= requests;
    const grace = quirks.refuseAtBoundary && isFull ? windowMarginMs : 0;
    if (known && nowMs < known.startedAt + periodMs + grace) return known;
    const fresh = { startedAt: nowMs, used: 0 };
    windows.set(name, fresh);
    return fresh;
  };
  const writeHeaders = ({ requests, periodMs }: ReturnType<typeof getLimit>, { used, startedAt }: Window) => {
    const reset = (startedAt + periodMs) / 1000;
    return {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-period': String(periodMs / 1000),
      'x-ratelimit-remaining': String(requests - used),
      // Full seconds, except where a scaled period is shorter than one second.
      'x-ratelimit-reset': String(scale === 1 ? Math.ceil(reset) : Number(reset.toFixed(3))),
      'x-ratelimit-used': String(used),
    };
  };
  return {
    shareMs(id) {
      const { requests, periodMs } = getLimit(id);
      return Math.ceil(periodMs / requests);
    },
    take(id, nowMs) {
      const window = current(id, nowMs);
      if (window.used >= getLimit(id).requests) return false;
      window.used++;
      return true;
    },
    spend(id, requests, nowMs) {
      const window = current(id, nowMs);
      window.used = Math.min(getLimit(id).requests, window.used + requests);
    },
    headers: (id, nowMs) => writeHeaders(getLimit(id), current(id, nowMs)),
    unusedHeaders: (id, nowMs) => writeHeaders(getLimit(id), { startedAt: nowMs, used: 0 }),
  };
}
