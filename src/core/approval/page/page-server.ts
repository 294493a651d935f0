/** The HTTP server of a page, on the loopback address, for a small number of connections. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { createConnectionGate } from '../../http/connection-gate.ts';
import { malformedRequestResponse } from '../../http/http-reply.ts';
import { log } from '../../log.ts';
import type { PublicPage } from '../../settings/config.ts';
import { type PageResponse, safetyHeaders, send } from './page-reply.ts';
import { createScriptFaults, getOpenPath, type PageDeps } from './page-routes.ts';
import { createCsrf, createOneTimeAddresses, type ServerOrigin } from './request-guards.ts';

/** The running server of a page. */
export interface PageServer {
  /** Where a person reaches it: the public origin where it has one, else that of the loopback address. */
  readonly origin: string;
  /** An address for the arguments of the program that opens a browser. It leads to the page once. */
  createOneTimeUrl(handle: string): string;
  /** Closes immediately, including open connections. */
  close(): Promise<void>;
}

export interface PageServerOptions {
  /** The beginning of the names of its cookies. */
  readonly name: string;
  readonly clock: Clock;
  /** How long its one-time addresses can be opened (ms); as long as an approval without it. */
  readonly lifeMs?: number | undefined;
  /** Where a proxy passes it on; undefined for a page of this machine alone. */
  readonly publicPage?: PublicPage | undefined;
  readonly respond: (deps: PageDeps, request: IncomingMessage) => Promise<PageResponse>;
  /** The response when `respond` throws. It does not contain the error, because its text may hold anything. */
  readonly whenFailed: PageResponse;
}

/** Starts a server on 127.0.0.1, on a free port unless it is public, and resolves when it listens. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { name, clock, lifeMs, publicPage, respond, whenFailed } = options;
  const csrf = createCsrf();
  const oneTime = createOneTimeAddresses(clock, lifeMs);
  const takeScriptFault = createScriptFaults();
  // A request can only arrive when the server listens, and then the port is known.
  let place: ServerOrigin = { origin: '', host: '', cookieName: '' };
  let publicPlace: ServerOrigin | undefined;
  const server = createPageServer(
    async (request, trust) => {
      const isPublic = publicPlace !== undefined && request.headers.host === publicPlace.host;
      const at = (isPublic && publicPlace) || place;
      const reply = await respond({ ...at, isPublic, csrf, oneTime, takeScriptFault, trust }, request);
      return at.origin.startsWith('https:') ? withSecureCookies(reply) : reply;
    },
    whenFailed,
    clock,
  );
  const isListed = publicPage !== undefined && (await listen(server, publicPage.port));
  if (!isListed) await listen(server, 0);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const host = `127.0.0.1:${port}`;
  place = { origin: `http://${host}`, host, cookieName: `${name}-${port}` };
  if (isListed) publicPlace = { ...place, origin: publicPage.origin, host: new URL(publicPage.origin).host };
  return {
    origin: (publicPlace ?? place).origin,
    // It is for the browser of this machine.
    createOneTimeUrl: (handle) => place.origin + getOpenPath(oneTime.create(handle)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Resolves when the server listens; with false when another program has the port, as the server of another environment:
 * then the page is for this machine alone.
 */
async function listen(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    log.warn('approval_page_not_public', { reason: 'port in use', port });
    return false;
  }
}

/** A browser sends a cookie of the public name over TLS alone. */
function withSecureCookies({ headers, ...reply }: PageResponse): PageResponse {
  const { 'set-cookie': cookies = [], ...others } = headers ?? {};
  return { ...reply, headers: { ...others, 'set-cookie': [cookies].flat().map((text) => `${text}; Secure`) } };
}

const limits = {
  headersTimeout: 2000,
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  // The server checks the host itself, so that the refusal has all headers.
  requireHostHeader: false,
};
/**
 * A browser opens about six connections. A request for a ticket follows immediately, so connections without one are
 * closed after a short time.
 */
const connections = { maxUntrusted: 16, maxTrusted: 24, maxUntrustedMs: 10_000 };

function createPageServer(
  respond: (request: IncomingMessage, trust: PageDeps['trust']) => Promise<PageResponse>,
  whenFailed: PageResponse,
  clock: Clock,
): Server {
  const trust = ({ socket }: IncomingMessage) => void gate.trust(socket);
  const server = createServer(limits, (request, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(clock.now()).toUTCString());
    respond(request, trust)
      .catch((error: unknown) => {
        // A browser that disconnected is no fault; and the message of a fault could repeat the passphrase.
        if (!request.socket.destroyed) log.fault('an approval page', error, { hasSecret: true });
        return whenFailed;
      })
      .then((answer) => send(response, answer))
      .catch((error: unknown) => {
        log.fault('an approval page', error);
        response.destroy();
      });
  });
  const gate = createConnectionGate(server, connections);
  server.on('clientError', sendMalformedRequest);
  return server;
}

/** Input that is not HTTP, too long or too slow does not become a request. */
function sendMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(malformedRequestResponse(error, safetyHeaders), () => socket.destroy());
}
