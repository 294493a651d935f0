/** How much one server takes: every wait has an end, and everything that is kept has a most. */
export interface HttpServerLimits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly jsonValues: number;
  /** Parts of bodies and answers that are not taken, of all connections together. */
  readonly heldBytes: number;
  /** Messages in one body: they are all worked off in one go, and other clients wait for it. */
  readonly batchMessages: number;
  /** From the first byte of a request to the end of its headers, and to the end of its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection on which nothing is asked. */
  readonly idleConnectionMs: number;
  /** A connection whose other side takes nothing of what is written. */
  readonly stalledConnectionMs: number;
  readonly requestsPerConnection: number;
  /** Requests that a client sends on one connection before it has the answer to the one before. */
  readonly waitingRequests: number;
  /** Connections that have shown the token. */
  readonly connections: number;
  /** Further connections, which have not, and how long they may stay so. */
  readonly untrustedConnections: number;
  readonly untrustedMs: number;
  readonly sessions: number;
  /** Calls that run at the same time. */
  readonly calls: number;
  /** A session that nobody uses. */
  readonly idleSessionMs: number;
  /** How often a stream says that it is still there: proxies cut what is silent for a minute. */
  readonly signOfLifeMs: number;
}

export const defaultLimits: HttpServerLimits = {
  bodyBytes: 96 * 1024,
  jsonDepth: 64,
  jsonValues: 20_000,
  batchMessages: 20,
  heldBytes: 4 * 1024 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleConnectionMs: 30_000,
  stalledConnectionMs: 120_000,
  requestsPerConnection: 10_000,
  waitingRequests: 8,
  connections: 256,
  untrustedConnections: 512,
  untrustedMs: 5_000,
  sessions: 64,
  calls: 64,
  idleSessionMs: 30 * 60_000,
  signOfLifeMs: 15_000,
};
