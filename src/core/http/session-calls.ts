/**
 * Tracks the running calls of one session. The SDK sends no response to a call that its client cancelled, and closes
 * the stream of a POST after its last response: without this file, a cancelled call would keep its stream open.
 */
import type { JSONRPCMessage, RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

type Transport = Pick<WebStandardStreamableHTTPServerTransport, 'onmessage' | 'send' | 'closeSSEStream'>;

export interface SessionCalls {
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
export function watchCalls(transport: Transport): SessionCalls {
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
