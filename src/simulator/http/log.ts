import type { EndpointId } from '../../catalogue/index.ts';
import type { FaultKind } from '../testing/faults.ts';

/** One request that reached us, in the order of arrival. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  /** Undefined for paths outside the interface. */
  readonly endpoint: EndpointId | undefined;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
  /** The Authorization header was there. */
  readonly authorized: boolean;
  /** What was answered; 0 when nothing was. */
  status: number;
  /** Over the limit. */
  refused: boolean;
  /** The order that this request booked, as the account knows it. */
  orderId?: string;
  fault?: FaultKind;
}

const maxEntries = 20_000;

export function addToLog(log: LoggedRequest[], entry: LoggedRequest): void {
  log.push(entry);
  if (log.length > maxEntries) log.splice(0, log.length - maxEntries);
}
