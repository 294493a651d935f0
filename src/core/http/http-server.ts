/** The HTTP server: node:http, with the access checks in front of every path. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { UsageError } from '../errors.ts';
import { log } from '../log.ts';
import {
  type AllowedHosts,
  type Authorize,
  checkHost,
  checkOrigin,
  checkType,
  owner,
  resolveAllowedHosts,
} from './access-guards.ts';
import { type AwaitTurn, createConnectionGate, createConnectionOrder, createFairQueue } from './connection-gate.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import { defaultLimits, type HttpServerLimits } from './http-limits.ts';
import { sendError, sendMalformedRequest, sendText } from './http-reply.ts';
import { createMcpEndpoint, type McpEndpoint, type McpEndpointDeps } from './mcp-handler.ts';
import { type ClientConnection, createHeldBytes, type HeldBytes, parseJson, readBody } from './request-body.ts';

interface HttpOptions extends Omit<McpEndpointDeps, 'limits' | 'held'> {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** Other host names by which clients reach the server, each with its port unless that is the default one. */
  readonly hosts: readonly string[];
  readonly authorize: Authorize;
  /** Returns what responds to a path that needs no token; undefined for the others. It checks the origin itself. */
  readonly routes?: ((path: string) => OpenRoute | undefined) | undefined;
  readonly limits?: Partial<HttpServerLimits>;
  /** Returns the text of /metrics; when undefined, the path does not exist. */
  readonly metrics?: () => Promise<string>;
  /** Receives the status of every response. */
  readonly onAnswer?: (status: number) => void;
}

export type OpenRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A listening HTTP server. */
export interface HttpServer {
  /** `http://HOST:PORT` */
  readonly origin: string;
  readonly isLoopback: boolean;
  sessions(): number;
  /** Open connections: those that have sent the token, and the others. */
  connections(): { readonly trusted: number; readonly untrusted: number };
  /** The grants that have a session or a request. */
  grants(): ReadonlySet<string>;
  /** Ends the sessions and the requests of a grant that was revoked. */
  endGrant(grant: string): Promise<void>;
  /** Stops accepting connections and requests; running requests continue. */
  stop(): void;
  /** Ends every session, stream and connection. */
  close(): Promise<void>;
}

/** Starts listening. Throws a UsageError when the address cannot be used. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const held = createHeldBytes(limits.heldBytes);
  const endpoint = createMcpEndpoint({ ...options, limits, held });
  const latest = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleConnectionMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    // Our own check rejects a missing Host header, with all response headers.
    requireHostHeader: false,
  });
  const gate = createConnectionGate(server, {
    maxTrusted: limits.connections,
    maxUntrusted: limits.untrustedConnections,
    maxUntrustedMs: limits.untrustedMs,
  });
  const router: Router = {
    options,
    limits,
    held,
    endpoint,
    takeTurn: createFairQueue(),
    // When every trusted connection is busy, one whose client keeps the server waiting is closed to make room.
    trust: (socket) => gate.trust(socket) || (held.closeOldest() && gate.trust(socket)),
    names: { hosts: new Set(), origins: new Set() },
    isStopping: false,
  };
  const serveInOrder = createConnectionOrder(limits.waitingRequests);
  server.on('request', (request, response) => {
    // The parser can still pass on what it has read of a closed connection, for which Node would raise an error each.
    if (request.socket.destroyed) return void request.destroy();
    latest.set(request.socket, response);
    response.once('close', () => response.headersSent && options.onAnswer?.(response.statusCode));
    serveInOrder(request.socket, response, () => void answerRequest(router, request, response));
  });
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.timeout = limits.stalledConnectionMs;
  server.on('clientError', (error, socket) => sendMalformedRequest(error, socket, latest.get(socket)));

  const { port, isLoopback } = await listen(server, options).catch(async (error: unknown) => {
    await endpoint.close();
    throw error;
  });
  router.names = resolveAllowedHosts({ host: options.host, port, isLoopback, others: options.hosts });
  return {
    origin: `http://${options.host}:${port}`,
    isLoopback,
    sessions: endpoint.sessions,
    connections: gate.count,
    grants: endpoint.grants,
    endGrant: endpoint.endGrant,
    stop: () => {
      router.isStopping = true;
      server.close();
    },
    close: async () => {
      router.isStopping = true;
      await closeServer(server, endpoint);
    },
  };
}

/** What a request is routed with; `names` is known when the server listens. */
interface Router {
  readonly options: HttpOptions;
  readonly limits: HttpServerLimits;
  readonly held: HeldBytes;
  readonly endpoint: McpEndpoint;
  readonly takeTurn: AwaitTurn;
  readonly trust: (socket: ClientConnection) => boolean;
  names: AllowedHosts;
  isStopping: boolean;
}

