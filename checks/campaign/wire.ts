/** HTTP as it is on the wire: requests out of bytes, responses into bytes. No library in between hides anything. */
import type { Socket } from 'node:net';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined until the body has been read completely. */
  body: string | undefined;
}

/** Reports the head as soon as it has arrived, and the request when its body is complete; one after the other. */
export function readRequests(
  socket: Socket,
  on: { head: (request: WireRequest) => void; whole: (request: WireRequest) => void },
): void {
  let text = '';
  let current: WireRequest | undefined;
  socket.on('data', (chunk: Buffer) => {
    // The beginning of TLS: a server without TLS responds as to any invalid input.
    if (text === '' && !current && chunk[0] === 0x16) return void socket.end(answerBytes({ status: 400 }));
    text += chunk.toString('latin1');
    for (;;) {
      if (!current) {
        const end = text.indexOf('\r\n\r\n');
        if (end === -1) return;
        current = parseHead(text.slice(0, end));
        text = text.slice(end + 4);
        if (bodyIsThere()) current.body = text.slice(0, lengthOf(current));
        on.head(current);
      }
      if (!bodyIsThere()) return;
      const whole = current;
      whole.body = Buffer.from(text.slice(0, lengthOf(whole)), 'latin1').toString('utf8');
      text = text.slice(lengthOf(whole));
      current = undefined;
      on.whole(whole);
    }
  });
  const bodyIsThere = () => current !== undefined && text.length >= lengthOf(current);
}

const lengthOf = ({ headers }: WireRequest) => Number(headers['content-length'] ?? 0);

function parseHead(head: string): WireRequest {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { method, path, headers, body: undefined };
}

/** So generous that no trial waits for the rate limit. */
const limitHeaders = () => ({
  'x-ratelimit-limit': '1000',
  'x-ratelimit-period': '1',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-used': '1',
  'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000)),
});

export interface WireAnswer {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without the headers of the rate limit. */
  readonly bare?: boolean;
}

export function answerBytes({ status, body = '', headers = {}, bare = false }: WireAnswer): Buffer {
  const bytes = Buffer.from(body);
  const all: Record<string, string> = {
    date: new Date().toUTCString(),
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...(bare ? {} : limitHeaders()),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Campaign\r\n${head.join('')}\r\n`), bytes]);
}

/** Ends a connection as a crash does: unread data is met with a reset. */
export const reset = (socket: Socket): void => void socket.resetAndDestroy();
