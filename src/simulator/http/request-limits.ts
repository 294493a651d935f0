/** Rate limits per endpoint: windows that start with their first request and allow bursts. */
import { type Endpoint, type EndpointId, endpoints } from '../../catalogue/index.ts';
import type { Quirks } from '../testing/quirks.ts';

interface Window {
  startedAt: number;
  used: number;
}

/** How long (ms) a full window still refuses requests after its end, when that quirk is on. */
const windowMarginMs = 45;

export interface RequestLimits {
  /** Counts a request; returns false when it exceeds the limit. */
  take(id: EndpointId, nowMs: number): boolean;
  /** Counts requests of another client of the account. */
  spend(id: EndpointId, requests: number, nowMs: number): void;
  headers(id: EndpointId, nowMs: number): Record<string, string>;
  /** Returns the headers of a limit of which nothing is used; for a request that counts to no limit. */
  unusedHeaders(id: EndpointId | undefined, nowMs: number): Record<string, string>;
  /** Returns the time (ms) that the limit leaves for one request: its period divided by its requests. */
  shareMs(id: EndpointId): number;
}

const histories = new Set<EndpointId>(['listHistoricalOrders', 'listDividends', 'listTransactions']);

export function createRequestLimits(quirks: Quirks, scale: number): RequestLimits {
  const windows = new Map<EndpointId, Window>();
  const getLimit = (id: EndpointId | undefined) => {
    const limit = (id && (endpoints[id] as Endpoint).limit) ?? { requests: 1000, periodSeconds: 1 };
    const requests = id && histories.has(id) ? (quirks.historyRequests ?? limit.requests) : limit.requests;
    return { requests, periodMs: limit.periodSeconds * 1000 * scale };
  };
  const current = (id: EndpointId, nowMs: number): Window => {
    const known = windows.get(id);
    const { requests, periodMs } = getLimit(id);
    const isFull = known !== undefined && known.used >= requests;
    const grace = quirks.refuseAtBoundary && isFull ? windowMarginMs : 0;
    if (known && nowMs < known.startedAt + periodMs + grace) return known;
    const fresh = { startedAt: nowMs, used: 0 };
    windows.set(id, fresh);
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
