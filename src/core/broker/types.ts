/** The types of the broker's interface. `call`, `pages` and `place` are the only access to the network. */

import type { Endpoint, ResponseOf } from '../endpoints/index.ts';
import type { BrokerageError } from '../errors.ts';

/**
 * The order in which requests wait for a slot of the same limit, first to last. `lookUp` searches for an order of
 * this program.
 */
export type Priority = 'cancel' | 'place' | 'lookUp' | 'read' | 'sync';

/** What a call needs to know about its caller. */
export interface CallContext {
  readonly priority: Priority;
  /** When the caller stops waiting (ms, this program's clock). */
  readonly deadlineAt: number;
  /** When to stop waiting for the rate limit (ms, this program's clock); by default `deadlineAt`. */
  readonly waitUntil?: number | undefined;
  /** Aborts requests that have not been sent, and reads at any time. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects cached responses requested before this time (ms); baselines and waits set it. */
  readonly notBefore?: number | undefined;
  /** Rejects cached responses that were stored without their links (reports), and sends a request instead. */
  readonly needsComplete?: boolean | undefined;
  /** Called once when the call has to wait for the rate limit. */
  readonly onWait?: ((wait: { readonly waitMs: number }) => void) | undefined;
}

/** The arguments of a call; each endpoint uses those that its definition names. */
export interface CallRequest {
  /** The `{id}` in the path. */
  readonly id?: string | undefined;
  /** The URL, for `reportFile` only. */
  readonly link?: string | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Validated by the endpoint's strict body schema before anything is sent. */
  readonly body?: unknown;
}

/** The data of a response, and when it was requested and received. */
export interface ReadResult<Data> {
  readonly data: Data;
  /** When the request was sent (ms, this program's clock). Later writes may not be in the data. */
  readonly askedAt: number;
  /** When the service responded (ms, this program's clock); a shared response keeps its time. */
  readonly answeredAt: number;
  /** True when the response of an earlier or concurrent request was used instead of sending one. */
  readonly shared: boolean;
  /**
   * How far the service's clock is ahead of this program's (ms, by its Date header); undefined for a shared
   * response.
   */
  readonly serviceOffsetMs?: number | undefined;
}

/** One page of a history, newest rows first. `askedAt` and `answeredAt` are as in `ReadResult`. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly askedAt: number;
  readonly answeredAt: number;
  /** The query of the next page; undefined at the end of the list. Opaque, and can be stored. */
  readonly next: PageCursor | undefined;
  /** Set when the link to the next page is invalid: the rows are correct but incomplete. */
  readonly chainError?: BrokerageError | undefined;
}

/** The query of the next page, parsed from `nextPagePath`. */
export type PageCursor = Readonly<Record<string, string>>;

/** An endpoint whose response is a page of a history. */
export type PagedEndpoint = Endpoint & { readonly query: readonly string[] };

export type ItemOf<E extends Endpoint> = ResponseOf<E> extends { items: (infer Item)[] } ? Item : never;

/** What happened when an order was sent. The order manager converts it to a state. */
export type PlaceResult =
  /** Provably not sent: there was no open connection, or the caller cancelled before the commit. */
  | { readonly kind: 'not_connected'; readonly reason: string }
  /** Provably not sent: the order manager's commit returned undefined. */
  | { readonly kind: 'not_committed' }
  /** Committed, and provably not sent: the time limit for writing had passed. */
  | { readonly kind: 'not_written'; readonly reason: string }
  /** Not sent: no slot became free in time. */
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  /** A complete response arrived. `body` is undefined when it is empty or not JSON. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly error: ServiceError | undefined;
      readonly tooManyRequests: boolean;
      /** Refused by a proxy in front of the service, because of the address of this computer. */
      readonly isBlocked: boolean;
      readonly retryAfterSeconds: number | undefined;
      readonly date: string | undefined;
    }
  /** The request may have arrived, and no complete response came back. */
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * The order manager's final check. Undefined means do not send; otherwise the time (ms) after which nothing may be
 * written.
 */
