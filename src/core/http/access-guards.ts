/**
 * Access checks of the HTTP server. Each comment names the attack or mistake that the check prevents; each check
 * returns a refusal or undefined.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Scope } from '../mcp/tool-listing.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';

/** Host names under which clients reach the server, and origins of its own pages. */
export interface AllowedHosts {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

const everyAddress = ['0.0.0.0', '[::]'];
const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the names and origins that clients may use. They include the port, because a program on another port of this
 * machine is another site.
 */
export function resolveAllowedHosts(at: {
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
  /** Further host names from the settings, used by a proxy or another machine. */
  readonly others: readonly string[];
}): AllowedHosts {
  const isEverywhere = everyAddress.includes(at.host);
  const own = [...(isEverywhere ? [] : [at.host]), ...(at.isLoopback || isEverywhere ? thisMachine : [])]
    // Clients leave the default port out.
    .flatMap((name) => [`${name}:${at.port}`, ...(at.port === 80 ? [name] : [])]);
  const origins = [
    ...own.map((name) => `http://${name}`),
    ...at.others.flatMap((name) => [`https://${name}`, `http://${name}`]),
  ];
  return { hosts: new Set([...own, ...at.others]), origins: new Set(origins) };
}

/** Prevents DNS rebinding: a name that an attacker points at this machine arrives in the Host header. */
export function checkHost(request: IncomingMessage, { hosts }: AllowedHosts): HttpErrorResponse | undefined {
  const given = request.headersDistinct.host ?? [];
  return given.length === 1 && hosts.has((given[0] as string).toLowerCase()) ? undefined : refusals.host;
}

/** Programs send no Origin header. A browser sends the page's origin, and only the server's own pages may use it. */
export function checkOrigin(request: IncomingMessage, { origins }: AllowedHosts): HttpErrorResponse | undefined {
  const given = request.headersDistinct.origin ?? [];
  return given.every((origin) => origins.has(origin.toLowerCase())) ? undefined : refusals.origin;
}

/** Who sent a request. A session belongs to its caller, and is unknown to every other one. */
export interface Caller {
  /** The id of what admitted it. */
  readonly grant: string;
  readonly reach: Reach;
}

/** What the server of a caller has: all of the process for the owner, or what a scope names. */
export type Reach = Scope | 'owner';

/** The caller with the token of the settings. */
export const owner: Caller = { grant: 'token', reach: 'owner' };

export const isSameCaller = (a: Caller, b: Caller): boolean => a.grant === b.grant && a.reach === b.reach;

/** Receives the Authorization headers and the Host of a request, and returns who sent it, or the refusal. */
export type Authorize = (
  given: readonly string[],
  host: string,
) => Caller | HttpErrorResponse | Promise<Caller | HttpErrorResponse>;

/** The token of a request; undefined when it has none, or more than one. */
export const readBearer = (given: readonly string[]): string | undefined =>
  /^bearer +(\S+) *$/i.exec(given.length === 1 ? (given[0] as string) : '')?.[1];

/** Returns the check of a token. It compares hashes, because comparing different lengths would reveal the length. */
export function bearerToken(token: string): (given: readonly string[]) => Caller | HttpErrorResponse {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (given) => {
    if (given.length === 0) return refusals.noToken;
    const sent = readBearer(given);
    return sent !== undefined && timingSafeEqual(digest(sent), expected) ? owner : refusals.wrongToken;
  };
}

/** Requires JSON: a page of another site can send a form or plain text without a preflight, but not this type. */
export function checkType(request: IncomingMessage): HttpErrorResponse | undefined {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
  return type.trim().toLowerCase() === 'application/json' && isPlain ? undefined : refusals.type;
}
