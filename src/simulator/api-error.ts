/** An error response; the quirks determine the shape of its body. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export const invalid = (detail: string): ApiError => new ApiError(400, 'invalid-request', detail);
export const notFound = (what: string): ApiError => new ApiError(404, 'entity-not-found', `${what} does not exist`);
