/** Checks of who may read and who may decide. Each returns the refusal; undefined means that the request passes. */
import type { IncomingMessage } from 'node:http';
import { isSameText } from '../../text/same-text.ts';
import type { Csrf } from './csrf.ts';
import type { Form } from './form.ts';
import { type PageResponse, plainReply } from './page-reply.ts';

export interface ServerOrigin {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** Browsers send cookies to all ports of a host, so the name of the cookie contains the port. */
  readonly cookieName: string;
}

const refused = (why: string): PageResponse =>
  plainReply(
    403,
    why,
    'Open the address of the page again, in a browser on this machine. Nothing was decided or changed.',
  );

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
