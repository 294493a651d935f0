/** What travels down the chain and back; nothing outside the broker sees these. */
import type { Endpoint } from '../catalogue/index.ts';
import type { CallContext, CallRequest } from './types.ts';

/** A call as its maker wrote it. */
export interface BrokerCall {
  readonly endpoint: Endpoint;
  readonly request: CallRequest;
  readonly context: CallContext;
}

/** A call that the policy has let through, in the form in which it leaves. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly context: CallContext;
  readonly accountKey: string;
  /** Path and query below the prefix. */
  readonly path: string;
  /** For an address that the service handed out: it takes the place of origin and path. */
  readonly link?: URL | undefined;
  readonly body?: string | undefined;
  /** Told when a slot has been taken, before the bytes leave; once per attempt. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

/** A complete answer, of any status. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Refused for the rate limit, under whatever status. */
  readonly isRateLimited: boolean;
  /** When the bytes left and when the first of the answer came (ms, this program's clock). */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** A 2xx answer that was understood. */
export interface ParsedResponse {
  readonly data: unknown;
  readonly text: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly shared: boolean;
  readonly serviceOffsetMs?: number | undefined;
}

export type Handler<Result> = (request: PreparedRequest) => Promise<Result>;

/** `next => request => response`: it may look at both, answer itself, or call `next` more than once. */
export type Interceptor<Inner, Outer = Inner> = (next: Handler<Inner>) => Handler<Outer>;