export type CommitCallback = () => Promise<{ readonly writeBy: number } | undefined>;

/** The content of one of the four error bodies, sanitized; never the raw body. */
export interface ServiceError {
  readonly code: string | undefined;
  readonly detail: string | undefined;
}

/** The interface of the broker: every request to the service is made through it. */
export interface Broker {
  /**
   * Sends one read, cancellation or write that is not an order, or shares a cached response. Throws a
   * BrokerageError.
   */
  call<E extends Endpoint>(endpoint: E, request: CallRequest, context: CallContext): Promise<ReadResult<ResponseOf<E>>>;
  /** Reads the pages of a history, newest first, each through all interceptors. Throws a BrokerageError. */
  pages<E extends PagedEndpoint>(
    endpoint: E,
    walk: { readonly from?: PageCursor | undefined },
    context: CallContext,
  ): AsyncGenerator<Page<ItemOf<E>>, void, undefined>;
  /**
   * Sends one authorized order: slot, connection, then `commit` (the order manager's transaction), then the
   * request. Never throws after `commit` has returned a value, and never sends twice.
   */
  place(order: AuthorizedOrder, commit: CommitCallback, context: CallContext): Promise<PlaceResult>;
}

// The types that pass between interceptors; nothing outside the broker uses them.

/** A call as its caller made it. */
export interface BrokerCall {
  readonly endpoint: Endpoint;
  readonly request: CallRequest;
  readonly context: CallContext;
}

/** A validated call, in the form in which it is sent. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly context: CallContext;
  readonly accountKey: string;
  /** Path and query, without the prefix. */
  readonly path: string;
  /** An address that the service returned; it replaces origin and path. */
  readonly link?: URL | undefined;
  readonly body?: string | undefined;
  /** How long it waited for a slot of the rate limit (ms); undefined before it has one, or when it needs none. */
  readonly slotWaitMs?: number | undefined;
}

/** A complete response with any status. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Rejected because of the rate limit, with whatever status. */
  readonly isRateLimited: boolean;
  /** Refused by a proxy in front of the service, because of the address of this computer. */
  readonly isBlocked: boolean;
  /** When the request was sent and when the response started (ms, this program's clock). */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A 2xx response whose body has the expected format. */
export interface ParsedResponse {
  readonly data: unknown;
  readonly text: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly shared: boolean;
  readonly serviceOffsetMs?: number | undefined;
}

export type Handler<Result> = (request: PreparedRequest) => Promise<Result>;

/**
 * Wraps a handler. It can change the request and the response, respond without calling `next`, or call it more than
 * once.
 */
export type Interceptor<Inner, Outer = Inner> = (next: Handler<Inner>) => Handler<Outer>;

declare const authorized: unique symbol;

/**
 * An order whose intent is approved; the commit checks it again before it is sent. Only orders/send/send-order.ts may
 * create one; a lint rule and tests enforce it.
 */
export interface AuthorizedOrder {
  readonly [authorized]: true;
  readonly endpoint: Endpoint;
  /** The exact bytes of the request body. */
  readonly body: string;
  readonly intentId: string;
}

/** Marks an order as authorized. It checks nothing: the caller has read the intent in the state APPROVED. */
export const authorizeOrder = (order: Omit<AuthorizedOrder, typeof authorized>): AuthorizedOrder =>
  order as AuthorizedOrder;

/** The store interface that the broker needs. The store implements it; the composition root connects the two. */
export interface KeyValueStore {
  /**
   * Changes one small record atomically for all processes that share the store. `change` gets the current state
   * (undefined if there is none) and must have no side effects, because an engine may run it again. A `state` of
   * undefined deletes the record.
   */
  update<State, Result>(
    namespace: string,
    key: string,
    change: (state: State | undefined) => { state: State | undefined; result: Result },
  ): Promise<Result>;
  /** The state of a record; undefined if there is none. */
  read<State>(space: string, key: string): Promise<State | undefined>;
}

/** The name of the record that contains the account into which this one was merged. */
export const joinedName = (account: string): string => `joined ${account}`;
