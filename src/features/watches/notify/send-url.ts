/**
 * Posts each notification to an address: as the publishing format of ntfy, as a message for an incoming webhook of
 * Slack, or as plain JSON. The message is in the body alone, so no text of it can become a header.
 */

import { isLoopbackHost } from '../../../core/broker/service-url.ts';
import { errorCode } from '../../../core/broker/transport/failure.ts';
import { isUnreadable } from '../../../core/broker/transport/send-request.ts';
import {
  type Address,
  bareHostname,
  isOwnNetwork,
  isPublic,
  readAddress,
  resolveAddresses,
} from '../../../core/http/public-address.ts';
import { type AddressResponse, requestAddress } from '../../../core/http/request-address.ts';
import type { NotifyUrl } from '../../../core/settings/notify-settings.ts';
import {
  type Channel,
  type DeliveryCode,
  DeliveryError,
  isUnconnected,
  isUntrusted,
  type Message,
  type Urgency,
} from './channel.ts';

/** How the address is reached; tests replace the parts. */
export interface UrlReach {
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined;
  /** For the complete request (ms). */
  readonly timeoutMs?: number | undefined;
  /** Certificates to trust instead of those of Node (PEM). */
  readonly ca?: string | undefined;
  /** Instead of the port of the address. */
  readonly port?: number | undefined;
}

const defaultTimeoutMs = 15_000;

export function createUrlChannel(target: NotifyUrl, reach: UrlReach = {}): Channel {
  const { resolve = resolveAddresses, timeoutMs = defaultTimeoutMs, ca, port } = reach;
  const url = new URL(target.address);
  const send = async (message: Message, signal: AbortSignal): Promise<void> => {
    const { to, body } = bodies[target.style](message, url);
    const addresses = await findAddresses(url, resolve);
    if (signal.aborted) throw new DeliveryError('url', 'cancelled');
    const response = await requestAddress(to, addresses, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'brokerage-mcp', ...loginOf(url) },
      body: JSON.stringify(body),
      timeoutMs,
      signal,
      // Only the status counts, so a body can have any length.
      maxBytes: 1,
      reads: () => false,
      ca,
      port,
    }).catch((error: unknown) => {
      throw new DeliveryError('url', signal.aborted ? 'cancelled' : codeOf(error));
    });
    checkResponse(response);
  };
  return { name: 'url', send };
}

/**
 * A name must have public addresses alone: it could be changed to reach what is inside this network. An internal address
 * is used only where the owner wrote it as a number, or `localhost`.
 */
async function findAddresses(url: URL, resolve: (host: string) => Promise<readonly Address[]>) {
  const host = bareHostname(url);
  const written = readAddress(host);
  if (!written && isLoopbackHost(url.hostname)) return localhost;
  const addresses = written ? [written] : await resolve(host);
  if (addresses.length === 0) throw new DeliveryError('url', 'unreachable');
  const isAllowed = (one: Address) => isPublic(one) || (written !== undefined && isOwnNetwork(one));
  if (!addresses.every(isAllowed)) throw new DeliveryError('url', 'internal_address');
  return addresses;
}

const localhost: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The user name and password of the address, which an HTTP client does not send from there. */
function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const login = [username, password].map((text) => decodeURIComponent(text)).join(':');
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

type Body = (message: Message, url: URL) => { readonly to: URL; readonly body: object };

const bodies: Record<NotifyUrl['style'], Body> = {
  json: (message, url) => ({ to: url, body: message }),
  ntfy: ({ title, text, urgency }, url) => {
    // A message as JSON goes to the server itself, and names its topic.
    const to = new URL(url);
    to.pathname = '/';
    return { to, body: { topic: url.pathname.slice(1), title, message: text, priority: priorities[urgency] } };
  },
  slack: ({ title, text }, url) => ({
    to: url,
    body: {
      text: escapeSlack(`${title}\n${text}`),
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    },
  }),
};

const priorities: Record<Urgency, number> = { low: 2, normal: 3, high: 4 };

/**
 * With the three signs escaped there are no links, channels and groups. Some servers that accept this format notify all
 * members for a plain `@here` too, which a joiner without width prevents.
 */
const escapeSlack = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/@(?=(?:channel|everyone|here|all)\b)/gi, '@\u2060');

function checkResponse({ status, headers }: AddressResponse): void {
  if (status >= 200 && status < 300) return;
  const retryAfter = String(headers['retry-after'] ?? '');
  const retryAfterSeconds = /^\d{1,4}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  throw new DeliveryError('url', codeOfStatus(status), { status, retryAfterSeconds });
}

function codeOfStatus(status: number): DeliveryCode {
  if (status < 200 || status > 599) return 'broken_response';
  if (status < 400) return 'redirected';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 || [408, 425, 429].includes(status) ? 'unavailable' : 'refused';
}

function codeOf(error: unknown): DeliveryCode {
  if (isUnreadable(error)) return 'broken_response';
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorCode(error) ?? errorCode(inner);
  // An error without a code is a fault of the program, which the log reports.
  if (code === undefined) throw error;
  if (isUntrusted(code)) return 'unsafe_connection';
  if (isUnconnected(code)) return 'unreachable';
  // The deadline destroys the client.
  return /TIMEOUT|TIMEDOUT|DESTROYED|ABORTED/.test(code) ? 'timeout' : 'broken_response';
}
