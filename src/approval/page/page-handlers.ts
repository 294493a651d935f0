/** Turns checked requests into replies. Only this file calls the approvals port. */
import type { IncomingMessage } from 'node:http';
import type { Approvals, Decision, TicketView } from '../../orders/intent/approval-port.ts';
import { isFinal } from '../../orders/intent/states.ts';
import type { Csrf } from './csrf.ts';
import { type Form, readForm } from './form.ts';
import { formPageHeaders } from './headers.ts';
import { sanitizeText } from './html.ts';
import { type Alert, alertFor, flashMessages, passphraseRequired } from './labels.ts';
import type { OneTimeAddresses } from './one-time.ts';
import { htmlReply, jsonReply, type PageResponse, plainReply } from './page-reply.ts';
import { checkToken, readCookie, type ServerOrigin } from './request-guards.ts';
import { isOpen, ticketPage } from './ticket-page.ts';

export interface HandlerDeps extends ServerOrigin {
  readonly approvals: Approvals;
  readonly csrf: Csrf;
  readonly oneTime: OneTimeAddresses;
  /** Called with a request that named an existing ticket, so that its connection keeps its place. */
  readonly trust: (request: IncomingMessage) => void;
}

export const getTicketPath = (handle: string): string => `/approve/${handle}`;
export const getOpenPath = (token: string): string => `/open/${token}`;

/** Handles the address that the browser was opened with, which leads to the ticket once. */
export const openTicket = (parts: HandlerDeps, request: IncomingMessage, token: string): PageResponse =>
  openOnce(parts, request, token, {
    toPath: getTicketPath,
    used: 'Use the window that opened first, or run “brokerage-mcp approve” in a terminal. If no window shows the order, another program has opened the address.',
  });

/** Redirects the first browser that opens a one-time address; the response to every other one says `used`. */
export function openOnce(
  parts: Pick<HandlerDeps, 'oneTime' | 'cookieName' | 'trust'>,
  request: IncomingMessage,
  token: string,
  { toPath, used }: { readonly toPath: (handle: string) => string; readonly used: string },
): PageResponse {
  // A prefetch may come from a program that only inspects addresses, so it must not use the address up.
  if (/prefetch|preview/i.test(String(request.headers['sec-purpose'] ?? request.headers.purpose ?? '')))
    return plainReply(503, 'Prefetching is not allowed', 'The page opens only when a person visits this address.');
  const name = `${parts.cookieName}-open`;
  const path = getOpenPath(token);
  const found = parts.oneTime.spend(token, readCookie(request, name));
  if (!found) return plainReply(410, 'This address was already used', used);
  parts.trust(request);
  return {
    status: 303,
    headers: { location: toPath(found.handle), 'set-cookie': cookie(name, found.pass, path) },
  };
}

async function readTicket(
  parts: HandlerDeps,
  request: IncomingMessage,
  handle: string,
): Promise<TicketView | undefined> {
  const view = await parts.approvals.viewByHandle(handle);
  if (view) parts.trust(request);
  return view;
}

export const notFound = (): PageResponse =>
  plainReply(
    404,
    'Not found',
    'No order is waiting at this address. The address may be mistyped, or the order may have ended long ago.',
  );

/** Shows the current ticket. This changes nothing. */
export async function showTicket(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<PageResponse> {
  const view = await readTicket(parts, request, handle);
  if (!view) return notFound();
  const notice = readCookie(request, noticeName(parts));
  if (notice !== 'changed' && notice !== 'late') return ticketReply(parts, handle, view);
  return ticketReply(parts, handle, view, flashMessages[notice], [
    cookie(noticeName(parts), '', getTicketPath(handle), '; Max-Age=0'),
  ]);
}

export async function showStatus(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<PageResponse> {
  const view = await readTicket(parts, request, handle);
  if (!view) return notFound();
  const { state, message, secondsLeft } = view;
  return jsonReply({ state, message: sanitizeText(message), secondsLeft, done: isFinal(state) });
}

/** Processes a decision. The token is checked before the approvals port is called. */
export async function postDecision(
  parts: HandlerDeps,
  request: IncomingMessage,
  handle: string,
): Promise<PageResponse> {
  const form = await readForm(request);
  if (!form)
    return plainReply(413, 'The form is too large', 'The form of the ticket is much smaller. Nothing was decided.');
  const refused = checkToken(request, form, { ...parts, handle });
  if (refused) return refused;
  if (form.action !== 'approve' && form.action !== 'reject') {
    return plainReply(400, 'Neither an approval nor a rejection', 'Open the address of the ticket again.');
  }
  const view = await readTicket(parts, request, handle);
  if (!view) return notFound();
  // An empty field does not count as an attempt.
  if (form.action === 'approve' && form.passphrase === '') return ticketReply(parts, handle, view, passphraseRequired);
  return afterDecision(parts, handle, await decide(parts.approvals, view, form));
}

function decide(approvals: Approvals, { ticket }: TicketView, form: Form): Promise<Decision> {
  const { intentId } = ticket;
  if (form.action === 'reject') return approvals.reject({ intentId, channel: 'page' });
  return approvals.approve({
    intentId,
    digest: form.digest,
    passphrase: form.passphrase,
    channel: 'page',
    seen: form.seen,
  });
}

async function afterDecision(parts: HandlerDeps, handle: string, decision: Decision): Promise<PageResponse> {
  switch (decision.kind) {
    case 'approved':
    case 'rejected':
      return seeTicket(parts, handle);
    case 'not_waiting':
      return seeTicket(parts, handle, 'late');
    case 'changed':
      return seeTicket(parts, handle, 'changed');
    default: {
      const view = await parts.approvals.viewByHandle(handle);
      return view ? ticketReply(parts, handle, view, alertFor(decision)) : notFound();
    }
  }
}

/** A redirect (303), so that reloading the page does not send the decision again. */
const seeTicket = (parts: HandlerDeps, handle: string, notice?: keyof typeof flashMessages): PageResponse => ({
  status: 303,
  headers: {
    location: getTicketPath(handle),
    // The next page shows this message once. It is in a cookie, because the address contains only the handle.
    ...(notice && { 'set-cookie': cookie(noticeName(parts), notice, getTicketPath(handle), '; Max-Age=30') }),
  },
});

function ticketReply(
  parts: HandlerDeps,
  handle: string,
  view: TicketView,
  alert?: Alert | undefined,
  cookies: readonly string[] = [],
): PageResponse {
  const path = getTicketPath(handle);
  const page = ticketPage(view, { path, csrf: parts.csrf.token(handle, view.digest), alert });
  const retry = alert?.retryAfterSeconds;
  return htmlReply(alert?.status ?? 200, page, {
    ...(isOpen(view) && formPageHeaders),
    ...(retry !== undefined && retry > 0 && { 'retry-after': String(Math.ceil(retry)) }),
    'set-cookie': [cookie(parts.cookieName, parts.csrf.session, path), ...cookies],
  });
}

const noticeName = ({ cookieName }: ServerOrigin) => `${cookieName}-notice`;

export const cookie = (name: string, value: string, path: string, end = ''): string =>
  `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict${end}`;
