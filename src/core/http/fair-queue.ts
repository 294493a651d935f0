/** The order in which requests are served: a client with many requests delays another client by one request at most. */
import type { ServerResponse } from 'node:http';
import type { ClientConnection } from './held-bytes.ts';

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

export type ServeInOrder = (connection: ClientConnection, response: ServerResponse, serve: () => void) => void;

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
