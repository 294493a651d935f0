import type { ServerResponse } from 'node:http';
import { safetyHeaders } from './headers.ts';
import type { Html } from './html.ts';
import { plainPage } from './message-page.ts';

/** A response before it is sent. */
export interface PageResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

export const htmlReply = (status: number, page: Html, headers: PageResponse['headers'] = {}): PageResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: page.markup,
});

export const jsonReply = (value: unknown): PageResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});

/** A page without a ticket: the problem, and what to do. */
export const plainReply = (
  status: number,
  title: string,
  next: string,
  headers: PageResponse['headers'] = {},
): PageResponse => htmlReply(status, plainPage(title, next), headers);

/** A `set-cookie` header: sent back only to this path, and only by pages of this server. */
export const cookie = (name: string, value: string, path: string, end = ''): string =>
  `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict${end}`;

export function send(response: ServerResponse, { status, headers, body = '' }: PageResponse): void {
  const bytes = Buffer.from(body);
  // If the request was not read to its end, the connection cannot be used again.
  const close = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { ...safetyHeaders, ...headers, ...close, 'content-length': String(bytes.length) });
  response.end(bytes);
}
