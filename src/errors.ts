/** Every way in which a call can fail, by a stable code. The code is public: clients may depend on it. */
export type ErrorCode =
  | 'invalid_argument'
  | 'unknown_ticker'
  | 'unknown_tool'
  | 'not_found'
  | 'read_only'
  | 'not_configured'
  | 'rate_limited'
  | 'unauthorized'
  | 'forbidden'
  | 'rejected'
  | 'unreachable'
  | 'timeout'
  | 'upstream_error'
  | 'unexpected_answer'
  | 'store_unavailable'
  | 'cancelled'
  | 'internal';

export interface ErrorFacts {
  /** Seconds after which the same call can succeed. */
  retryAfterSeconds?: number;
  /** The broker's own code, for example `insufficient-free-for-stocks-buy`. */
  brokerCode?: string;
  /** The HTTP status that the broker answered with. */
  status?: number;
  [fact: string]: unknown;
}

/**
 * The one error family. `message` is one sentence, `next` says what to do about it; `facts` are
 * details that a program can use (nearest tickers, seconds). None of them may hold a secret, a raw
 * upstream body or a stack trace, because all of them are shown to the model.
 */
export class BrokerageError extends Error {
  override readonly name = 'BrokerageError';
  readonly code: ErrorCode;
  readonly next: string;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, next: string, facts: ErrorFacts = {}) {
    super(message);
    this.code = code;
    this.next = next;
    this.facts = facts;
  }
}

/** A mistake in how the program was started: shown on standard error as one line, exit code 2. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
