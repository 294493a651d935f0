/** The response to bytes that are not an HTTP request, for the two small servers of this program. */

/** Returns a complete HTTP response as text, after which the caller closes the connection. */
export function malformedRequestResponse(error: { readonly code?: string }, headers: Readonly<Record<string, string>>) {
  const status = statuses.get(error.code) ?? '400 Bad Request';
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

const statuses = new Map<string | undefined, string>([
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
]);
