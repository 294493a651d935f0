import { type Endpoint, endpoints } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { freedom, initialLimit, type LimitState } from './limit-ledger.ts';
import { limitKey, limitSpace } from './limits.ts';
import type { Records } from './ports.ts';

export interface EndpointAllowance {
  readonly endpoint: string;
  readonly limit: number;
  readonly periodSeconds: number;
  /** Whether the limit is the specification's or what the service's headers said. */
  readonly source: 'spec' | 'headers';
  /** Requests that may leave now. */
  readonly free: number;
  /** Seconds until the next one may. */
  readonly freeInSeconds: number;
}

/** What is left of each endpoint's allowance, as far as the store knows. Sends nothing. */
export async function listAllowance(
  deps: { readonly records: Records; readonly clock: Clock },
  accountKey: string,
): Promise<EndpointAllowance[]> {
  const rows: EndpointAllowance[] = [];
  for (const endpoint of Object.values<Endpoint>(endpoints)) {
    if (!endpoint.limit) continue;
    const kept = await deps.records.read<LimitState>(limitSpace, limitKey(accountKey, endpoint));
    const state = kept ?? initialLimit(endpoint.limit);
    const { free, freeInMs } = freedom(state, deps.clock.now());
    rows.push({
      endpoint: `${endpoint.method} ${endpoint.path}`,
      limit: state.requests,
      periodSeconds: state.periodMs / 1000,
      source: state.source,
      free,
      freeInSeconds: Math.ceil(freeInMs / 1000),
    });
  }
  return rows;
}
