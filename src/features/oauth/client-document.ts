/**
 * Reads the document in which a client describes itself, at the address that is its id. Anyone can make this server read
 * an address of their choice, so it reads public addresses of the web alone, and little of them.
 */

import { type Address, bareHostname, isPublic, resolveAddresses } from '../../core/http/public-address.ts';
import { requestAddress } from '../../core/http/request-address.ts';
import { isWithin } from '../../core/text/json.ts';
import { parseUrl } from '../../core/text/parse-url.ts';
import { type Client, clientName, readRedirects } from './web-client.ts';

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
    const addresses = await resolve(bareHostname(url));
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

/** Reads a JSON document from addresses that were checked; undefined when the host has none or sends too much. */
export async function readFrom(
  url: URL,
  addresses: readonly Address[],
  options: { readonly ca?: string; readonly port?: number; readonly timeoutMs?: number } = {},
): Promise<Buffer | undefined> {
  try {
    const { body } = await requestAddress(url, addresses, {
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: readMs,
      ...options,
      maxBytes,
      reads: (status, { 'content-type': type }) =>
        status === 200 && /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(String(type ?? '')),
    });
    return body;
  } catch {
    // A host that cannot be reached, or sends too much, has no document.
    return undefined;
  }
}

const publicReader: DocumentReader = { resolve: resolveAddresses, read: readFrom };
