/**
 * The connections whose client keeps the program waiting: it has sent a part of a body, or does not take an
 * answer. What the program holds for all of them together is bounded.
 */
import type { IncomingMessage } from 'node:http';

export type Connection = IncomingMessage['socket'];

export interface HeldBytes {
  /** Sets how many bytes are held for a connection. When all together are too many, the connection with the most is closed. */
  hold(socket: Connection, bytes: number): void;
  release(socket: Connection): void;
  /** Closes the connection that keeps the program waiting for longest. False when there is none. */
  closeOldest(): boolean;
}

export function createHeldBytes(maxBytes: number): HeldBytes {
  // In the order in which they began to wait.
  const held = new Map<Connection, number>();
  let total = 0;

  const release = (socket: Connection) => {
    total -= held.get(socket) ?? 0;
    held.delete(socket);
  };
  const close = (socket: Connection) => {
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
