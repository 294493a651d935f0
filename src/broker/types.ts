/** What the broker side takes and gives. The only way to the network is `call`, `pages` and `place`. */
import type { Endpoint, ResponseOf } from '../catalogue/index.ts';
import type { BrokerageError } from '../errors.ts';
import type { AuthorizedOrder } from './authorized-order.ts';

/** Who waits for a slot of the same limit: the first named goes first. `lookUp` finds out about an order of ours. */
export type Priority = 'cancel' | 'place' | 'lookUp' | 'read' | 'sync';

/** What a call needs to know about the one who makes it. */
export interface CallContext {
  readonly priority: Priority;
  /** The moment (this program's clock, ms) after which the caller no longer waits. */
  readonly deadlineAt: number;
  /** The moment (ms) until which it waits for the rate limit; left out: until `deadlineAt`. */
  readonly waitUntil?: number | undefined;
  /** Aborts what has not been sent yet, and reads at any time. */
  readonly signal?: AbortSignal | undefined;
  /** Takes no answer that was asked for before this moment (ms); baselines and waits set it. */
  readonly notBefore?: number | undefined;
  /** Takes no answer of which a part was not kept (the links of reports): reads it here instead. */
  readonly needsComplete?: boolean | undefined;
  /** Told once when the call has to wait for the limit. */
  readonly onWait?: ((wait: { readonly waitMs: number }) => void) | undefined;
}

export interface CallRequest {
  /** The `{id}` of the path. */
  readonly id?: string | undefined;
  /** The address, for `reportFile` alone. */
  readonly link?: string | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Parsed by the endpoint's strict body schema before anything is sent. */
  readonly body?: unknown;
}

export interface ReadResult<Data> {
  readonly data: Data;
  /** When it was asked for (ms, this program's clock): what was written since may not be in it. */
  readonly askedAt: number;
  /** When the service gave this answer (ms, this program's clock); a shared answer keeps its time. */
  readonly answeredAt: number;
  /** True when an earlier or somebody else's request was shared instead of sending one. */
  readonly shared: boolean;
  /** How far the service's clock is ahead of this program's (ms, by its Date header); unknown for a shared answer. */
  readonly serviceOffsetMs?: number | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly askedAt: number;
  readonly answeredAt: number;
  /** What asks for the page after this one; undefined at the end of the data. Opaque, may be kept. */
  readonly next: PageCursor | undefined;
  /** The walk ends here because the way on makes no sense: the rows are right, and not all. */
  readonly chainError?: BrokerageError | undefined;
}

/** The query of the next page, as parsed from `nextPagePath`. */
export type PageCursor = Readonly<Record<string, string>>;

export type PagedEndpoint = Endpoint & { readonly query: readonly string[] };

export type ItemOf<E extends Endpoint> = ResponseOf<E> extends { items: (infer Item)[] } ? Item : never;

/** What happened to an order on its way out. The desk turns it into a state; nothing here decides. */
export type PlaceResult =
  /** Provably not sent: the failure came before the connection was up. */
  | { readonly kind: 'not_connected'; readonly reason: string }
  /** Provably not sent: the desk's commit said no. */
  | { readonly kind: 'not_committed' }
  /** Committed, and provably not sent: the time to write it had passed by then. */
  | { readonly kind: 'not_written'; readonly reason: string }
  /** No slot within the time: not sent. */
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  /** A complete answer was read. `body` is undefined when it is empty or not JSON. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly error: ServiceError | undefined;
      readonly tooManyRequests: boolean;
      readonly retryAfterSeconds: number | undefined;
      readonly date: string | undefined;
    }
  /** The bytes may have arrived, and no complete answer came back. */
  | { readonly kind: 'lost'; readonly reason: string };

/** The desk's last word: undefined is no; else the moment (ms) after which not a byte may be written any more. */
export type CommitCallback = () => Promise<{ readonly writeBy: number } | undefined>;

/** What one of the four error bodies says, cleaned: never the raw body. */
export interface ServiceError {
  readonly code: string | undefined;
  readonly detail: string | undefined;
}

export interface Broker {
  /** One request of a read, a cancel or a write that is not an order. */
  call<E extends Endpoint>(endpoint: E, request: CallRequest, context: CallContext): Promise<ReadResult<ResponseOf<E>>>;
  /** The pages of a history, newest first, each through the whole chain. */
  pages<E extends PagedEndpoint>(
    endpoint: E,
    walk: { readonly from?: PageCursor | undefined },
    context: CallContext,
  ): AsyncGenerator<Page<ItemOf<E>>, void, undefined>;
  /**
   * Sends one cleared order: slot, connection, then `commit` (the desk's transaction), then the bytes.
   * Never throws after `commit` has said yes, and never sends twice.
   */
  place(order: AuthorizedOrder, commit: CommitCallback, context: CallContext): Promise<PlaceResult>;
}
