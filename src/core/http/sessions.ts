/**
 * Sessions of clients of the older generations. Each has its own server and transport, so that an elicitation goes to
 * the client whose call caused it. Sessions share nothing.
 */

import { randomBytes } from 'node:crypto';
import {
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { ignoreAbort } from '../errors.ts';
import { orElse } from '../log.ts';
import { type Caller, isSameCaller, type Reach } from './access-guards.ts';
import type { HttpServerLimits } from './http-limits.ts';

export interface Session {
  /** Resolves when the server and the transport of the session are connected. */
  readonly ready: Promise<void>;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly calls: SessionCalls;
  readonly caller: Caller;
  /** Number of messages being passed to the transport and of open GET streams. */
  arriving: number;
  streams: number;
  usedAt: number;
  readonly end: () => Promise<void>;
}

interface Sessions {
  /**
   * Opens a session; undefined when there is no room and all others are busy. A new session is idle, so it can be
   * closed for another until it is used.
   */
  open(caller: Caller): Session | undefined;
  /** Returns the session of this caller: an id alone opens none. */
  find(id: string, caller: Caller): Session | undefined;
  count(): number;
  /** The grants that have a session. */
  grants(): readonly string[];
  endGrant(grant: string): Promise<void>;
  close(): Promise<void>;
}

const pollIntervalMs = 60_000;

const isBusy = ({ arriving, calls }: Session): boolean => arriving > 0 || calls.running() > 0;

export function createSessions(parts: {
  readonly buildServer: (reach: Reach) => McpServer;
  readonly clock: Clock;
  readonly limits: HttpServerLimits;
}): Sessions {
  const { clock, limits } = parts;
  const all = new Map<string, Session>();
  const closing = new AbortController();

  const begin = (caller: Caller): Session => {
    // Unguessable, because the id identifies the client of the session.
    const id = randomBytes(32).toString('base64url');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      keepAliveMs: limits.signOfLifeMs,
    });
    const calls = watchCalls(transport);
    const server = parts.buildServer(caller.reach);
    const ready = server.connect(transport);
    const end = () => server.close();
    const session = { ready, transport, calls, caller, arriving: 0, streams: 0, usedAt: clock.now(), end };
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
    open: (caller) => (makeRoom() ? begin(caller) : undefined),
    find: (id, caller) => {
      const session = all.get(id);
      return session && isSameCaller(session.caller, caller) ? session : undefined;
    },
    count: () => all.size,
    grants: () => [...all.values()].map(({ caller }) => caller.grant),
    endGrant: async (grant) => {
      const ended = [...all.values()].filter(({ caller }) => caller.grant === grant);
      await Promise.allSettled(ended.map(({ end }) => end()));
    },
    close: async () => {
      closing.abort();
      await Promise.allSettled([...all.values()].map(({ end }) => end()));
    },
  };
}

// Tracks the running calls of one session. The SDK sends no response to a call that its client cancelled, and closes
// the stream of a POST after its last response: without this file, a cancelled call would keep its stream open.

type Transport = Pick<WebStandardStreamableHTTPServerTransport, 'onmessage' | 'send' | 'closeSSEStream'>;

interface SessionCalls {
  /** The number of calls that have neither a response nor a cancellation. */
  running(): number;
  has(id: RequestId): boolean;
}

/** How many ids a session remembers: of calls it has seen, and of cancellations that arrived before their call. */
const maxRemembered = 1_000;

/** The calls of one POST, which share one stream. */
interface Group {
  readonly running: Set<RequestId>;
  readonly cancelled: Set<RequestId>;
}

/** Watches the calls of a transport. Call it before a server is connected to the transport. */
function watchCalls(transport: Transport): SessionCalls {
  const groups = new Map<RequestId, Group>();
  const groupOfPost = new WeakMap<object, Group>();
  const send = transport.send.bind(transport);

  const seen = new Set<RequestId>();
  const cancelledEarly = new Set<RequestId>();

  const begin = (id: RequestId, post: object) => {
    const group = groupOfPost.get(post) ?? { running: new Set(), cancelled: new Set() };
    groupOfPost.set(post, group);
    group.running.add(id);
    groups.set(id, group);
    remember(seen, id);
    // The server registers the call after this handler and can cancel it only from then on.
    if (cancelledEarly.delete(id)) queueMicrotask(() => transport.onmessage?.(cancellationOf(id)));
  };
  const completeCall = (id: RequestId): Group | undefined => {
    const group = groups.get(id);
    groups.delete(id);
    group?.running.delete(id);
    return group;
  };
  const endStream = async ({ running, cancelled }: Group) => {
    const [first] = cancelled;
    if (running.size > 0 || first === undefined) return;
    transport.closeSSEStream(first);
    const ids = [...cancelled];
    cancelled.clear();
    // The SDK forgets a call only after a response. The stream is closed, so this response is not written.
    for (const id of ids) await send({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Cancelled' } });
  };
  const cancel = (id: RequestId) => {
    const group = completeCall(id);
    if (!group) {
      // A cancellation uses its own connection and can arrive before its call. A session uses an id once, so an id seen
      // before belongs to a call that has ended.
      if (!seen.has(id)) remember(cancelledEarly, id);
      return;
    }
    group.cancelled.add(id);
    // The calls after this notification in the same POST are not registered yet.
    queueMicrotask(() => void endStream(group));
  };

  transport.onmessage = (message: JSONRPCMessage, extra?: { request?: object }) => {
    if (!('method' in message)) return;
    if ('id' in message) return begin(message.id, extra?.request ?? {});
    const id = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
    if (typeof id === 'string' || typeof id === 'number') cancel(id);
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if ('method' in message || message.id === undefined) return;
    const group = completeCall(message.id);
    if (group) await endStream(group);
  };
  return { running: () => groups.size, has: (id) => groups.has(id) };
}

function remember(ids: Set<RequestId>, id: RequestId): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > maxRemembered && oldest !== undefined) ids.delete(oldest);
}

const cancellationOf = (requestId: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
