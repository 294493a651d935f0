import type { Pool } from 'undici';
import type { Clock } from '../../clock.ts';
import { type Endpoint, endpoints, externalLinkPath } from '../../endpoints/index.ts';
import { orElse } from '../../log.ts';
import { isBlockBody, isRateLimitBody } from '../response/http-errors.ts';
import { createRedactor, type Redactor } from '../response/redact.ts';
import { joinUrl } from '../service-url.ts';
import type { Handler, HttpResponse, PreparedRequest } from '../types.ts';
import { type Connection, connectMs, openConnection } from './connection.ts';
import { type ExchangeLimits, type RawResponse, sendRequest, type WireRequest } from './send-request.ts';

/** A key with its secret, or a key alone (interface.md section 5: two schemes). */
export interface SentKey {
  readonly key: string;
  readonly secret?: string | undefined;
}

export interface TransportDeps {
  readonly origin: string | (() => Promise<string>);
  readonly credentials: () => Promise<SentKey | undefined>;
  /** True for the sandbox, whose files are at its current address and not at the one in their links. */
  readonly reportsAtOrigin?: boolean | undefined;
  /** Secrets of this program besides the credentials; hidden wherever a response repeats them. */
  readonly otherSecrets?: readonly string[] | undefined;
  /** Receives the redactor of each key, for other texts that could contain it. */
  readonly onRedactor?: ((redactor: Redactor) => void) | undefined;
  readonly clock: Clock;
}

const mebibyte = 1024 * 1024;
const maxOrderResponseBytes = 64 * 1024;

/** The file behind a link: a year of rows is larger than any response of the service. */
const isFile = ({ path }: Endpoint): boolean => path === externalLinkPath;

/** The longest time for one attempt of an endpoint, from the first to the last byte (ms). */
const responseTimeoutMs = (endpoint: Endpoint): number =>
  endpoint.effect !== 'read' ? 15_000 : isFile(endpoint) ? 120_000 : 30_000;

/** The longest time for which a slot of an endpoint can be in use (ms). */
export const attemptTimeoutMs = (endpoint: Endpoint): number => connectMs + responseTimeoutMs(endpoint);

/**
 * Endpoints that return one object: an account or an order has some dozens of fields, a pie some dozens of
 * instruments.
 */
const single = new Set<string>([
  endpoints.getAccountSummary.id,
  endpoints.getPendingOrder.id,
  endpoints.cancelOrder.id,
  endpoints.getPie.id,
]);

/** Several times the size of a genuine response, because parsing a larger one takes time before it can be rejected. */
function getMaxBytes(endpoint: Endpoint): number {
  if (endpoint.effect === 'place') return maxOrderResponseBytes;
  if (isFile(endpoint)) return 32 * mebibyte;
  if (endpoint.id === endpoints.listInstruments.id) return 12 * mebibyte;
  return single.has(endpoint.id) ? mebibyte / 8 : 2 * mebibyte;
}

/** The list of 15,000 instruments has about 300,000 values, and a page of history about a thousand. */
function getMaxValues(endpoint: Endpoint): number | undefined {
  // What became of an order must not be lost, and its response has few bytes.
  if (endpoint.effect === 'place' || isFile(endpoint)) return undefined;
  return endpoint.id === endpoints.listInstruments.id ? 1_000_000 : 200_000;
}

export interface Transport {
  readonly send: Handler<HttpResponse>;
  /** Opens a connection on which nothing has been sent, with the request ready to be sent on it. */
  prepare(request: PreparedRequest): Promise<{ connection: Connection; send: () => Promise<HttpResponse> }>;
}

