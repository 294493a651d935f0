import type { EndpointId } from '../../catalogue/index.ts';

/**
 * What goes wrong on the wire. "Applied" says whether the request did what it asks for: whether an
 * order was booked. A request with bad credentials or over its limit takes no fault from the queue.
 *
 * | kind | applied | what the client sees |
 * |---|---|---|
 * | resetBeforeRead | no | connection reset, the body was never read |
 * | resetAfterRead | yes | connection reset without an answer |
 * | hangBeforeApply | no | no answer, for `ms` or for ever; then a reset |
 * | hang | yes | no answer, for `ms` or for ever; then a reset |
 * | slowAnswer | yes | the whole answer, `ms` late |
 * | slowBody | yes | headers at once, the body in pieces over `ms` (default 30 s) |
 * | truncatedBody | yes | half of the announced body, then a reset |
 * | malformedJson | yes | a body that is whole but no JSON |
 * | hugeBody | yes | a body of `bytes` (default 32 MiB) |
 * | empty2xx | yes | `status` (default 200) without a body |
 * | status | no | `status` (default 500) with an error body |
 * | statusAfterApply | yes | `status` (default 500) with an error body |
 * | redirect | no | `status` (default 307) to `location` (default: the same path) |
 * | rateLimitedWithoutHeaders | no | 429 without a single header about the limit |
 * | orderWithoutId | yes | the order, without its id |
 * | alteredEcho | yes | the order, with another quantity than was asked for |
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
  | 'orderWithoutId'
  | 'alteredEcho';

export interface Fault {
  endpoint: EndpointId | '*';
  kind: FaultKind;
  /** How often it happens; default once. Counts down, and the fault leaves the queue at 0. */
  times?: number;
  /** How many requests pass before it happens the first time; counts down. */
  after?: number;
  /** Milliseconds of the simulator's clock. */
  ms?: number;
  status?: number;
  location?: string;
  bytes?: number;
}

/** The fault for this request, if its turn has come. */
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
