import type { EndpointId } from '../../core/endpoints/index.ts';
import type { FaultKind } from '../testing/faults.ts';

/** One received request, in the order of arrival. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  /** Undefined for paths that are not endpoints. */
  readonly endpoint: EndpointId | undefined;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
  /** Whether an Authorization header was sent. */
  readonly authorized: boolean;
  /** Status of the response; 0 when none was sent. */
  status: number;
  /** Whether it exceeded the rate limit. */
  refused: boolean;
  /** Id of the order that this request booked. */
  orderId?: string;
  fault?: FaultKind;
  /** Why the request was refused. The response often says less, as the service's do. */
  explanation?: string;
}

const maxEntries = 20_000;

export function addToLog(log: LoggedRequest[], entry: LoggedRequest): void {
  log.push(entry);
  if (log.length > maxEntries) log.splice(0, log.length - maxEntries);
}
