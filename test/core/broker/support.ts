/** A real service on the loopback address, and a broker that speaks to it. */
import * as http from 'node:http';
import * as net from 'node:net';
import { onTestFinished } from 'vitest';
import { type BrokerDeps, createBroker } from '../../../src/core/broker/index.ts';
import { type AuthorizedOrder, authorizeOrder, type Broker, type CallContext } from '../../../src/core/broker/types.ts';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { createManualClock } from '../../support/manual-clock.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Service {
  readonly origin: string;
  readonly seen: Seen[];
}

export type Reply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** Delay of the response in ms. */
  readonly afterMs?: number;
};

/** An HTTP service whose responses are made by `answer`, given the number of the request (0 first). */
export async function serve(answer: (seen: Seen, n: number) => Reply): Promise<Service> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      seen.push(one);
      const reply = answer(one, seen.length - 1);
      const send = () =>
        response
          .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
          .end(reply.body ?? '{}');
      if (reply.afterMs) setTimeout(send, reply.afterMs);
      else send();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, seen };
}

/** A service of bare sockets. `requests` counts the complete requests that were read, `connections` the connections. */
export async function serveRaw(
  onRequest: (socket: net.Socket, n: number, text: string) => void,
  onConnect?: (socket: net.Socket, n: number) => void,
) {
  const state = { origin: '', requests: 0, connections: 0, bytes: 0 };
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    onConnect?.(socket, state.connections);
    state.connections += 1;
    let text = '';
    socket.on('data', (chunk) => {
      state.bytes += chunk.length;
      text += chunk.toString();
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      state.requests += 1;
      const request = text;
      text = '';
      onRequest(socket, state.requests - 1, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  state.origin = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return state;
}

export const startAt = Date.UTC(2026, 0, 15, 15, 0, 0);

export const quickClock = () => createManualClock({ startAt, auto: true });

export interface TestBroker extends Broker {
  readonly clock: Clock;
  readonly records: BrokerDeps['records'];
  context(change?: Partial<CallContext>): CallContext;
}

/** With `clock: systemClock` time is real; otherwise waiting takes no time. */
export function brokerFor(origin: string, change: Partial<BrokerDeps> = {}): TestBroker {
  const clock = change.clock ?? quickClock();
  const records = change.records ?? createMemoryRecords();
  const broker = createBroker({
    origin,
    accountKey: async () => 'account',
    credentials: async () => ({ key: 'the-key', secret: 'the-secret' }),
    random: () => 0.5,
    owner: 'test',
    readOnly: false,
    ...change,
    records,
    clock,
  });
  return {
    ...broker,
    clock,
    records,
    context: (more = {}) => ({ priority: 'read', deadlineAt: clock.now() + 50_000, ...more }),
  };
}

export const realBrokerFor = (origin: string, change: Partial<BrokerDeps> = {}) =>
  brokerFor(origin, { clock: systemClock, ...change });

export const orderBody = '{"ticker":"ABC_US_EQ","quantity":1.5,"limitPrice":10,"timeValidity":"DAY"}';

export const limitOrder = (): AuthorizedOrder =>
  authorizeOrder({ endpoint: endpoints.placeLimitOrder, body: orderBody, intentId: 'intent' });
