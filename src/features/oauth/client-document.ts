/**
 * Reads the document in which a client describes itself, at the address that is its id. Anyone can make this server read
 * an address of their choice, so it reads public addresses of the web alone, and little of them.
 */

import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { isWithin } from '../../core/text/json.ts';
import { parseUrl } from '../../core/text/parse-url.ts';
import { type Client, clientName, readRedirects } from './web-client.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** How a document is reached; tests replace the parts. */
export interface DocumentReader {
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /** Reads a document from one of these addresses; undefined when that fails or the document is unusable. */
  readonly read: (url: URL, addresses: readonly Address[]) => Promise<Buffer | undefined>;
}

/** Returns the client that an address describes; undefined when it describes none. */
export type FindDocumentClient = (id: string) => Promise<Client | undefined>;

/** Whether an id is an address: those of this server have no colon. */
export const isDocumentId = (id: string): boolean => id.startsWith('https://');

const keptMs = 10 * 60_000;
const maxKept = 50;
const maxReads = 4;

export function createDocumentClients(
  clock: { now(): number },
  { resolve, read }: DocumentReader = publicReader,
): FindDocumentClient {
  const kept = new Map<string, { readonly client: Client; readonly until: number }>();
  let reads = 0;
  const find = async (url: URL): Promise<Client | undefined> => {
    const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
    // All of them: a host with one private address among public ones is made to be tried until that one is used.
    if (addresses.length === 0 || !addresses.every(isPublic)) return undefined;
    const bytes = await read(url, addresses);
    return bytes && readDocument(bytes, url.href);
  };
  return async (id) => {
    const known = kept.get(id);
    if (known && known.until > clock.now()) return known.client;
    const url = readClientUrl(id);
    // A failure is not kept, so the number of those that run is bounded.
    if (!url || reads >= maxReads) return undefined;
    reads += 1;
    const client = await find(url).finally(() => {
      reads -= 1;
    });
    if (!client) return undefined;
    kept.delete(id);
    kept.set(id, { client, until: clock.now() + keptMs });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return client;
  };
}

/** The address of a document: https at the usual port, with a path, spelt as a browser spells it. */
export function readClientUrl(id: string): URL | undefined {
  const url = id.length <= 500 ? parseUrl(id) : undefined;
  const isPlain = url && url.protocol === 'https:' && url.href === id && url.port === '' && url.pathname !== '/';
  return isPlain && !url.username && !url.password && !id.includes('#') ? url : undefined;
}

/** Ranges of IPv4 that are no address of a public server. */
const closedRanges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Within 2000::/3, the only public range of IPv6: tunnels, which reach any IPv4 address, and documentation. */
const closedRanges6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, prefix] of closedRanges) closed.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of closedRanges6) closed.addSubnet(net, prefix, 'ipv6');
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the public internet. */
export function isPublic({ address }: Pick<Address, 'address'>): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

const maxBytes = 16 * 1024;
const maxValues = 500;
/** A connection without a token is closed after five seconds. */
const readMs = 3_000;

/** Reads a document that says of itself that it is at this address. */
export function readDocument(bytes: Buffer, id: string): Client | undefined {
  if (bytes.length > maxBytes || !isWithin(bytes, { maxDepth: 8, maxValues })) return undefined;
  let json: Readonly<Record<string, unknown>>;
  try {
    json = Object(JSON.parse(bytes.toString('utf8')));
  } catch {
    // JSON.parse throws for invalid JSON only.
    return undefined;
  }
  const redirects = readRedirects(json.redirect_uris);
  // A document is public, so it can have no secret, and keys are not supported.
  const isOpen = (json.token_endpoint_auth_method ?? 'none') === 'none' && json.client_secret === undefined;
  if (json.client_id !== id || !redirects || !isOpen) return undefined;
  return { id, name: clientName(json.client_name), redirects };
}

/**
 * Asks the name servers directly: a lookup by the system would wait in the few threads that requests to the broker need
 * too, and every client chooses its name server.
 */
const resolvePublic: DocumentReader['resolve'] = async (host) => {
  const own = isIP(host);
  if (own !== 0) return [{ address: host, family: own }];
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  // A host without addresses of a kind, or without any, is an error there.
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const listed = (found: PromiseSettledResult<string[]>, family: number) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
  return [...listed(four, 4), ...listed(six, 6)];
};

/** Connects to the addresses that were checked, whatever the name resolves to by then. Follows no redirect. */
export async function readFrom(
  url: URL,
  addresses: readonly Address[],
  options: { readonly ca?: string; readonly port?: number; readonly timeoutMs?: number } = {},
): Promise<Buffer | undefined> {
  const { buildConnector, Client: HttpClient } = await import('../../core/broker/transport/undici.ts');
  const timeout = options.timeoutMs ?? readMs;
  const connect = buildConnector({
    timeout,
    maxCachedSessions: 0,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    lookup: (_host, { all }, done) => {
      const [first] = addresses;
      if (all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family ?? 4);
    },
  });
  const origin = options.port === undefined ? url.origin : `${url.origin}:${options.port}`;
  const client = new HttpClient(origin, {
    connect,
    maxHeaderSize: 8 * 1024,
    maxResponseSize: maxBytes,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  // undici watches a signal only once it is connected.
  const deadline = setTimeout(() => void client.destroy(), timeout);
  try {
    const path = url.pathname + url.search;
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
    });
    const isJson = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(String(headers['content-type'] ?? ''));
    // The rest of another response is not read: the connection ends here.
    if (statusCode !== 200 || !isJson) return undefined;
    return Buffer.from(await body.arrayBuffer());
  } catch {
    // A host that cannot be reached, or sends too much, has no document.
    return undefined;
  } finally {
    clearTimeout(deadline);
    await client.destroy();
  }
}

const publicReader: DocumentReader = { resolve: resolvePublic, read: readFrom };
