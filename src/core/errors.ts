/** Every way in which a call can fail. The codes are public: clients may depend on them. */
export type ErrorCode =
  | 'invalid_argument'
  | 'account_required'
  | 'unknown_ticker'
  | 'unknown_tool'
  | 'not_found'
  | 'read_only'
  | 'not_configured'
  | 'rate_limited'
  | 'unauthorized'
  | 'forbidden'
  | 'blocked'
  | 'rejected'
  | 'unreachable'
  | 'timeout'
  | 'upstream_error'
  | 'unexpected_answer'
  | 'store_unavailable'
  | 'draft_changed'
  | 'draft_closed'
  | 'draft_expired'
  | 'submission_open'
  | 'cancelled'
  | 'internal'
  | 'amount_over_cash'
  | 'amount_over_holdings'
  | 'history_incomplete'
  | 'no_price'
  | 'weights_over_100';

/** What to do where the service refuses access: the same after a read and after an order. */
export const accessFixes = {
  unauthorized:
    'Check BROKER_ENV, BROKER_API_KEY and BROKER_API_SECRET (a key that was created with a secret needs the secret).',
  forbidden: 'Check the permissions of the key in the brokerage application.',
  blocked: 'Send nothing for 10 minutes, then try again.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export interface ErrorDetails {
  /** Seconds after which the same call can succeed. */
  retryAfterSeconds?: number;
  /** The broker's own code, for example `insufficient-free-for-stocks-buy`. */
  brokerCode?: string;
  /** The HTTP status of the broker's response. */
  status?: number;
  [fact: string]: unknown;
}

/** Why a store cannot be used. */
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
  | 'read_only_disk'
  | 'server_trouble'
  | 'shut_down'
  | 'standby'
  | 'starting'
  | 'too_slow'
  | 'unreachable';

/** The cause of an error, which other parts of this program use for decisions; clients do not see it. */
export interface ErrorCause {
  readonly store?: StoreFault;
  /** The code of the network error, for example `ECONNREFUSED`. */
  readonly network?: string | undefined;
}

/**
 * An error that the program provides for: the code that throws it knows what its caller will do. Any other error is a
 * fault of the program, which belongs in the log.
 */
export class ExpectedError extends Error {}

/**
 * The error of all calls. `message` is one sentence, `next` says what to do about it, and `facts` are details that
 * a program can use (closest tickers, seconds). None of them may contain a secret, a raw upstream body or a stack
 * trace, because the model sees all of them.
 */
export class BrokerageError extends ExpectedError {
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

/** Whether a call failed with this code. */
export const hasCode = (error: unknown, code: ErrorCode): error is BrokerageError =>
  error instanceof BrokerageError && error.code === code;

/** Whether a call failed, so that its caller may do without: no fault of the program, and no cancellation. */
export const isFailure = (error: unknown): error is BrokerageError =>
  error instanceof BrokerageError && error.code !== 'cancelled';

export interface UsageErrorDetails {
  /** What to do, if that is known; it follows the message in the same line. */
  readonly next?: string;
  /** `config.json` is not valid JSON. */
  readonly code?: 'not_json';
  /** The key file that caused the error. */
  readonly file?: string;
}

/** A mistake in how the program was started. It is printed to standard error as one line, with exit code 2. */
export class UsageError extends ExpectedError {
  override readonly name = 'StartError';
  /** What is wrong: a complete sentence, or one that continues with `facts.next`. */
  readonly problem: string;
  readonly facts: UsageErrorDetails;

  constructor(problem: string, facts: UsageErrorDetails = {}) {
    super(facts.next === undefined ? problem : `${problem}; ${facts.next}`);
    this.problem = problem;
    this.facts = facts;
  }
}

/**
 * Whether an error means that a call was aborted. The name is the only thing that the errors of all AbortSignals
 * share.
 */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** For a promise that only an abort rejects on purpose, such as a sleep: drops the abort, and throws any other error. */
export function ignoreAbort(error: unknown): void {
  if (!isAbort(error)) throw error;
}

/**
 * For a promise that reads or removes a file: `readFile(path).catch(orIfRefused(undefined))`. Returns the value when the
 * operating system refused, for example because the file does not exist, and throws any other error.
 */
export const orIfRefused =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (isSystemError(error)) return value;
    throw error;
  };

/** Whether an error is a refusal of the operating system, such as ENOENT. */
export const isSystemError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

/** The error of a call that its caller has cancelled. */
export const cancelledError = (): BrokerageError =>
  new BrokerageError(
    'cancelled',
    'The call was cancelled before it finished.',
    'Call again if the result is still needed.',
  );
