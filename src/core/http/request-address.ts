/**
 * One request over one connection to addresses that the caller has checked. The name is not resolved again, no redirect
 * is followed, and headers, body and time of the response have a bound.
 */

import type { Address } from './public-address.ts';

export interface CheckedCall {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** For the connection and the complete response (ms). */
  readonly timeoutMs: number;
  /** Largest body of a response (bytes). */
  readonly maxBytes: number;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the body of a response is read. Another response ends with its headers. */
  readonly reads: (status: number, headers: ResponseHeaders) => boolean;
  /** Certificates to trust instead of those of Node (PEM). */
  readonly ca?: string | undefined;
  /** Instead of the port of the URL. */
  readonly port?: number | undefined;
}

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface AddressResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined when it was not read. */
  readonly body: Buffer | undefined;
}

/** Largest size of the headers of a response (bytes). */
const maxHeaderBytes = 8 * 1024;

/**
 * Connects to the addresses, whatever the name resolves to by then, and sends the request once. Throws the error of the
 * HTTP client (with a `code`) when no complete response arrives in time or the signal aborts.
 */
export async function requestAddress(
  url: URL,
  addresses: readonly Address[],
  request: CheckedCall,
): Promise<AddressResponse> {
  const { buildConnector, Client } = await import('../broker/transport/undici.ts');
  const { timeoutMs, signal } = request;
  const connect = buildConnector({
    timeout: timeoutMs,
    maxCachedSessions: 0,
    // NODE_TLS_REJECT_UNAUTHORIZED must not open what is sent here.
    rejectUnauthorized: true,
    ...(request.ca === undefined ? {} : { ca: request.ca }),
    lookup: (_host, { all }, done) => {
      const [first] = addresses;
      if (all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family ?? 4);
    },
  });
  const client = new Client(originOf(url, request.port), {
    connect,
    maxHeaderSize: maxHeaderBytes,
    maxResponseSize: request.maxBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  // undici watches a signal only once it is connected.
  const end = () => void client.destroy();
  const deadline = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  try {
    const { method, headers: sent, body: text = null } = request;
    const path = url.pathname + url.search;
    const { statusCode, headers, body } = await client.request({ method, path, headers: sent, body: text });
    const isRead = request.reads(statusCode, headers);
    return { status: statusCode, headers, body: isRead ? Buffer.from(await body.arrayBuffer()) : undefined };
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', end);
    await client.destroy();
  }
}

const originOf = ({ protocol, hostname, origin }: URL, port: number | undefined): string =>
  port === undefined ? origin : `${protocol}//${hostname}:${port}`;
