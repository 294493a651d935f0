/**
 * Sessions of clients of the older generations. Each has its own server and transport, so that an elicitation goes to
 * the client whose call caused it. Sessions share nothing.
 */
import { randomBytes } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { ignoreAbort } from '../errors.ts';
import { orElse } from '../log.ts';
import type { HttpServerLimits } from './http-limits.ts';
import { type SessionCalls, watchCalls } from './session-calls.ts';

export interface Session {
  /** Resolves when the server and the transport of the session are connected. */
  readonly ready: Promise<void>;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly calls: SessionCalls;
  /** Number of messages being passed to the transport and of open GET streams. */
  arriving: number;
  streams: number;
  usedAt: number;
  readonly end: () => Promise<void>;
}

export interface Sessions {
  /**
   * Opens a session; undefined when there is no room and all others are busy. A new session is idle, so it can be
   * closed for another until it is used.
   */
  open(): Session | undefined;
  find(id: string): Session | undefined;
  count(): number;
  close(): Promise<void>;
}

const pollIntervalMs = 60_000;

const isBusy = ({ arriving, calls }: Session): boolean => arriving > 0 || calls.running() > 0;

export function createSessions(parts: {
  readonly buildServer: () => McpServer;
  readonly clock: Clock;
  readonly limits: HttpServerLimits;
}): Sessions {
  const { clock, limits } = parts;
  const all = new Map<string, Session>();
  const closing = new AbortController();

  const begin = (): Session => {
    // Unguessable, because the id identifies the client of the session.
    const id = randomBytes(32).toString('base64url');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      keepAliveMs: limits.signOfLifeMs,
    });
    const calls = watchCalls(transport);
    const server = parts.buildServer();
    const ready = server.connect(transport);
    const end = () => server.close();
    const session = { ready, transport, calls, arriving: 0, streams: 0, usedAt: clock.now(), end };
    all.set(id, session);
    server.server.onclose = () => void all.delete(id);
    return session;
  };

  /** Closes the session that has been idle for longest. Returns false when every session is busy. */
  const makeRoom = (): boolean => {
    if (all.size < limits.sessions) return true;
    const [idle] = [...all].filter(([, session]) => !isBusy(session)).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!idle) return false;
    const [id, session] = idle;
    all.delete(id);
    void session.end().catch(orElse('a request', undefined));
    return true;
  };

  const endIdle = async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(pollIntervalMs, closing.signal).catch(ignoreAbort);
      const since = clock.now() - limits.idleSessionMs;
      // A client with an open stream is connected, it only has no request at the moment.
      for (const session of [...all.values()])
        if (!isBusy(session) && session.streams === 0 && session.usedAt <= since)
          await session.end().catch(orElse('a request', undefined));
    }
  };
  void endIdle();

  return {
    open: () => (makeRoom() ? begin() : undefined),
    find: (id) => all.get(id),
    count: () => all.size,
    close: async () => {
      closing.abort();
      await Promise.allSettled([...all.values()].map(({ end }) => end()));
    },
  };
}
