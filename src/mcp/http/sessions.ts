/**
 * The clients of the older generations: one server and one transport for each, so that a question can
 * go to the very client whose call it belongs to. Nothing is shared between two of them.
 */
import { randomBytes } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../../clock.ts';
import type { HttpServerLimits } from './http-limits.ts';
import { type SessionCalls, watchCalls } from './session-calls.ts';

export interface Session {
  /** Resolves when its server and its transport know each other. */
  readonly ready: Promise<void>;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly calls: SessionCalls;
  /** Messages that are being handed to the transport, and GET streams that are open. */
  arriving: number;
  streams: number;
  usedAt: number;
  readonly end: () => Promise<void>;
}

export interface Sessions {
  /** A new one; undefined when there is no room and every other is busy. It is idle, and may give way, until it is used. */
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
    // Unguessable: whoever names it is taken for its client.
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

  /** The one that has been idle for longest gives way. */
  const makeRoom = (): boolean => {
    if (all.size < limits.sessions) return true;
    const [idle] = [...all].filter(([, session]) => !isBusy(session)).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!idle) return false;
    const [id, session] = idle;
    all.delete(id);
    void session.end().catch(() => undefined);
    return true;
  };

  const endIdle = async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(pollIntervalMs, closing.signal).catch(() => undefined);
      const since = clock.now() - limits.idleSessionMs;
      // Who holds a stream open is there, and only has nothing to ask.
      for (const session of [...all.values()])
        if (!isBusy(session) && session.streams === 0 && session.usedAt <= since)
          await session.end().catch(() => undefined);
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
