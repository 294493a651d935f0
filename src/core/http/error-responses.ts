/** A refused request: an HTTP status, and a JSON-RPC error for clients that read only the body. */
export interface HttpErrorResponse {
  readonly status: number;
  /** JSON-RPC error code. */
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
  host: refusal(403, 'This server does not accept this Host header.'),
  origin: refusal(403, 'This server does not accept this Origin header.'),
  path: refusal(404, 'Not found. The MCP endpoint is /mcp.'),
  noToken: refusal(401, 'A bearer token is required.', { 'www-authenticate': challenge }),
  wrongToken: refusal(401, 'The bearer token is invalid.', {
    'www-authenticate': `${challenge}, error="invalid_token"`,
  }),
  onlyGet: refusal(405, 'Method not allowed. Use GET.', { allow: 'GET, HEAD' }),
  method: refusal(405, 'Method not allowed. Use POST, GET or DELETE.', { allow: 'GET, POST, DELETE' }),
  type: refusal(415, 'The body must be uncompressed application/json.'),
  tooLarge: refusal(413, 'The body is too large.'),
  tooComplex: {
    ...refusal(400, 'The body has too many values or is nested too deeply.'),
    code: -32_700,
  },
  batch: { ...refusal(400, 'The batch has too many messages; send a smaller batch.'), code: -32_600 },
  notJson: { ...refusal(400, 'The body is not valid JSON.'), code: -32_700 },
  header: refusal(400, 'A header is malformed.'),
  noSession: refusal(400, 'The Mcp-Session-Id header is missing; start a session with initialize.'),
  unknownSession: { ...refusal(404, 'The session does not exist; start a new one with initialize.'), code: -32_001 },
  idInUse: { ...refusal(400, 'A call with this id is already running.'), code: -32_600 },
  tooManyCalls: refusal(503, 'Too many calls are running; try again later.', { 'retry-after': '10' }),
  tooManyConnections: refusal(503, 'All connections are in use; try again later.', { 'retry-after': '10' }),
  full: refusal(503, 'All sessions are in use; try again later.', { 'retry-after': '10' }),
  stopping: refusal(503, 'The server is stopping.', { 'retry-after': '10' }),
  failed: { ...refusal(500, 'Internal server error.'), code: -32_603 },
} as const satisfies Record<string, HttpErrorResponse>;

export const refusalBody = ({ code, message }: HttpErrorResponse): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
