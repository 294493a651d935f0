/** The types that pass between interceptors; nothing outside the broker uses them. */
import type { Endpoint } from '../endpoints/index.ts';
import type { CallContext, CallRequest } from './types.ts';

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
