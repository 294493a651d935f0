/**
 * Refuses requests of web pages. A name that an attacker points at this machine arrives with its own Host (DNS
 * rebinding), and a page of another address with its Origin.
 */
import type { IncomingMessage } from 'node:http';
import type { Reply } from './send-response.ts';

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
