/** What is not served: an HTTP status, and a JSON-RPC error for clients that read nothing else. */
export interface HttpErrorResponse {
  readonly status: number;
  /** Of JSON-RPC. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpErrorResponse => ({
  status,
  code: -32_000,
  message,
  headers,
});

const challenge = 'Bearer realm="brokerage-mcp"';

export const refusals = {
  host: refusal(403, 'The Host header is not one that is served here.'),
  origin: refusal(403, 'The Origin header is not one that is served here.'),
  path: refusal(404, 'There is nothing at this address; MCP is at /mcp.'),
  noToken: refusal(401, 'A bearer token is needed.', { 'www-authenticate': challenge }),
  wrongToken: refusal(401, 'The bearer token is not right.', {
    'www-authenticate': `${challenge}, error="invalid_token"`,
  }),
  onlyGet: refusal(405, 'Only GET is done here.', { allow: 'GET, HEAD' }),
  method: refusal(405, 'Only POST, GET and DELETE are done here.', { allow: 'GET, POST, DELETE' }),
  type: refusal(415, 'The body must be application/json, and not compressed.'),
  tooLarge: refusal(413, 'The body is too large.'),
  tooComplex: {
    ...refusal(400, 'The body has too many values, or too many of them inside each other.'),
    code: -32_700,
  },
  batch: { ...refusal(400, 'The batch has too many messages; send fewer at a time.'), code: -32_600 },
  notJson: { ...refusal(400, 'The body is not JSON.'), code: -32_700 },
  header: refusal(400, 'A header cannot be understood.'),
  noSession: refusal(400, 'The Mcp-Session-Id header is missing; a session begins with initialize.'),
  unknownSession: { ...refusal(404, 'There is no such session; begin a new one with initialize.'), code: -32_001 },
  idInUse: { ...refusal(400, 'A call with this id is running.'), code: -32_600 },
  tooManyCalls: refusal(503, 'Too many calls are running.', { 'retry-after': '10' }),
  tooManyConnections: refusal(503, 'Every connection is busy.', { 'retry-after': '10' }),
  full: refusal(503, 'Every session is busy.', { 'retry-after': '10' }),
  stopping: refusal(503, 'The server is stopping.', { 'retry-after': '10' }),
  failed: { ...refusal(500, 'Something failed here.'), code: -32_603 },
} as const satisfies Record<string, HttpErrorResponse>;

export const refusalBody = ({ code, message }: HttpErrorResponse): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
