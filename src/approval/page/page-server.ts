/** The HTTP server of the page, on the loopback address, for a small number of connections. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { createConnectionGate } from '../../http/connection-gate.ts';
import { malformedRequestResponse } from '../../http/malformed-request.ts';
import { safetyHeaders } from './headers.ts';
import { type HandlerDeps, notFound, openTicket, postDecision, showStatus, showTicket } from './page-handlers.ts';
import { type PageResponse, plainReply, send } from './page-reply.ts';
import { checkHost, checkOrigin, checkSite, checkType } from './request-guards.ts';

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

/** Creates the server. It calls `parts` for each request, because the port is known only when the server listens. */
export const createApprovalServer = (parts: () => Omit<HandlerDeps, 'trust'>, clock: Clock): Server =>
  createPageServer((request, trust) => reply({ ...parts(), trust }, request), failed, clock);

/** Creates a server of checked requests. `whenFailed` is the response when `respond` throws. */
export function createPageServer(
  respond: (request: IncomingMessage, trust: HandlerDeps['trust']) => Promise<PageResponse>,
  whenFailed: PageResponse,
  clock: Clock,
): Server {
  const trust = ({ socket }: IncomingMessage) => void gate.trust(socket);
  const server = createServer(limits, (request, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(clock.now()).toUTCString());
    respond(request, trust)
      // The response does not contain the error, because its text may hold anything.
      .catch(() => whenFailed)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  });
  const gate = createConnectionGate(server, connections);
  server.on('clientError', sendMalformedRequest);
  return server;
}

const openRoute = /^\/open\/([\w-]{1,128})$/;
const route = /^\/approve\/([\w-]{1,128})(\/status)?$/;

async function reply(parts: HandlerDeps, request: IncomingMessage): Promise<PageResponse> {
  const refused = checkHost(request, parts);
  if (refused) return refused;
  // Chat programs may append a query to the address; it is ignored.
  const [path = ''] = (request.url ?? '').split('?');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const [, token] = openRoute.exec(path) ?? [];
  if (token !== undefined)
    return request.method === 'GET' ? (checkSite(request) ?? openTicket(parts, request, token)) : wrongMethod('GET');
  const [, handle, isStatus] = route.exec(path) ?? [];
  if (handle === undefined) return notFound();
  if (isStatus) {
    if (!isRead) return wrongMethod('GET, HEAD');
    return checkSite(request) ?? showStatus(parts, request, handle);
  }
  if (isRead) return showTicket(parts, request, handle);
  if (request.method !== 'POST') return wrongMethod('GET, HEAD, POST');
  return (
    checkSite(request) ?? checkOrigin(request, parts) ?? checkType(request) ?? postDecision(parts, request, handle)
  );
}

const wrongMethod = (allow: string): PageResponse =>
  plainReply(405, 'Method not allowed', 'You can view, approve or reject a ticket.', { allow });

const failed = plainReply(
  500,
  'Internal server error',
  'Your decision may or may not have been recorded. Open the address of the page again to see the state of the order.',
);

/** Input that is not HTTP, too long or too slow does not become a request. */
function sendMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(malformedRequestResponse(error, safetyHeaders), () => socket.destroy());
}
