/** An error response; the quirks determine the shape of its body. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong in detail, where the response says less; for the log of requests. */
  readonly explanation: string | undefined;
  constructor(status: number, code: string, detail: string, explanation?: string) {
    super(detail);
    this.status = status;
    this.code = code;
    this.explanation = explanation;
  }
}

/** Observed: the service does not say what it rejects in a body. */
export const invalid = (explanation: string): ApiError =>
  new ApiError(400, 'invalid-request', 'Invalid payload', explanation);
export const notFound = (what: string): ApiError => new ApiError(404, 'entity-not-found', `${what} does not exist`);
export const unknownTicker = (ticker: string): ApiError => notFound(`Provided ticker '${ticker}'`);
