/** Addresses of services: parses one from a setting, and decides when two spellings name one service. */
import { pathPrefix } from '../endpoints/endpoint.ts';
import { parseUrl } from '../text/parse-url.ts';

/** Why a text is not the address of a service. */
export type AddressFault = 'not_an_address' | 'not_https' | 'has_credentials' | 'has_query' | 'wrong_path';

/**
 * Parses the address of a service into one spelling: lower case, no default port, no final dot of the host, no
 * `/api/v0` (which may be present any number of times, with extra slashes, in any case or percent-encoded), no
 * slash at the end. The host is kept as given, because connections are made to it.
 */
export function readServiceAddress(text: string): { readonly address: string } | { readonly fault: AddressFault } {
  const url = parseUrl(text);
  if (!url) return { fault: 'not_an_address' };
  const hostname = bareHost(url.hostname);
  if (hostname === '' || hostname.endsWith('.')) return { fault: 'not_an_address' };
  if (!isEncryptedOrLoopback(url)) return { fault: 'not_https' };
  if (url.username || url.password) return { fault: 'has_credentials' };
  if (url.search || url.hash) return { fault: 'has_query' };
  const path = readPath(url.pathname);
  if (path === undefined) return { fault: 'wrong_path' };
  return { address: formatOrigin(url, hostname) + path };
}

/**
 * One name for all spellings of an address. The names of this machine count as one host, and so do an IPv4 address
 * and the IPv6 address that maps it. Scheme, port and path are part of the name: services that differ only there
 * are linked by the key and the account id (account-identity.ts). Returns the text itself if it is not an address.
 */
export function serviceName(address: string): string {
  const read = readServiceAddress(address);
  if ('fault' in read) return address;
  const url = new URL(read.address);
  const host = isLoopbackHost(url.hostname) ? '127.0.0.1' : (mappedAddress(url.hostname) ?? url.hostname);
  return formatOrigin(url, host) + url.pathname.replace(/\/$/, '');
}

/**
 * The URL of a path below the prefix. The base can be given with or without `/api/v0` and with any number of
 * slashes at its end.
 */
export function joinUrl(base: string, path: string): URL {
  const bare = base.replace(/\/+$/, '');
  const root = bare.endsWith(pathPrefix) ? bare.slice(0, -pathPrefix.length).replace(/\/+$/, '') : bare;
  return new URL(`${root}${pathPrefix}${path}`);
}

/**
 * Whether the host is `localhost`, in 127.0.0.0/8, or ::1. Expects it as the URL parser writes it, which also
 * expands 127.1 and similar forms.
 */
export function isLoopbackHost(host: string): boolean {
  const hostname = bareHost(host);
  const address = mappedAddress(hostname) ?? hostname;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(address);
}

/** Credentials and account data are sent over TLS only, except to this machine. */
export const isEncryptedOrLoopback = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));

const bareHost = (hostname: string) => hostname.replace(/\.$/, '');

const formatOrigin = ({ protocol, port }: URL, hostname: string) => `${protocol}//${hostname}${port && `:${port}`}`;

/** Returns 1.2.3.4 for [::ffff:1.2.3.4], which the URL parser writes as [::ffff:102:304]; undefined for other hosts. */
function mappedAddress(hostname: string): string | undefined {
  const match = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (!match) return undefined;
  const [high, low] = [Number.parseInt(match[1] as string, 16), Number.parseInt(match[2] as string, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const prefixSegments = pathPrefix.split('/').filter((segment) => segment !== '');
const plainSegment = /^(?!\.{1,2}$)[\w.~!$&'()*+,;=:@-]+$/;

/** The part before the prefix: empty, or the path of a gateway. Undefined when it cannot be one. */
function readPath(pathname: string): string | undefined {
  let segments: string[];
  try {
    segments = decodeURIComponent(pathname).split('/');
  } catch {
    // A % of it begins no encoded character.
    return undefined;
  }
  segments = segments.filter((segment) => segment !== '');
  while (prefixEndsAt(segments, segments.length)) segments = segments.slice(0, -prefixSegments.length);
  // A prefix in the middle is the address of an endpoint, not of a service.
  const isPlain = segments.every((segment) => plainSegment.test(segment));
  return isPlain && !segments.some((_, index) => prefixEndsAt(segments, index))
    ? segments.map((segment) => `/${segment}`).join('')
    : undefined;
}

const prefixEndsAt = (segments: readonly string[], end: number): boolean =>
  prefixSegments.every((name, index) => segments[end - prefixSegments.length + index]?.toLowerCase() === name);
