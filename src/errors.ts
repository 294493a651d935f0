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

export interface ErrorDetails {
  /** Seconds after which the same call can succeed. */
  retryAfterSeconds?: number;
  /** The broker's own code, for example `insufficient-free-for-stocks-buy`. */
  brokerCode?: string;
  /** The HTTP status that the broker answered with. */
  status?: number;
  [fact: string]: unknown;
}

/** What keeps a store from being used. */
export type StoreFault =
  | 'access_denied'
  | 'certificate'
  | 'connection_broken'
  | 'crashed'
  | 'damaged'
  | 'disk_full'
  | 'disk_trouble'
  | 'ending'
  | 'folder_unusable'
  | 'fsync_off'
  | 'held'
  | 'newer_version'
  | 'no_answer'
  | 'no_connection_left'
  | 'no_database'
  | 'no_folder'
  | 'no_permission'
  | 'no_sqlite'
  | 'no_tables'
  | 'not_writable'
  | 'out_of_memory'
  | 'server_trouble'
  | 'shut_down'
  | 'standby'
  | 'starting'
  | 'too_slow'
  | 'unreachable';

/** What is behind an error, for other parts of this program to decide by; clients are not shown it. */
export interface ErrorCause {
  readonly store?: StoreFault;
  /** The code of the network's error, for example `ECONNREFUSED`. */
  readonly network?: string | undefined;
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
  readonly facts: ErrorDetails;
  override readonly cause: ErrorCause | undefined;

  constructor(code: ErrorCode, message: string, next: string, facts: ErrorDetails = {}, cause?: ErrorCause) {
    super(message);
    this.cause = cause;
    this.code = code;
    this.next = next;
    this.facts = facts;
  }
}

export interface UsageErrorDetails {
  /** What to do, where one can say it; it follows the message in the same line. */
  readonly next?: string;
  /** `config.json` is no JSON. */
  readonly code?: 'not_json';
  /** The key file that is at fault. */
  readonly file?: string;
}

/** A mistake in how the program was started: shown on standard error as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'StartError';
  /** What is wrong: a whole sentence, or one that goes on with `facts.next`. */
  readonly problem: string;
  readonly facts: UsageErrorDetails;

  constructor(problem: string, facts: UsageErrorDetails = {}) {
    super(facts.next === undefined ? problem : `${problem}; ${facts.next}`);
    this.problem = problem;
    this.facts = facts;
  }
}

/** Whether somebody went away: the name is all that the errors of an AbortSignal, of whatever maker, have in common. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
