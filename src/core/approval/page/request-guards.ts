/** Checks of who may read and who may decide. Each returns the refusal; undefined means that the request passes. */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';
import { isSameText } from '../../text/same-text.ts';
import { type PageResponse, plainReply } from './page-reply.ts';

/** One of the addresses of the server: its own, or the public one, which the owner can set. */
export interface ServerOrigin {
  /** `http://127.0.0.1:PORT`, or `https://HOST` */
  readonly origin: string;
  /** `127.0.0.1:PORT`, or the host of the public address */
  readonly host: string;
  /** Browsers send cookies to all ports of a host, so the name of the cookie contains the port. */
  readonly cookieName: string;
}

const refused = (why: string): PageResponse =>
  plainReply(403, why, 'Open the address of the page again. Nothing was decided or changed.');

/** Against DNS rebinding: a foreign name that points at this machine arrives with its own host. */
export function checkHost(request: IncomingMessage, place: ServerOrigin): PageResponse | undefined {
  const hosts = request.headersDistinct.host ?? [];
  return hosts.length === 1 && hosts[0] === place.host ? undefined : refused('This server does not serve this address');
}

/** Other pages, including those of other ports of this machine, may not send a decision or read a status. */
export function checkSite(request: IncomingMessage): PageResponse | undefined {
  const site = request.headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site' ? refused('Another page sent this form') : undefined;
}

/** A decision must come from the page itself, so a missing origin or `null` is refused. */
export function checkOrigin(request: IncomingMessage, place: ServerOrigin): PageResponse | undefined {
  return request.headers.origin === place.origin ? undefined : refused('Another page sent this form');
}

/** The form sends only this type. */
export function checkType(request: IncomingMessage): PageResponse | undefined {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const isForm = type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  return isForm ? undefined : refused('This is not a form of the page');
}

/** For a report that decides nothing: a page without a form has no token. */
export function checkSession(request: IncomingMessage, parts: ServerOrigin & { csrf: Csrf }): PageResponse | undefined {
  const session = readCookie(request, parts.cookieName) ?? '';
  return isSameText(session, parts.csrf.session) ? undefined : refused('Another page sent this form');
}

export function checkToken(
  request: IncomingMessage,
  form: Pick<Form, 'csrf' | 'digest'>,
  parts: ServerOrigin & { csrf: Csrf; handle: string },
) {
  const session = readCookie(request, parts.cookieName) ?? '';
  const { csrf: token, digest } = form;
  const isValid = parts.csrf.isValid({ session, token, handle: parts.handle, digest });
  return isValid ? undefined : refused('The form is out of date');
}

export function readCookie(request: IncomingMessage, name: string): string | undefined {
  const all = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return all.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

// Proves that a form comes from a page of this server. A page of another origin can neither read the token nor make
// the browser send the cookie; the token also identifies the ticket that was on the page.

export interface Csrf {
  /** The value of the session cookie; valid as long as this process runs. */
  readonly session: string;
  token(handle: string, digest: string): string;
  isValid(answer: { session: string; token: string; handle: string; digest: string }): boolean;
}

export function createCsrf(): Csrf {
  const secret = randomBytes(32);
  const session = randomBytes(32).toString('base64url');
  const tokenFor = (cookie: string, handle: string, digest: string) =>
    // JSON, so that two different triples never produce the same text.
    createHmac('sha256', secret)
      .update(JSON.stringify([cookie, handle, digest]))
      .digest('base64url');
  return {
    session,
    token: (handle, digest) => tokenFor(session, handle, digest),
    // The token depends on the cookie, so a cookie that this server did not set has no valid token.
    isValid: ({ session: cookie, token, handle, digest }) => isSame(token, tokenFor(cookie, handle, digest)),
  };
}

/** Compares in a time that shows neither where the texts differ nor how long they are. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}

// Addresses for the browser that the server opens. Other programs of the machine can read the arguments of that
// browser, so each address works once: the first GET leads to the page, later ones do not.

export interface OneTimeAddresses {
  /** Creates a token for a ticket. */
  create(handle: string): string;
  /**
   * Returns the ticket of a token, and the pass that the first browser receives. With this pass the same browser
   * may use the token again (it prefetched the page, or the owner went back). Undefined for a
   * token that another browser has used, and for one that is unknown or expired.
   */
  spend(token: string, pass: string | undefined): { readonly handle: string; readonly pass: string } | undefined;
}

/** The time of an approval. */
const approvalMs = 120_000;
const maxAddresses = 100;

export function createOneTimeAddresses(clock: Clock, lifeMs = approvalMs): OneTimeAddresses {
  const kept = new Map<string, { readonly handle: string; readonly endsAt: number; pass?: string }>();
  return {
    create: (handle) => {
      const token = randomBytes(24).toString('base64url');
      kept.set(token, { handle, endsAt: clock.now() + lifeMs });
      const [oldest] = kept.keys();
      if (kept.size > maxAddresses && oldest !== undefined) kept.delete(oldest);
      return token;
    },
    spend: (token, pass) => {
      const found = kept.get(token);
      if (!found || clock.now() >= found.endsAt) return undefined;
      if (found.pass !== undefined && found.pass !== pass) return undefined;
      found.pass ??= randomBytes(24).toString('base64url');
      return { handle: found.handle, pass: found.pass };
    },
  };
}

export interface Form {
  readonly action: string;
  readonly csrf: string;
  readonly digest: string;
  /** Exactly as typed. */
  readonly passphrase: string;
  /** The response of a passkey, as the script of the page wrote it. */
  readonly passkey: string;
  /** How many wrong passphrases the page showed. */
  readonly seen: number;
}

const maxBodyBytes = 4 * 1024;

/** Reads the form of a ticket; undefined when it is too long. */
export async function readForm(request: IncomingMessage): Promise<Form | undefined> {
  const only = await readFields(request);
  if (!only) return undefined;
  const seen = /^\d{1,9}$/.test(only('seen')) ? Number(only('seen')) : 0;
  const [action, csrf, digest] = [only('action'), only('csrf'), only('digest')];
  return { action, csrf, digest, passphrase: only('passphrase'), passkey: only('passkey'), seen };
}

/** Reads the fields of a body; undefined when it is too long. A field that is missing or repeated is empty. */
export async function readFields(request: IncomingMessage): Promise<((name: string) => string) | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    // A body that is too long is read until the server's time limit, because otherwise the sender does not receive
    // the refusal.
    if (size <= maxBodyBytes) pieces.push(piece as Buffer);
  }
  if (size > maxBodyBytes) return undefined;
  const fields = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  return (name) => {
    const [value = '', ...more] = fields.getAll(name);
    return more.length === 0 ? value : '';
  };
}
