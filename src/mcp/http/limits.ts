/** How much one server takes: every wait has an end, and everything that is kept has a most. */
export interface HttpLimits {
  readonly bodyBytes: number;
  /** From the first byte of a request to the end of its headers, and to the end of its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection on which nothing is asked. */
  readonly idleConnectionMs: number;
  /** A connection whose other side takes nothing of what is written. */
  readonly stalledConnectionMs: number;
  readonly requestsPerConnection: number;
  readonly connections: number;
  readonly sessions: number;
  /** A session that nobody uses. */
  readonly idleSessionMs: number;
  /** How often a stream says that it is still there: proxies cut what is silent for a minute. */
  readonly signOfLifeMs: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleConnectionMs: 30_000,
  stalledConnectionMs: 120_000,
  requestsPerConnection: 10_000,
  connections: 256,
  sessions: 64,
  idleSessionMs: 30 * 60_000,
  signOfLifeMs: 15_000,
};
