/** Limits of one HTTP server: every wait has a timeout, and everything kept has a maximum. */
export interface HttpServerLimits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly jsonValues: number;
  /** Bytes of incomplete bodies and unread responses, of all connections together. */
  readonly heldBytes: number;
  /** Messages in one body. They are processed in one turn while other clients wait. */
  readonly batchMessages: number;
  /** Time from the first byte of a request to the end of its headers, and to the end of its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Time after which a connection without a request is closed. */
  readonly idleConnectionMs: number;
  /** Time after which a connection is closed when its client reads none of what is written. */
  readonly stalledConnectionMs: number;
  readonly requestsPerConnection: number;
  /** Requests that a client may send on one connection before it has received the previous response. */
  readonly waitingRequests: number;
  /** Trusted connections: those that have sent the token. */
  readonly connections: number;
  /** Untrusted connections, which have not sent the token, and how long they may stay so. */
  readonly untrustedConnections: number;
  readonly untrustedMs: number;
  readonly sessions: number;
  /** Calls that run at the same time. */
  readonly calls: number;
  /** Time after which an unused session ends. */
  readonly idleSessionMs: number;
  /** Heartbeat interval of a stream; proxies cut a connection that is silent for a minute. */
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
