import type * as z from 'zod';

/**
 * What a call does to the account.
 * - `read`: changes nothing.
 * - `place`: may move money and is not idempotent; leaves through the order desk alone.
 * - `cancel`: asks for an order to be cancelled; naming the order makes repeating it harmless.
 * - `write`: changes something that is not an order (pies, report requests).
 */
export type Effect = 'read' | 'place' | 'cancel' | 'write';

/** The version is carried in the path (docs/interface.md, Basics). */
export const pathPrefix = '/api/v0';

/** The path of the one request that goes to an address the service handed out, on any host. */
export const externalLinkPath = '{link}';

/** One endpoint (docs/interface.md, Endpoints). Everything else about it is derived from this. */
export interface Endpoint<Response extends z.ZodType = z.ZodType> {
  /** Its name in this program: also the key of its limit and its cache. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the prefix `/api/v0`; `{id}` is the one path parameter there is. */
  readonly path: `/equity/${string}` | typeof externalLinkPath;
  readonly effect: Effect;
  /** Requests per period and account (docs/interface.md, Rate limits), until the headers say otherwise. */
  readonly limit?: { readonly requests: number; readonly periodSeconds: number };
  /** Query parameters that may be sent. `nextPagePath` may carry more. */
  readonly query?: readonly string[];
  /** The strict schema of the request body. */
  readonly body?: z.ZodType;
  readonly response: Response;
  /** How long an answer may be shared, when it is longer than one limit period. */
  readonly freshSeconds?: number;
  readonly deprecated?: true;
  /** What is kept of an answer for other processes; left out: all of it. Pre-signed links are never kept. */
  readonly toKeep?: (data: unknown) => unknown;
}

export type ResponseOf<E extends Endpoint> = z.output<E['response']>;

export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;
