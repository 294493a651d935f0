import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { script } from './page-script.ts';
import { style } from './page-style.ts';

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

/** A page without a ticket. It repeats nothing of the request. */
const plainPage = (title: string, next: string): Html =>
  page({
    title,
    look: 'calm',
    banner: html`<header class="banner"><p><strong>Order approval</strong></p></header>`,
    main: html`<main class="plain"><h1>${title}</h1><p>${next}</p></main>`,
  });

// The headers of every response: browsers do not store it, no page can frame it, and only its own script and style
// run.

const toHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of a page; `formTargets` is where its forms may end, and `scripts` run beside that of all pages. */
export const buildPolicy = (formTargets: string, scripts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `style-src ${toHashSource(style)}`,
    `script-src ${[script, ...scripts].map(toHashSource).join(' ')}`,
    `form-action ${formTargets}`,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

export const safetyHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': buildPolicy("'self'"),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * For the page with the forms. With `no-referrer`, browsers send `Origin: null` with a form, and the origin check
 * would refuse every user. Other origins still receive no referrer.
 */
export const formPageHeaders = { 'referrer-policy': 'same-origin' };
