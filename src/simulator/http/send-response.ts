import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import type { Fault } from '../testing/faults.ts';

/** A response before it is sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Why the request was refused; for the log. */
  readonly explanation?: string;
}

/** Resets the connection; the client sees ECONNRESET. */
export const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();

/** Sends the complete response. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
  response.end(bytes);
}

const slowPieces = 10;
const defaultSlowMs = 30_000;
const defaultHugeBytes = 32 * 1024 * 1024;

/** Waits on the simulator's clock; without a time, until the client or close() ends the socket. */
const wait = (clock: Clock, ms: number | undefined): Promise<void> =>
  ms === undefined ? new Promise(() => {}) : clock.sleep(ms);

export async function hang(response: ServerResponse, clock: Clock, ms: number | undefined): Promise<void> {
  await wait(clock, ms);
  reset(response);
}

/** Sends the response as the fault corrupts it. */
export async function sendCorrupted(response: ServerResponse, reply: Reply, fault: Fault, clock: Clock): Promise<void> {
  switch (fault.kind) {
    case 'resetAfterRead':
      return reset(response);
    case 'hang':
      return hang(response, clock, fault.ms);
    case 'slowAnswer':
      await clock.sleep(fault.ms ?? defaultSlowMs);
      return send(response, reply);
    case 'slowBody':
      return sendSlowly(response, reply, clock, fault.ms ?? defaultSlowMs);
    case 'truncatedBody': {
      const bytes = Buffer.from(reply.body || '{"id":1}');
      response.writeHead(reply.status, { ...reply.headers, 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
      return;
    }
    case 'malformedJson':
      return send(response, { ...reply, body: `${reply.body.slice(0, Math.floor(reply.body.length / 2))}<!--` });
    case 'hugeBody':
      return sendHuge(response, reply, fault.bytes ?? defaultHugeBytes);
    case 'empty2xx':
      return send(response, { ...reply, status: fault.status ?? 200, body: '' });
    case 'orderWithoutId':
      return send(response, { ...reply, body: reply.body.replace(/"id":\d+,/, '') });
    case 'alteredEcho':
      return send(response, { ...reply, body: reply.body.replace(/"quantity":(-?)/, '"quantity":$19') });
    default:
      return send(response, reply);
  }
}

async function sendSlowly(response: ServerResponse, { status, headers, body }: Reply, clock: Clock, ms: number) {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
  response.flushHeaders();
  const size = Math.max(1, Math.ceil(bytes.length / slowPieces));
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    await clock.sleep(ms / slowPieces);
    response.write(bytes.subarray(from, from + size));
  }
  response.end();
}

/** Adds blanks after the body: valid JSON for a client that reads all of it. */
function sendHuge(response: ServerResponse, { status, headers, body }: Reply, bytes: number): void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  let left = bytes;
  response.writeHead(status, headers);
  response.write(body);
  const pump = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', pump);
    }
    response.end();
  };
  pump();
}

// Refuses requests of web pages. A name that an attacker points at this machine arrives with its own Host (DNS
// rebinding), and a page of another address with its Origin.

/** Any port: a TLS front or a forwarded port on this machine keeps the Host of its client. */
const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** The refusal; undefined when the request passes. */
export function refuseWebPage({ headers, headersDistinct }: IncomingMessage): Reply | undefined {
  const [host = '', ...more] = headersDistinct.host ?? [];
  if (more.length > 0 || !loopbackHost.test(host)) return refusal('the Host is not a name of this machine');
  const { origin } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn ? undefined : refusal('a page of another address sent the request');
}

const refusal = (explanation: string): Reply => ({
  status: 403,
  headers: { 'content-type': 'text/plain' },
  body: explanation,
  explanation,
});
