/** Which part of a page a request is for, and the checks before it. They are the same for every page. */

import type { IncomingMessage } from 'node:http';
import { log } from '../../log.ts';
import { cookie, type PageResponse, plainReply } from './page-reply.ts';
import {
  type Csrf,
  checkHost,
  checkOrigin,
  checkSession,
  checkSite,
  checkType,
  type OneTimeAddresses,
  readCookie,
  readFields,
  type ServerOrigin,
} from './request-guards.ts';

/** What the server gives to the handlers of a request. */
export interface PageDeps extends ServerOrigin {
  /** Whether the request is for the public name. */
  readonly isPublic?: boolean | undefined;
  readonly csrf: Csrf;
  readonly oneTime: OneTimeAddresses;
  readonly takeScriptFault: ScriptFaults;
  /** Called with a request that named what the page shows, so that its connection keeps its place. */
  readonly trust: (request: IncomingMessage) => void;
}

/** A page with addresses of the form `/FOLDER/HANDLE`. */
interface PageRoutes {
  readonly folder: 'approve' | 'draft';
  /** What to do when a one-time address was opened before. */
  readonly whenUsed: string;
  /** What a person can do here, for a request with another method. */
  readonly allowed: string;
  readonly notFound: PageResponse;
  /** Whether the page can have this handle. */
  admits(handle: string): boolean;
  show(handle: string): Promise<PageResponse>;
  showStatus(handle: string): Promise<PageResponse>;
  /** Called with a form that a page of this server sent. */
  post(handle: string): Promise<PageResponse>;
}

export const getOpenPath = (token: string): string => `/open/${token}`;

export const getPagePath = (folder: PageRoutes['folder'], handle: string): string => `/${folder}/${handle}`;

const openRoute = /^\/open\/([\w-]{1,128})$/;
const pageRoute = /^\/(approve|draft)\/([\w-]{1,128})(\/status|\/fault)?$/;

/** Replies to a request, or refuses it before anything is read. */
export async function routeRequest(
  deps: PageDeps,
  request: IncomingMessage,
  routes: PageRoutes,
): Promise<PageResponse> {
  const refused = checkHost(request, deps);
  if (refused) return refused;
  const wrongMethod = (allow: string) => plainReply(405, 'Method not allowed', routes.allowed, { allow });
  // Chat programs may append a query to the address; it is ignored.
  const [path = ''] = (request.url ?? '').split('?');
  const [, token] = openRoute.exec(path) ?? [];
  if (token !== undefined)
    return request.method === 'GET'
      ? (checkSite(request) ?? openOnce(deps, request, token, routes))
      : wrongMethod('GET');
  const [, folder, handle, part] = pageRoute.exec(path) ?? [];
  if (folder !== routes.folder || handle === undefined || !routes.admits(handle)) return routes.notFound;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (part === '/status') return isRead ? (checkSite(request) ?? routes.showStatus(handle)) : wrongMethod('GET, HEAD');
  const isFault = part === '/fault';
  if (isRead && !isFault) return routes.show(handle);
  if (request.method !== 'POST') return wrongMethod(isFault ? 'POST' : 'GET, HEAD, POST');
  const foreign = checkSite(request) ?? checkOrigin(request, deps) ?? checkType(request);
  if (foreign) return foreign;
  return isFault ? (checkSession(request, deps) ?? deps.takeScriptFault(request)) : routes.post(handle);
}

/** Redirects the first browser that opens a one-time address. */
function openOnce(
  { oneTime, cookieName, trust }: PageDeps,
  request: IncomingMessage,
  token: string,
  { folder, whenUsed }: PageRoutes,
): PageResponse {
  // A prefetch may come from a program that only inspects addresses, so it must not use the address up.
  if (/prefetch|preview/i.test(String(request.headers['sec-purpose'] ?? request.headers.purpose ?? '')))
    return plainReply(503, 'Prefetching is not allowed', 'The page opens only when a person visits this address.');
  const name = `${cookieName}-open`;
  const found = oneTime.spend(token, readCookie(request, name));
  if (!found) return plainReply(410, 'This address was already used', whenUsed);
  trust(request);
  const headers = {
    location: getPagePath(folder, found.handle),
    'set-cookie': cookie(name, found.pass, getOpenPath(token)),
  };
  return { status: 303, headers };
}

// The faults of the script of a page, which runs in a browser: the page reports them to its server, and the log keeps them.

/** Takes the report of a page. */
type ScriptFaults = (request: IncomingMessage) => Promise<PageResponse>;

/** A script has few places that can throw, and a page reports each once. What is more has another source. */
const maxReports = 10;

/** Creates the receiver of one server. A report is class and place only: the message stays in the browser. */
export function createScriptFaults(): ScriptFaults {
  let reports = 0;
  return async (request) => {
    const field = await readFields(request);
    if (!field) return plainReply(413, 'The report is too large', 'Reports of the page are much smaller.');
    reports += 1;
    if (reports > maxReports) return plainReply(429, 'Too many reports', 'The log has the first ones.');
    log.fault('the script of a page', readFault(field));
    return { status: 204 };
  };
}

/** Builds the error that the log expects. Text of another form is not kept. */
function readFault(field: (name: string) => string): Error {
  const match = (name: string, form: RegExp) => form.exec(field(name))?.[0];
  const code = match('code', /^[A-Za-z]{1,40}$/) ?? 'unknown';
  const name = match('name', /^[\w.]{1,60}$/) ?? 'script';
  const place = match('place', /^\d{1,5}:\d{1,5}$/) ?? '?';
  const stack = `${code}\n    at ${name} (page-script.js:${place}, from src/core/approval/page/page-script.ts)`;
  return Object.assign(new Error('The script of the page threw.'), { code, stack });
}
