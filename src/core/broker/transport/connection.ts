import type { Socket } from 'node:net';
import { orElse } from '../../log.ts';
import { describeNetworkError, type NetworkReason, TransportFailure } from './failure.ts';
import { type ExchangeLimits, type RawResponse, sendRequest, type WireRequest } from './send-request.ts';

export const connectMs = 5_000;

/** An open connection over which nothing has been sent. It carries exactly one request. */
export interface Connection {
  /** False when the other side has closed it. */
  isOpen(): Promise<boolean>;
  /** Sends the request. After a failure from here on, the request may have arrived. */
  send(wire: WireRequest, limits: ExchangeLimits): Promise<RawResponse>;
  close(): void;
}

/**
 * Opens TCP and TLS and sends nothing, so that a failure here proves that no request was sent; no later error code
 * could prove it. Throws a TransportFailure with `sent` false.
 */
export async function openConnection(
  origin: string,
  limits: { readonly totalMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Connection> {
  const { Client, buildConnector } = await import('./undici.ts');
  const socket = await openSocket(buildConnector({ timeout: connectMs, allowH2: false }), new URL(origin), limits);
  // Without a listener, an error before the client takes over would end the process.
  socket.on('error', () => undefined);

  let handedOver = false;
  return {
    isOpen: async () => {
      // A socket without a reader does not show that the other side has closed it; reading zero bytes does.
      socket.read(0);
      await new Promise((resolve) => setImmediate(resolve));
      return !socket.destroyed && !socket.readableEnded;
    },
    send: async (wire, exchangeLimits) => {
      const client = new Client(origin, {
        // No second request on this connection, and `connection: close` for the other side.
        pipelining: 0,
        // Called at once, `done` would meet a client that is not ready, and the request would never finish.
        connect: (_, done) => {
          if (handedOver) return setImmediate(done, new Error('a connection carries one request'), null);
          handedOver = true;
          setImmediate(done, null, socket);
        },
      });
      try {
        return await sendRequest(client, wire, exchangeLimits);
      } finally {
        void client.destroy().catch(orElse('requests', undefined));
        socket.destroy();
      }
    },
    close: () => socket.destroy(),
  };
}

type Connector = ReturnType<typeof import('undici')['buildConnector']>;

function openSocket(
  connect: Connector,
  url: URL,
  limits: { readonly totalMs: number; readonly signal?: AbortSignal | undefined },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let over = false;
    const finish = () => {
      over = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', cancel);
    };
    const fail = (kind: 'connect' | 'timeout' | 'cancelled', reason: string | NetworkReason) => {
      if (over) return;
      finish();
      reject(new TransportFailure(kind, false, reason));
    };
    const cancel = () => fail('cancelled', 'the caller disconnected');
    const waitMs = Math.min(limits.totalMs, connectMs);
    const timer = setTimeout(() => fail('timeout', 'no connection before the timeout'), Math.max(0, waitMs));
    if (limits.signal?.aborted) return cancel();
    limits.signal?.addEventListener('abort', cancel, { once: true });

    const { protocol, port, host } = url;
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    connect({ hostname, host, protocol, port }, (error, socket) => {
      // The caller no longer waits, so the socket must be closed here.
      if (over) return void socket?.destroy();
      if (error) return fail('connect', describeNetworkError(error));
      finish();
      resolve(socket);
    });
  });
}
