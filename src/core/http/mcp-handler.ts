/** /mcp: serves both generations of the protocol at one path; each request shows which one it uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest, type McpServer, type RequestId } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import type { HttpServerLimits } from './http-limits.ts';
import { type SendOptions, toWebRequest, writeResponse } from './http-reply.ts';
import type { HeldBytes } from './request-body.ts';
import { createSessions, type Session } from './sessions.ts';

export interface McpEndpointDeps {
  /** Builds one server per client, or per request in the stateless generation. */
  readonly buildServer: () => McpServer;
  readonly clock: Clock;
  readonly limits: HttpServerLimits;
  readonly held: HeldBytes;
}

export interface McpEndpoint {
  /**
   * Handles a request whose body has been read. Returns a refusal for the caller to send, or undefined when a response
   * was sent.
   */
  handle(request: IncomingMessage, json: unknown, response: ServerResponse): Promise<HttpErrorResponse | undefined>;
  sessions(): number;
  close(): Promise<void>;
}

export function createMcpEndpoint({ buildServer, clock, limits, held }: McpEndpointDeps): McpEndpoint {
  // Without `onerror`: client errors go to the client only, because a client could fill the log with them.
  const { fetch: answerNewer, close } = createMcpHandler(buildServer, {
    legacy: 'reject',
    keepAliveMs: limits.signOfLifeMs,
  });
  const sessions = createSessions({ buildServer, clock, limits });

  const findSession = (request: Request, json: unknown): Session | HttpErrorResponse => {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return sessions.find(id) ?? refusals.unknownSession;
    if (!isInitialize(json)) return refusals.noSession;
    return sessions.open() ?? refusals.full;
  };

  const handleStateful = async (
    request: Request,
    json: unknown,
    send: (answer: Promise<Response>) => Promise<void>,
  ) => {
    const session = findSession(request, json);
    if ('status' in session) return session;
    if (listRequestIds(json).some(session.calls.has)) return refusals.idInUse;
    const streams = Number(request.method === 'GET');
    session.arriving++;
    session.streams += streams;
    session.usedAt = clock.now();
    try {
      const answer = session.ready.then(() => session.transport.handleRequest(request, { parsedBody: json }));
      await send(answer.finally(() => session.arriving--));
    } finally {
      session.streams -= streams;
      session.usedAt = clock.now();
      // The first message was not a handshake, so no client knows the id of this session: end it.
      if (session.transport.sessionId === undefined) await session.end();
    }
    return undefined;
  };

  let calls = 0;
  const answer = async (
    request: Request,
    json: unknown,
    send: (answer: Promise<Response>) => Promise<void>,
  ): Promise<HttpErrorResponse | undefined> => {
    if (await isLegacyRequest(request, json)) return handleStateful(request, json, send);
    await send(answerNewer(request, { parsedBody: json }));
    return undefined;
  };

  return {
    handle: async (incoming, json, response) => {
      if (Array.isArray(json) && json.length > limits.batchMessages) return refusals.batch;
      // A GET opens the stream of its session, and a notification starts no call, so neither counts.
      const count = listRequestIds(json).length;
      if (count > 0 && calls + count > limits.calls) return refusals.tooManyCalls;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      // The client may have disconnected while its body was read.
      if (response.destroyed) gone.abort();
      let request: Request;
      try {
        request = toWebRequest(incoming, gone.signal);
      } catch {
        // The client sent a header that no request can have.
        return refusals.header;
      }
      const takesStream = request.headers.get('accept')?.includes('text/event-stream') ?? false;
      const options: SendOptions = { signOfLifeMs: limits.signOfLifeMs, takesStream, held };
      calls += count;
      try {
        return await answer(request, json, (found) => writeResponse(found, response, options));
      } finally {
        calls -= count;
      }
    },
    sessions: sessions.count,
    close: async () => {
      await Promise.allSettled([sessions.close(), close()]);
    },
  };
}

/** Whether a body is an initialize request; the older generations allow a batch of one. */
function isInitialize(json: unknown): boolean {
  const message: unknown = Array.isArray(json) && json.length === 1 ? json[0] : json;
  return (message as { method?: unknown } | null)?.method === 'initialize';
}

/** Returns the ids of the calls in a body. */
function listRequestIds(json: unknown): RequestId[] {
  const messages = (Array.isArray(json) ? json : [json]) as ({ method?: unknown; id?: RequestId } | null | undefined)[];
  return messages.flatMap((message) =>
    message?.method !== undefined && message.id !== undefined && message.id !== null ? [message.id] : [],
  );
}
