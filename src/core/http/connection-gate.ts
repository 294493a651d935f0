/**
 * Decides which connections an HTTP server keeps when more arrive than it has places for.
 *
 * A connection starts untrusted. Untrusted connections have few places and a short timeout, and a new one replaces the
 * oldest: a client that opens sockets and sends nothing replaces its own sockets and never blocks a new client. A
 * connection that proves something (a token, a handle) moves to the trusted places, which no untrusted connection can
 * take.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientConnection } from './request-body.ts';

export interface ConnectionBounds {
  /** Places for untrusted connections. */
  readonly maxUntrusted: number;
  /** Additional places for trusted connections only. */
  readonly maxTrusted: number;
  /** How long a connection may stay untrusted, in milliseconds from its start. */
  readonly maxUntrustedMs: number;
}

/** How many connections may be open beyond the places, and for how long: their first request may still be arriving. */
const maxBurst = 1_024;
const burstMs = 250;

interface ConnectionGate {
  /**
   * Moves a connection to the trusted places; call it for each request that proves who sent it. When the
   * places are taken, the trusted connection that was idle longest is closed. False when every trusted
   * connection is in the middle of a request, or when this connection is closed: it then keeps its
   * untrusted place.
   */
  trust(socket: Socket): boolean;
  /** Returns the number of open connections of each kind. */
  count(): { readonly untrusted: number; readonly trusted: number };
}

/**
 * Watches the connections of a server, which must not listen yet. Do not set `server.maxConnections` too:
 * it refuses the newcomer, which is what the gate is there to avoid.
 */
export function createConnectionGate(server: Server, bounds: ConnectionBounds): ConnectionGate {
  // Oldest first, in the order of insertion. A trusted connection moves to the end with each request.
  const untrusted = new Map<Socket, { readonly end: NodeJS.Timeout; readonly since: number }>();
  const trusted = new Set<Socket>();
  const requests = new WeakMap<Socket, number>();
  const isIdle = (socket: Socket) => (requests.get(socket) ?? 0) === 0;

  const forget = (socket: Socket) => {
    clearTimeout(untrusted.get(socket)?.end);
    untrusted.delete(socket);
    trusted.delete(socket);
  };
  const drop = (socket: Socket) => {
    forget(socket);
    socket.destroy();
  };

  /**
   * Closes the oldest; those that wait for a response go last, only when no silent one is left, including one that has
   * just arrived.
   */
  const dropOldest = (max: number, arrivedBy: number) => {
    for (const [socket, { since }] of untrusted) {
      if (untrusted.size <= max || since > arrivedBy) break;
      if (isIdle(socket)) drop(socket);
    }
    if (untrusted.size <= max || [...untrusted.keys()].some(isIdle)) return;
    for (const socket of untrusted.keys()) {
      if (untrusted.size <= max) return;
      drop(socket);
    }
  };

  let isTrimming = false;
  const trim = () => {
    if (isTrimming || untrusted.size <= bounds.maxUntrusted) return;
    isTrimming = true;
    const end = () => {
      isTrimming = false;
      dropOldest(bounds.maxUntrusted, performance.now() - burstMs);
      trim();
    };
    // First reads what arrived while the process was busy.
    setTimeout(() => setImmediate(end), burstMs).unref();
  };

  server.on('connection', (socket: Socket) => {
    // First reads what arrived while the process was busy; it may contain the proof that makes the connection trusted.
    const end = setTimeout(
      () => setImmediate(() => untrusted.has(socket) && drop(socket)),
      bounds.maxUntrustedMs,
    ).unref();
    untrusted.set(socket, { end, since: performance.now() });
    socket.once('close', () => forget(socket));
    dropOldest(bounds.maxUntrusted + maxBurst, Number.POSITIVE_INFINITY);
    trim();
  });

  // Runs before the server's own handler, which may trust the connection at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (socket.destroyed) return;
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => requests.set(socket, (requests.get(socket) ?? 1) - 1));
  });

  return {
    trust: (socket) => {
      if (trusted.delete(socket)) {
        trusted.add(socket);
        return true;
      }
      if (!untrusted.has(socket)) return false;
      if (trusted.size >= bounds.maxTrusted) {
        const idle = [...trusted].find(isIdle);
        if (!idle) return false;
        drop(idle);
      }
      forget(socket);
      trusted.add(socket);
      return true;
    },
    count: () => ({ untrusted: untrusted.size, trusted: trusted.size }),
  };
}

// The order in which requests are served: a client with many requests delays another client by one request at most.

/**
 * Resolves when it is the caller's turn: one request starts in each iteration of the event loop, so that connections
 * are read in between.
 */
export type AwaitTurn = () => Promise<void>;

export function createFairQueue(): AwaitTurn {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}

type ServeInOrder = (connection: ClientConnection, response: ServerResponse, serve: () => void) => void;

/**
 * Serves the requests of one connection in sequence: the next one starts after the client has received the previous
 * response. A client that sends more than `maxWaiting` requests ahead loses its connection.
 */
export function createConnectionOrder(maxWaiting: number): ServeInOrder {
  const waitingByConnection = new WeakMap<ClientConnection, (() => void)[]>();
  return (connection, response, serve) => {
    const waiting = waitingByConnection.get(connection);
    response.once('close', () => {
      const next = connection.destroyed ? undefined : waitingByConnection.get(connection)?.shift();
      if (next) next();
      else waitingByConnection.delete(connection);
    });
    if (!waiting) {
      waitingByConnection.set(connection, []);
      serve();
    } else if (waiting.push(serve) > maxWaiting) connection.destroy();
  };
}