async function answerRequest(router: Router, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const refused = await routeRequest(router, request, response);
    if (refused) sendError(response, refused);
  } catch (error) {
    // The client has disconnected, so the error concerns no client. The request itself is destroyed once its body was
    // read.
    if (request.socket.destroyed || response.destroyed) return;
    log.fault('an HTTP request', error);
    if (response.headersSent) response.destroy();
    else sendFailure(response);
  }
}

function sendFailure(response: ServerResponse): void {
  try {
    sendError(response, refusals.failed);
  } catch {
    // The connection is broken, so no response can arrive.
    response.destroy();
  }
}

/** Sends the response, or returns the refusal to send. Nothing of a body is read before the token is checked. */
async function routeRequest(
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpErrorResponse | undefined> {
  const { options, endpoint } = router;
  const [path = ''] = (request.url ?? '').split('?');
  const foreign = checkHost(request, router.names);
  if (foreign) return foreign;
  const route = options.routes?.(path);
  if (route) return router.isStopping ? refusals.stopping : void (await route(request, response));
  const refused = checkOrigin(request, router.names);
  if (refused) return refused;
  if (path === '/health') {
    if (!isRead(request)) return refusals.onlyGet;
    const status = router.isStopping ? 'stopping' : 'ok';
    return void sendText(response, router.isStopping ? 503 : 200, 'application/json', JSON.stringify({ status }));
  }
  if (path !== '/mcp' && !(path === '/metrics' && options.metrics)) return refusals.path;
  const caller = await authorize(options, request);
  if ('status' in caller) return caller;
  // A client that was admitted for the tools has no use for the figures of the process.
  if (path === '/metrics' && caller !== owner) return refusals.wrongToken;
  if (!router.trust(request.socket)) return refusals.tooManyConnections;
  if (router.isStopping) return refusals.stopping;
  if (path === '/metrics') {
    if (!isRead(request)) return refusals.onlyGet;
    return void sendText(response, 200, metricsType, (await options.metrics?.()) ?? '');
  }
  if (request.method === 'GET' || request.method === 'DELETE')
    return endpoint.handle(request, caller, undefined, response);
  if (request.method !== 'POST') return refusals.method;
  return checkType(request) ?? handleBody(router, request, response);
}

const authorize = async (options: HttpOptions, { headers, headersDistinct }: IncomingMessage) =>
  options.authorize(headersDistinct.authorization ?? [], headers.host ?? '');

async function handleBody(
  { options, limits, held, takeTurn, endpoint }: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpErrorResponse | undefined> {
  // No event of a connection that closed during the check would end the reading.
  if (request.destroyed) return undefined;
  const body = await readBody(request, limits.bodyBytes, held);
  if ('refused' in body) return body.refused;
  // What the caller has may have ended while its body arrived.
  const caller = await authorize(options, request);
  if ('status' in caller) return caller;
  await takeTurn();
  // The connection may have been closed while the request waited.
  if (request.socket.destroyed) return undefined;
  const parsed = parseJson(body.bytes, limits);
  return 'refused' in parsed ? parsed.refused : endpoint.handle(request, caller, parsed.json, response);
}

async function closeServer(server: Server, endpoint: McpEndpoint): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await endpoint.close();
  // The streams flush their last bytes; a client that does not read them is cut after this time.
  const cut = setTimeout(() => server.closeAllConnections(), lastBytesMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

const lastBytesMs = 300;

/** Content type of the Prometheus text format. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

// Opens the listening socket, and explains to the user why it cannot.

interface ListenResult {
  /** The port in use, also when 0 was requested. */
  readonly port: number;
  /** Whether only programs of this machine can reach it. */
  readonly isLoopback: boolean;
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<ListenResult> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new UsageError(explain(error, `${host}:${port}`)));
    server.once('error', fail);
    // Node expects an IPv6 address without its brackets.
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port, backlog }, () => {
      server.off('error', fail);
      const at = server.address();
      if (at === null || typeof at === 'string') return reject(new Error('The server is not listening.'));
      resolve({ port: at.port, isLoopback: /^(::ffff:)?127\.|^::1$/.test(at.address) });
    });
  });
}

/** With a shorter backlog, a burst of connections makes clients wait a second before they try again. */
const backlog = 2_048;

function explain({ code }: NodeJS.ErrnoException, where: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program; choose another port, or port 0 for any free one.`;
    case 'EACCES':
      return `this user is not allowed to listen at ${where}; choose a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${where} is not an address of this machine; use 127.0.0.1 to accept connections from this machine only, or 0.0.0.0 to listen on all its addresses.`;
    default:
      return `cannot listen at ${where} (${code}).`;
  }
}
