import type * as z from 'zod';

/**
 * What a call does to the account.
 * - `read`: changes nothing.
 * - `place`: can move money and is not idempotent; only the order manager sends it.
 * - `cancel`: requests the cancellation of an order; it names the order, so repeating it is harmless.
 * - `write`: changes something that is not an order (pies, report requests).
 */
export type Effect = 'read' | 'place' | 'cancel' | 'write';

/** The path contains the API version (docs/interface.md, Basics). */
export const pathPrefix = '/api/v0';

/** The path of the one request that goes to an address returned by the service, on any host. */
export const externalLinkPath = '{link}';

/**
 * The definition of one endpoint (docs/interface.md, Endpoints). The rest of the program derives everything else
 * from it.
 */
export interface Endpoint<Response extends z.ZodType = z.ZodType> {
  /** Its name in this program, also the key of its limit and its cache. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Without the prefix `/api/v0`. `{id}` is the only path parameter. */
  readonly path: `/equity/${string}` | typeof externalLinkPath;
  readonly effect: Effect;
  /** Requests per period and account (docs/interface.md, Rate limits), used until response headers say otherwise. */
  readonly limit: { readonly requests: number; readonly periodSeconds: number };
  /** Query parameters that can be sent. `nextPagePath` may contain more. */
  readonly query?: readonly string[];
  /** The strict schema of the request body. */
  readonly body?: z.ZodType;
  readonly response: Response;
  /** How long (seconds) a response can be shared, if longer than one limit period. */
  readonly freshSeconds?: number;
  readonly deprecated?: true;
  /**
   * Returns the part of a response to store for other processes; by default all of it. Pre-signed links are never
   * stored.
   */
  readonly toKeep?: (data: unknown) => unknown;
}

export type ResponseOf<E extends Endpoint> = z.output<E['response']>;

export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;
