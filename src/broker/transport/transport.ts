import type { Pool } from 'undici';
import { type Endpoint, endpoints } from '../../catalogue/index.ts';
import type { Clock } from '../../clock.ts';
import type { Handler, HttpResponse, PreparedRequest } from '../pipeline-types.ts';
import { isRateLimitBody } from '../response/error-bodies.ts';
import { createRedactor, type Redactor } from '../response/redact.ts';
import { joinUrl } from '../service-url.ts';
import { type Connection, connectMs, openConnection } from './connection.ts';
import { type ExchangeLimits, type RawResponse, sendRequest, type WireRequest } from './send-request.ts';

/** A key with its secret, or one that has none (interface.md section 5: two schemes). */
export interface SentKey {
  readonly key: string;
  readonly secret?: string | undefined;
}

export interface TransportDeps {
  readonly origin: string | (() => Promise<string>);
  readonly credentials: () => Promise<SentKey | undefined>;
  /** True for the sandbox: its files are where it is now, and not where it was when it told their addresses. */
  readonly filesMove?: boolean | undefined;
  /** Of this program, beside the credentials: hidden wherever an answer repeats them. */
  readonly otherSecrets?: readonly string[] | undefined;
  readonly clock: Clock;
}

const mebibyte = 1024 * 1024;
const maxOrderResponseBytes = 64 * 1024;

/** How long one attempt of an endpoint may take at most, from the first to the last byte. */
export const responseTimeoutMs = (endpoint: Endpoint): number =>
  endpoint.effect !== 'read' ? 15_000 : endpoint.limit ? 30_000 : 120_000;

/** How long a slot of an endpoint can be in use. */
export const attemptTimeoutMs = (endpoint: Endpoint): number => connectMs + responseTimeoutMs(endpoint);

/** Answers about one thing: an account or an order has some dozens of fields, a pie some dozens of instruments. */
const single = new Set<string>([
  endpoints.getAccountSummary.id,
  endpoints.getPendingOrder.id,
  endpoints.cancelOrder.id,
  endpoints.getPie.id,
]);

/** Several times what an honest answer has: what is larger costs the process time before anything can refuse it. */
function getMaxBytes(endpoint: Endpoint): number {
  if (endpoint.effect === 'place') return maxOrderResponseBytes;
  // Only the file behind a link has no limit of the interface; a year of rows is larger than any answer.
  if (!endpoint.limit) return 64 * mebibyte;
  if (endpoint.id === endpoints.listInstruments.id) return 32 * mebibyte;
  return single.has(endpoint.id) ? mebibyte / 8 : 2 * mebibyte;
}

export interface Transport {
  readonly send: Handler<HttpResponse>;
  /** A connection on which nothing has been sent, and the request that is ready to leave on it. */
  prepare(request: PreparedRequest): Promise<{ connection: Connection; send: () => Promise<HttpResponse> }>;
}

/** The only door to the network: HTTP/1.1, one request per slot, no redirect followed, nothing sent twice. */
export function createTransport(deps: TransportDeps): Transport {
  const reads = createReadPool();

  const originNow = async () => (typeof deps.origin === 'string' ? deps.origin : await deps.origin());

  const resolveUrl = async ({ link, path }: PreparedRequest): Promise<URL> => {
    if (!link) return joinUrl(await originNow(), path);
    return deps.filesMove ? new URL(link.pathname + link.search, await originNow()) : link;
  };

  const toWireRequest = async (request: PreparedRequest, address: URL): Promise<WireRequest> => {
    // A link is signed already and on a host that must never see our key.
    const credentials = request.link ? undefined : await deps.credentials();
    return {
      method: request.endpoint.method,
      path: `${address.pathname}${address.search}`,
      headers: {
        accept: request.link ? '*/*' : 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'brokerage-mcp',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(credentials ? { authorization: formatAuthorization(credentials) } : {}),
      },
      body: request.body,
    };
  };

  const getRedactor = createRedactors(deps.otherSecrets ?? []);

  /** The answer as everything else sees it: without our secrets and those of a link, and known for what it is. */
  const redacted = async (request: PreparedRequest, answer: RawResponse): Promise<HttpResponse> => {
    const redactor = getRedactor(await deps.credentials().catch(() => undefined), request.link);
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, redactor.text(value)]);
    const isFile = request.link !== undefined && answer.status === 200;
    const text = isFile ? redactor.text(answer.text) : redactor.body(answer.text);
    const isRateLimited = answer.status === 429 || isRateLimitBody(text);
    return { ...answer, headers: Object.fromEntries(headers), text, isRateLimited };
  };

  const getLimits = ({ endpoint, context }: PreparedRequest): ExchangeLimits => {
    const isRead = endpoint.effect === 'read';
    const attemptMs = attemptTimeoutMs(endpoint);
    return {
      maxBytes: getMaxBytes(endpoint),
      responseTimeoutMs: responseTimeoutMs(endpoint),
      // Nobody is helped by giving up on a write that is on its way: its answer is worth its full time.
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
      // A kept-alive connection can close in the moment of sending, and a write must not ask which came first.
      if (request.endpoint.method !== 'GET' || request.link) return (await prepare(request)).send();
      const address = await resolveUrl(request);
      const pool = await reads.getPool(address.origin);
      return redacted(request, await sendRequest(pool, await toWireRequest(request, address), getLimits(request)));
    },
  };
}

/**
 * A pair as RFC 7617 has it, without a newline inside or after it. A key alone as it is. spec: not shown; services
 * with this interface have taken the bare key.
 */
const formatAuthorization = ({ key, secret }: SentKey): string =>
  secret === undefined ? key : `Basic ${Buffer.from(`${key}:${secret}`, 'utf8').toString('base64')}`;

/** Parameters of a link that are as long as this may sign it. */
const minSignatureLength = 16;

/** Redactors are made once for a key; a link has one of its own. */
function createRedactors(others: readonly string[]) {
  let current: { readonly name: string; readonly redactor: Redactor } | undefined;
  return ({ key, secret }: Partial<SentKey> = {}, link: URL | undefined) => {
    const pair = secret === undefined ? undefined : `${key}:${secret}`;
    const own = [key, secret, pair, ...others];
    if (link) {
      const signatures = [...link.searchParams.values()].filter((value) => value.length >= minSignatureLength);
      return createRedactor([...own, link.href, ...signatures]);
    }
    const name = JSON.stringify([key, secret]);
    if (current?.name !== name) current = { name, redactor: createRedactor(own) };
    return current.redactor;
  };
}

/** Keep-alive connections to the one origin that is in use; the sandbox's can change in mid-life. */
function createReadPool() {
  let current: { readonly origin: string; readonly pool: Pool } | undefined;
  return {
    getPool: async (origin: string): Promise<Pool> => {
      // Loaded with the first request: a server that only lists its tools never pays for it.
      const undici = await import('./undici.ts');
      if (current?.origin !== origin) {
        void current?.pool.close().catch(() => undefined);
        const pool = new undici.Pool(origin, { connections: 16, allowH2: false, connect: { timeout: connectMs } });
        current = { origin, pool };
      }
      return current.pool;
    },
  };
}
