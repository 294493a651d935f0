/** Who may ask. Each check says why it is there; a refusal means no. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HttpErrorResponse, refusals } from './error-responses.ts';

/** The names under which a server is reached, and the pages that are its own. */
export interface AllowedHosts {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

const everyAddress = ['0.0.0.0', '[::]'];
const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** With ports, because another program of this machine is another site. */
export function resolveAllowedHosts(at: {
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
  /** From the settings: a name that a proxy or another machine uses. */
  readonly others: readonly string[];
}): AllowedHosts {
  const isEverywhere = everyAddress.includes(at.host);
  const own = [...(isEverywhere ? [] : [at.host]), ...(at.isLoopback || isEverywhere ? thisMachine : [])]
    // Nobody writes the usual port.
    .flatMap((name) => [`${name}:${at.port}`, ...(at.port === 80 ? [name] : [])]);
  const origins = [
    ...own.map((name) => `http://${name}`),
    ...at.others.flatMap((name) => [`https://${name}`, `http://${name}`]),
  ];
  return { hosts: new Set([...own, ...at.others]), origins: new Set(origins) };
}

/** A name that somebody points at this machine (DNS rebinding) reaches us with its own host. */
export function checkHost(request: IncomingMessage, { hosts }: AllowedHosts): HttpErrorResponse | undefined {
  const given = request.headersDistinct.host ?? [];
  return given.length === 1 && hosts.has((given[0] as string).toLowerCase()) ? undefined : refusals.host;
}

/** Programs send none. A browser sends the page's, and no other page has any business here. */
export function checkOrigin(request: IncomingMessage, { origins }: AllowedHosts): HttpErrorResponse | undefined {
  const given = request.headersDistinct.origin ?? [];
  return given.every((origin) => origins.has(origin.toLowerCase())) ? undefined : refusals.origin;
}

/** Whether a request may be served: told its Authorization headers. */
export type Authorize = (given: readonly string[]) => HttpErrorResponse | undefined;

/** As hashes, because a comparison of two lengths would tell the length. */
export function bearerToken(token: string): Authorize {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (given) => {
    if (given.length === 0) return refusals.noToken;
    const [, sent] = /^bearer +(\S+) *$/i.exec(given.length === 1 ? (given[0] as string) : '') ?? [];
    return sent !== undefined && timingSafeEqual(digest(sent), expected) ? undefined : refusals.wrongToken;
  };
}

/** A page of another site could send a form or plain text unasked, and never this type. */
export function checkType(request: IncomingMessage): HttpErrorResponse | undefined {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const isPlain = (request.headers['content-encoding'] ?? 'identity') === 'identity';
  return type.trim().toLowerCase() === 'application/json' && isPlain ? undefined : refusals.type;
}
