/**
 * Tracks the connections whose client keeps the server waiting: it has sent part of a body, or does not read a
 * response. The bytes held for all of them together are bounded.
 */
import type { IncomingMessage } from 'node:http';

export type ClientConnection = IncomingMessage['socket'];

export interface HeldBytes {
  /**
   * Sets how many bytes are held for a connection. When the sum exceeds the bound, the connection with the most is
   * closed.
   */
  hold(socket: ClientConnection, bytes: number): void;
  release(socket: ClientConnection): void;
  /** Closes the connection that has kept the server waiting for longest. Returns false when there is none. */
  closeOldest(): boolean;
}

export function createHeldBytes(maxBytes: number): HeldBytes {
  // In the order in which they began to wait.
  const held = new Map<ClientConnection, number>();
  let total = 0;

  const release = (socket: ClientConnection) => {
    total -= held.get(socket) ?? 0;
    held.delete(socket);
  };
  const close = (socket: ClientConnection) => {
    release(socket);
    socket.destroy();
  };
  return {
    hold: (socket, bytes) => {
      total += bytes - (held.get(socket) ?? 0);
      held.set(socket, bytes);
      if (total <= maxBytes) return;
      const [largest] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
      close(largest);
    },
    release,
    closeOldest: () => {
      const [oldest] = held.keys();
      if (oldest) close(oldest);
      return oldest !== undefined;
    },
  };
}
