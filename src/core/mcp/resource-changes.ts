/** Notifies clients of revision 2026-07-28 of a resource that changes without a call, while one of them listens to it. */
import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { serveStdio } from '@modelcontextprotocol/server/stdio';
import { orElse } from '../log.ts';

export interface ResourceChanges {
  readonly uri: string;
  /** Calls `onChange` with every change from now on, until `signal` aborts. */
  readonly follow: (onChange: () => void, signal: AbortSignal) => Promise<void>;
}

export type Transport = NonNullable<NonNullable<Parameters<typeof serveStdio>[1]>['transport']>;

/** The changes for the streams of an HTTP server. They are read only while there is a stream. */
export function createChangeBus({ uri, follow }: ResourceChanges): ServerEventBus {
  const listeners = new Set<Parameters<ServerEventBus['subscribe']>[0]>();
  let following: AbortController | undefined;
  const publish: ServerEventBus['publish'] = (event) => {
    for (const listener of listeners) listener(event);
  };
  const begin = () => {
    following = new AbortController();
    const onChange = () => publish({ kind: 'resource_updated', uri });
    void follow(onChange, following.signal).catch(orElse('follow a resource', undefined));
  };
  return {
    publish,
    subscribe: (listener) => {
      listeners.add(listener);
      if (!following) begin();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        following?.abort();
        following = undefined;
      };
    },
  };
}

/**
 * Returns the transport, which follows the changes from the first request to listen to them until it closes. The SDK
 * serves such requests of standard input itself, without informing the server.
 */
export function followOnListen(transport: Transport, { uri, follow }: ResourceChanges, notify: () => void): Transport {
  const start = transport.start.bind(transport);
  let following: AbortController | undefined;
  transport.start = async () => {
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      if (!following && isListen(message, uri)) {
        following = new AbortController();
        void follow(notify, following.signal).catch(orElse('follow a resource', undefined));
      }
      onmessage?.(message, extra);
    };
    transport.onclose = () => {
      following?.abort();
      onclose?.();
    };
    await start();
  };
  return transport;
}

/** A request to open a stream of changes. */
export const isListenRequest = (message: unknown): boolean =>
  (message as { method?: unknown } | null)?.method === 'subscriptions/listen';

function isListen(message: unknown, uri: string): boolean {
  if (!isListenRequest(message)) return false;
  const { params } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) && uris.includes(uri);
}