/** The only access to the network: HTTP/1.1, one request per slot, no redirects followed, nothing sent twice. */
export function createTransport(deps: TransportDeps): Transport {
  const reads = createReadPool();

  const originNow = async () => (typeof deps.origin === 'string' ? deps.origin : await deps.origin());

  const resolveUrl = async ({ link, path }: PreparedRequest): Promise<URL> => {
    if (!link) return joinUrl(await originNow(), path);
    return deps.reportsAtOrigin ? new URL(link.pathname + link.search, await originNow()) : link;
  };

  const getAuthorization = oncePerKey(formatAuthorization);
  const getRedactor = createRedactors(deps.otherSecrets ?? [], deps.onRedactor);

  const toWireRequest = async (request: PreparedRequest, address: URL): Promise<WireRequest> => {
    // A link is already signed, and its host must never receive the key.
    const credentials = request.link ? undefined : await deps.credentials();
    // The log hides the key from the first request on, whatever becomes of it.
    if (credentials) getRedactor(credentials, undefined);
    return {
      method: request.endpoint.method,
      path: `${address.pathname}${address.search}`,
      headers: {
        accept: request.link ? '*/*' : 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'brokerage-mcp',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(credentials ? { authorization: getAuthorization(credentials) } : {}),
      },
      body: request.body,
    };
  };

  /** The response without this program's secrets and those of a link, classified as a rate limit error, a block, or neither. */
  const redacted = async (request: PreparedRequest, answer: RawResponse): Promise<HttpResponse> => {
    const redactor = getRedactor(await deps.credentials().catch(orElse('requests', undefined)), request.link);
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, redactor.text(value)]);
    const isFile = request.link !== undefined && answer.status === 200;
    const text = isFile ? await redactor.file(answer.text) : redactor.body(answer.text);
    const isRateLimited = answer.status === 429 || isRateLimitBody(text);
    const isBlocked = isBlockBody(answer.status, text);
    return { ...answer, headers: Object.fromEntries(headers), text, isRateLimited, isBlocked };
  };

  const getLimits = ({ endpoint, context }: PreparedRequest): ExchangeLimits => {
    const isRead = endpoint.effect === 'read';
    const attemptMs = attemptTimeoutMs(endpoint);
    return {
      maxBytes: getMaxBytes(endpoint),
      maxValues: getMaxValues(endpoint),
      responseTimeoutMs: responseTimeoutMs(endpoint),
      // Cancelling a write in flight gains nothing, so it always gets its full time to respond.
      totalMs: isRead ? Math.min(attemptMs, Math.max(0, context.deadlineAt - deps.clock.now())) : attemptMs,
      signal: isRead ? context.signal : undefined,
      now: () => deps.clock.now(),
    };
  };

  const prepare: Transport['prepare'] = async (request) => {
    const address = await resolveUrl(request);
    const wire = await toWireRequest(request, address);
    const connection = await openConnection(address.origin, {
      totalMs: Math.max(0, request.context.deadlineAt - deps.clock.now()),
      signal: request.context.signal,
    });
    return { connection, send: async () => redacted(request, await connection.send(wire, getLimits(request))) };
  };

  return {
    prepare,
    send: async (request) => {
      // A kept-alive connection can close at the moment of sending, and then it is unknown whether a write arrived.
      // Only GET requests to the API reuse connections.
      if (request.endpoint.method !== 'GET' || request.link) return (await prepare(request)).send();
      const address = await resolveUrl(request);
      const pool = await reads.getPool(address.origin);
      return redacted(request, await sendRequest(pool, await toWireRequest(request, address), getLimits(request)));
    },
  };
}

/**
 * A pair is sent as in RFC 7617, without a newline within or after it. A key alone is sent unchanged. spec: not
 * shown; services with this interface have accepted the bare key.
 */
const formatAuthorization = ({ key, secret }: SentKey): string =>
  secret === undefined ? key : `Basic ${Buffer.from(`${key}:${secret}`, 'utf8').toString('base64')}`;

/** Keeps the result for the last key: each result is another copy of the secret in memory. */
function oncePerKey<Result>(make: (key: SentKey) => Result): (key: SentKey) => Result {
  let last: { readonly of: SentKey; readonly made: Result } | undefined;
  return (of) => {
    if (last?.of.key !== of.key || last.of.secret !== of.secret) last = { of, made: make(of) };
    return last.made;
  };
}

/** A link parameter of at least this length may be a signature. */
const minSignatureLength = 16;

/** Creates one redactor per key; each link gets its own. */
function createRedactors(others: readonly string[], onRedactor: TransportDeps['onRedactor']) {
  const listSecrets = ({ key, secret }: SentKey) => [
    key,
    secret,
    secret === undefined ? undefined : `${key}:${secret}`,
    ...others,
  ];
  const withoutKey = createRedactor(others);
  const forKey = oncePerKey((key) => {
    const redactor = createRedactor(listSecrets(key));
    onRedactor?.(redactor);
    return redactor;
  });
  return (key: SentKey | undefined, link: URL | undefined): Redactor => {
    if (!link) return key ? forKey(key) : withoutKey;
    const signatures = [...link.searchParams.values()].filter((value) => value.length >= minSignatureLength);
    return createRedactor([...(key ? listSecrets(key) : others), link.href, ...signatures]);
  };
}

/** Keep-alive connections to the current origin; the sandbox's origin can change while the process runs. */
function createReadPool() {
  let current: { readonly origin: string; readonly pool: Pool } | undefined;
  return {
    getPool: async (origin: string): Promise<Pool> => {
      // Loaded with the first request, so that a server that only lists its tools never loads it.
      const undici = await import('./undici.ts');
      if (current?.origin !== origin) {
        void current?.pool.close().catch(orElse('requests', undefined));
        const pool = new undici.Pool(origin, { connections: 16, allowH2: false, connect: { timeout: connectMs } });
        current = { origin, pool };
      }
      return current.pool;
    },
  };
}
