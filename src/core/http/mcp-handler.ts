/** /mcp: serves both generations of the protocol at one path; each request shows which one it uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest, type McpServer, type RequestId } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { createChangeBus, isListenRequest, type ResourceChanges } from '../mcp/resource-changes.ts';
import type { Caller, Reach } from './access-guards.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import type { HttpServerLimits } from './http-limits.ts';
import { toWebRequest, writeResponse } from './http-reply.ts';
import type { HeldBytes } from './request-body.ts';
import { createSessions, type Session } from './sessions.ts';

export interface McpEndpointDeps {
  /** Builds one server per client, or per request in the stateless generation. */
  readonly buildServer: (reach: Reach) => McpServer;
  /** The resource that clients can listen to. */
  readonly changes?: ResourceChanges | undefined;
  readonly clock: Clock;
  readonly limits: HttpServerLimits;
  readonly held: HeldBytes;
}

export interface McpEndpoint {
  /**
   * Handles a request whose body has been read. Returns a refusal for the caller to send, or undefined when a response
   * was sent.
   */
  handle(
    request: IncomingMessage,
    caller: Caller,
    json: unknown,
    response: ServerResponse,
  ): Promise<HttpErrorResponse | undefined>;
  sessions(): number;
  /** The grants that have a session or a request. */
  grants(): ReadonlySet<string>;
  /** Ends the sessions and the requests of a grant that was revoked. */
  endGrant(grant: string): Promise<void>;
  close(): Promise<void>;
}

export function createMcpEndpoint({ buildServer, changes, clock, limits, held }: McpEndpointDeps): McpEndpoint {
  const newer = createNewerHandlers({ buildServer, changes, limits });
  const running = new Map<ServerResponse, string>();
  const sessions = createSessions({ buildServer, clock, limits });

  const findSession = (request: Request, caller: Caller, json: unknown): Session | HttpErrorResponse => {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return sessions.find(id, caller) ?? refusals.unknownSession;
    if (!isInitialize(json)) return refusals.noSession;
    return sessions.open(caller) ?? refusals.full;
  };

  const handleStateful = async (
    request: Request,
    caller: Caller,
    json: unknown,
    send: (answer: Promise<Response>) => Promise<void>,
  ) => {
    const session = findSession(request, caller, json);
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
    caller: Caller,
    json: unknown,
    send: (answer: Promise<Response>) => Promise<void>,
  ): Promise<HttpErrorResponse | undefined> => {
    if (await isLegacyRequest(request, json)) return handleStateful(request, caller, json, send);
    await send(newer[caller.reach].answerNewer(request, { parsedBody: json }));
    return undefined;
  };

  return {
    handle: async (incoming, caller, json, response) => {
      if (Array.isArray(json) && json.length > limits.batchMessages) return refusals.batch;
      // A request to listen opens a stream, as a GET does, and a notification starts no call, so none of them counts.
      const count = isListenRequest(json) ? 0 : listRequestIds(json).length;
      if (count > 0 && calls + count > limits.calls) return refusals.tooManyCalls;
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      // The client may have disconnected while its body was read.
      if (response.destroyed) gone.abort();
      const request = readRequest(incoming, gone.signal);
      if (!request) return refusals.header;
      const takesStream = request.headers.get('accept')?.includes('text/event-stream') ?? false;
      const options = { signOfLifeMs: limits.signOfLifeMs, takesStream, held };
      calls += count;
      running.set(response, caller.grant);
      try {
        return await answer(request, caller, json, (found) => writeResponse(found, response, options));
      } finally {
        calls -= count;
        running.delete(response);
      }
    },
    sessions: sessions.count,
    grants: () => new Set([...running.values(), ...sessions.grants()]),
    endGrant: async (grant) => {
      await sessions.endGrant(grant);
      for (const [response, caller] of running) if (caller === grant) response.destroy();
    },
    close: async () => {
      await Promise.allSettled([sessions.close(), ...Object.values(newer).map(({ close }) => close())]);
    },
  };
}

function readRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  try {
    return toWebRequest(incoming, signal);
  } catch {
    // The client sent a header that no request can have.
    return undefined;
  }
}

/** The stateless generation: one handler for each reach, because a handler builds a server for each request. */
function createNewerHandlers({ buildServer, changes, limits }: Omit<McpEndpointDeps, 'clock' | 'held'>) {
  const bus = changes && createChangeBus(changes);
  const create = (reach: Reach) => {
    // Without `onerror`: client errors go to the client only, because a client could fill the log with them.
    const options = {
      legacy: 'reject' as const,
      keepAliveMs: limits.signOfLifeMs,
      maxSubscriptions: limits.sessions,
      ...(bus && { bus }),
    };
    const { fetch: answerNewer, close } = createMcpHandler(() => buildServer(reach), options);
    return { answerNewer, close };
  };
  return { owner: create('owner'), read: create('read'), draft: create('draft'), trade: create('trade') };
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
