import type { EndpointId } from '../../core/endpoints/index.ts';

/**
 * Faults of the connection or the response. "Applied" means that the request took effect, for example that its order
 * was booked. A request with invalid credentials or over its rate limit takes no fault from the queue.
 *
 * | kind | applied | what the client sees |
 * |---|---|---|
 * | resetBeforeRead | no | connection reset, the body was never read |
 * | resetAfterRead | yes | connection reset without a response |
 * | hangBeforeApply | no | no response, for `ms` or for ever; then a reset |
 * | hang | yes | no response, for `ms` or for ever; then a reset |
 * | slowAnswer | yes | the complete response, `ms` late |
 * | slowBody | yes | headers at once, the body in pieces over `ms` (default 30 s) |
 * | truncatedBody | yes | half of the announced body, then a reset |
 * | malformedJson | yes | a complete body that is not JSON |
 * | hugeBody | yes | a body of `bytes` (default 32 MiB) |
 * | empty2xx | yes | `status` (default 200) without a body |
 * | status | no | `status` (default 500) with an error body |
 * | statusAfterApply | yes | `status` (default 500) with an error body |
 * | redirect | no | `status` (default 307) to `location` (default: the same path) |
 * | rateLimitedWithoutHeaders | no | 429 without any rate limit header |
 * | addressBlock | no | 403 of a proxy in front of the service: `error code: 1010` |
 * | orderWithoutId | yes | the order, without its id |
 * | alteredEcho | yes | the order, with another quantity than requested |
 */
export type FaultKind =
  | 'resetBeforeRead'
  | 'resetAfterRead'
  | 'hangBeforeApply'
  | 'hang'
  | 'slowAnswer'
  | 'slowBody'
  | 'truncatedBody'
  | 'malformedJson'
  | 'hugeBody'
  | 'empty2xx'
  | 'status'
  | 'statusAfterApply'
  | 'redirect'
  | 'rateLimitedWithoutHeaders'
  | 'addressBlock'
  | 'orderWithoutId'
  | 'alteredEcho';

export interface Fault {
  endpoint: EndpointId | '*';
  kind: FaultKind;
  /** Number of requests it applies to; default one. Counts down, and the fault leaves the queue at 0. */
  times?: number;
  /** Number of requests that pass before it first applies; counts down. */
  after?: number;
  /** Milliseconds of the simulator's clock. */
  ms?: number;
  status?: number;
  location?: string;
  bytes?: number;
}

/** Returns the fault for this request, and removes it from the queue when it is used up. */
export function takeFault(queue: Fault[], endpoint: EndpointId): Fault | undefined {
  for (const fault of queue) {
    if (fault.endpoint !== '*' && fault.endpoint !== endpoint) continue;
    if (fault.after) {
      fault.after -= 1;
      continue;
    }
    const left = (fault.times ?? 1) - 1;
    fault.times = left;
    if (left <= 0) queue.splice(queue.indexOf(fault), 1);
    return { ...fault };
  }
  return undefined;
}
