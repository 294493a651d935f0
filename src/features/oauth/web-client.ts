/** The clients of the web: what each may be called, where it may send the browser, and how it registers. */

import { createHash, randomBytes } from 'node:crypto';
import type { ClientRow, GrantChange, GrantView } from '../../core/store/grant-table.ts';
import { parseUrl } from '../../core/text/parse-url.ts';
import { foreignName } from '../../core/text/sanitize-text.ts';

/** A client as the login page needs it. */
export interface Client {
  /** An id of this server, or the address of the client’s own document. */
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
}

/** 256 random bits, as text for a header or an address. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** What the store has of a secret. It is random, so a fast hash is enough. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const unnamed = 'a client without a name';

/** The name that a client gave itself, as a person sees it. */
export const clientName = (given: unknown): string => foreignName(given) ?? unnamed;

/** Where a login can end. */
export interface Place {
  /** A site of the web, a program on the device of the browser, or the program that has the scheme of the address. */
  readonly kind: 'site' | 'device' | 'program';
  /** What a person recognises: the host, or the scheme with its slashes: a scheme can be the name of a site. */
  readonly name: string;
  /** The source for a content security policy that lets a form end there. */
  readonly formTarget: string;
}

const maxAddressLength = 1_000;
export const deviceHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes that browsers and systems handle themselves, some of them by running what the address says. */
const ownSchemes =
  /^(?:https?|wss?|ftps?|file|data|blob|filesystem|javascript|vbscript|about|view-source|mailto|tel|sms|intent|content|chrome.*|edge|resource|jar|ms-.*|search-ms|android-app):$/;

/** Describes the address to which a browser returns; undefined for one that no client may have. */
export function readRedirect(text: unknown): Place | undefined {
  if (typeof text !== 'string' || text.length > maxAddressLength || !/^[\x21-\x7e]+$/.test(text)) return undefined;
  const url = parseUrl(text);
  if (!url || text.includes('#') || url.username || url.password) return undefined;
  const { protocol, hostname, host, origin } = url;
  // The host becomes a part of a policy, where a semicolon would begin another rule.
  const isHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(hostname);
  if (protocol === 'https:') return isHost ? { kind: 'site', name: host, formTarget: origin } : undefined;
  if (protocol === 'http:')
    return deviceHosts.includes(hostname)
      ? // A policy cannot name an IPv6 address.
        { kind: 'device', name: hostname, formTarget: hostname === '[::1]' ? protocol : origin }
      : undefined;
  if (ownSchemes.test(protocol) || !/^[a-z][a-z0-9+.-]*:\//i.test(text)) return undefined;
  return { kind: 'program', name: `${protocol}//`, formTarget: protocol };
}

/**
 * Whether a client has this address: to the letter, except that a program on the device may choose its port for each
 * login (RFC 8252, 7.3).
 */
export function hasRedirect({ redirects }: Pick<Client, 'redirects'>, address: string): boolean {
  if (redirects.includes(address)) return true;
  if (readRedirect(address)?.kind !== 'device') return false;
  return redirects.some((one) => readRedirect(one)?.kind === 'device' && withoutPort(one) === withoutPort(address));
}

const withoutPort = (address: string): string => address.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d+/i, '$1');

const maxRedirects = 10;

/** The addresses of a client; undefined unless all can be used. */
export function readRedirects(given: unknown): readonly string[] | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > maxRedirects) return undefined;
  return given.every((one) => readRedirect(one)) ? given : undefined;
}

// Dynamic registration (RFC 7591). A registration admits no client: the owner does, with the passphrase.

type Registration =
  | (NewClient & { readonly method: string })
  | { readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'; readonly description: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How a client can authenticate itself at the token endpoint. */
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** Reads what a client says of itself. */
export function readRegistration(json: unknown, now: number): Registration {
  const refuse = (description: string): Registration => ({ error: 'invalid_client_metadata', description });
  if (!isObject(json)) return refuse('The body must be a JSON object.');
  const redirects = readRedirects(json.redirect_uris);
  if (!redirects)
    return {
      error: 'invalid_redirect_uri',
      description: `redirect_uris must be 1 to ${maxRedirects} addresses: https, http to localhost, or a scheme of the client’s own; without a fragment.`,
    };
  const { grant_types: grants, response_types: responses } = json;
  // The default of RFC 7591.
  const method = json.token_endpoint_auth_method ?? 'client_secret_basic';
  if (Array.isArray(grants) && !grants.includes('authorization_code'))
    return refuse('grant_types must include authorization_code.');
  if (Array.isArray(responses) && !responses.includes('code')) return refuse('response_types must include code.');
  if (typeof method !== 'string' || !authMethods.some((one) => one === method))
    return refuse(`token_endpoint_auth_method must be ${authMethods.join(', ')}.`);
  const client = createClient('registered', clientName(json.client_name), redirects, now, method !== 'none');
  return { ...client, method };
}

interface NewClient {
  readonly row: ClientRow;
  /** Returned once: the store has its hash. */
  readonly secret: string | undefined;
}

/** Creates a client of this server. */
export function createClient(
  kind: ClientRow['kind'],
  name: string,
  redirects: readonly string[],
  createdAt: number,
  hasSecret = true,
): NewClient {
  const secret = hasSecret ? createSecret() : undefined;
  const id = randomBytes(16).toString('base64url');
  return { row: { id, kind, name, secretHash: secret && hashOf(secret), redirects, createdAt }, secret };
}

/** Clients that were never admitted, and how long (ms) one of them keeps its place: a login takes minutes. */
export const maxStrangers = 100;
export const strangerMs = 10 * 60_000;

/**
 * Whether a client that registers itself finds a place: not when all have a client of the last minutes. A flood then keeps
 * new ones out while it lasts, and removes none that the owner is about to admit.
 */
export const hasPlace = async (tx: GrantView, now: number): Promise<boolean> => (await findPlace(tx, now)) !== 'none';

async function findPlace(tx: GrantView, now: number): Promise<'free' | 'none' | { readonly of: string }> {
  const strangers = await tx.listStrangers();
  const [oldest] = strangers;
  if (strangers.length < maxStrangers || !oldest) return 'free';
  // One from the future is of a clock that was wrong, and would keep its place for ever.
  const isRecent = oldest.createdAt <= now && oldest.createdAt > now - strangerMs;
  return isRecent ? 'none' : { of: oldest.id };
}

/** Keeps a client that registered itself, and returns whether it found a place. */
export async function keepStranger(tx: GrantChange, row: ClientRow): Promise<boolean> {
  const place = await findPlace(tx, row.createdAt);
  if (place === 'none') return false;
  if (place !== 'free') await tx.removeClient(place.of);
  await tx.insertClient(row);
  return true;
}
