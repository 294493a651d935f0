/** The approval page, on this machine's loopback address and under the public name that the owner may have set. A person approves or rejects an order or a draft on it. */

import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { PublicPage } from '../../settings/config.ts';
import type { FindSubject, PagePasskeys, Subject, SubjectDecision } from './decision-form.ts';
import { sanitizeText } from './html.ts';
import {
  type Alert,
  type FlashName,
  flashMessages,
  passkeyAlert,
  passkeyRequired,
  passphraseRequired,
} from './labels.ts';
import {
  buildPolicy,
  cookie,
  formPageHeaders,
  htmlReply,
  jsonReply,
  type PageResponse,
  plainReply,
} from './page-reply.ts';
import { getPagePath, type PageDeps, routeRequest } from './page-routes.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { checkToken, readCookie, readForm, type ServerOrigin } from './request-guards.ts';

/** The running server of the page. */
export interface ApprovalPage extends PageServer {
  /** The address of a ticket. It reveals nothing but the random handle. */
  getUrl(handle: string): string;
}

/** Starts the server of the page on 127.0.0.1, and resolves when it listens. */
export async function startApprovalPage(deps: {
  subjects: readonly FindSubject[];
  clock: Clock;
  publicPage?: PublicPage | undefined;
  passkeys?: PagePasskeys | undefined;
}): Promise<ApprovalPage> {
  const { subjects, clock, publicPage, passkeys } = deps;
  const server = await startPageServer({
    name: 'approval',
    clock,
    publicPage,
    respond: (page, request) =>
      replyForTicket({ ...page, subjects, passkeys: page.isPublic ? passkeys : undefined }, request),
    whenFailed: decisionFailed,
  });
  return { ...server, getUrl: (handle) => server.origin + getTicketPath(handle) };
}

// Turns checked requests into replies. What an address shows and decides is its subject: an order, or a draft.

interface HandlerDeps extends PageDeps {
  /** What a handle can be the address of. */
  readonly subjects: readonly FindSubject[];
  /** Undefined for requests that are not for the public name: a browser uses a passkey under its own name alone. */
  readonly passkeys?: PagePasskeys | undefined;
}

const getTicketPath = (handle: string): string => getPagePath('approve', handle);

/** Replies to a request for a ticket. */
export const replyForTicket = (parts: HandlerDeps, request: IncomingMessage): Promise<PageResponse> =>
  routeRequest(parts, request, {
    folder: 'approve',
    whenUsed:
      'Use the window that opened first, or run “brokerage-mcp approve” in a terminal. If no window shows the order, another program has opened the address.',
    allowed: 'You can view, approve or reject a ticket.',
    notFound,
    // Reading the ticket shows whether one has the handle.
    admits: () => true,
    show: (handle) => showTicket(parts, request, handle),
    showStatus: (handle) => showStatus(parts, request, handle),
    post: (handle) => postDecision(parts, request, handle),
  });

/** What the address of a handle shows; undefined when no recent ticket has it. */
async function readSubject(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<Subject | undefined> {
  for (const find of parts.subjects) {
    const subject = await find(handle);
    if (!subject) continue;
    parts.trust(request);
    return subject;
  }
  return undefined;
}

const notFound: PageResponse = plainReply(
  404,
  'Not found',
  'No order is waiting at this address. The address may be mistyped, or the order may have ended long ago.',
);

/** The response when a request could not be processed. */
const decisionFailed: PageResponse = plainReply(
  500,
  'Internal server error',
  'Your decision may or may not have been recorded. Open the address of the page again to see the state of the order.',
);

/** Shows the current ticket. This changes nothing. */
async function showTicket(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<PageResponse> {
  const subject = await readSubject(parts, request, handle);
  if (!subject) return notFound;
  const notice = readCookie(request, noticeName(parts));
  if (notice === undefined || !Object.hasOwn(flashMessages, notice)) return ticketReply(parts, handle, subject);
  return ticketReply(parts, handle, subject, flashMessages[notice as FlashName], [
    cookie(noticeName(parts), '', getTicketPath(handle), '; Max-Age=0'),
  ]);
}

async function showStatus(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<PageResponse> {
  const subject = await readSubject(parts, request, handle);
  if (!subject) return notFound;
  return jsonReply({ ...subject.status, message: sanitizeText(subject.status.message) });
}

/** Processes a decision. The token is checked before anything is decided. */
async function postDecision(parts: HandlerDeps, request: IncomingMessage, handle: string): Promise<PageResponse> {
  const form = await readForm(request);
  if (!form)
    return plainReply(413, 'The form is too large', 'The form of the ticket is much smaller. Nothing was decided.');
  const refused = checkToken(request, form, { ...parts, handle });
  if (refused) return refused;
  const subject = await readSubject(parts, request, handle);
  if (!subject) return notFound;
  const action = subject.actions.find((name) => name === form.action);
  if (!action) return plainReply(400, 'Neither an approval nor a rejection', 'Open the address of the ticket again.');
  // Under the public name an enrolled passkey takes the place of the passphrase, which others could guess there.
  const passkeys = (await parts.passkeys?.isEnrolled()) ? parts.passkeys : undefined;
  // An empty field does not count as an attempt.
  if (action === 'approve' && (passkeys ? form.passkey : form.passphrase) === '')
    return ticketReply(parts, handle, subject, passkeys ? passkeyRequired : passphraseRequired);
  const proof = passkeys?.readProof(form.passkey);
  return afterDecision(parts, request, handle, await subject.decide(action, { ...form, proof }));
}

async function afterDecision(
  parts: HandlerDeps,
  request: IncomingMessage,
  handle: string,
  decision: SubjectDecision,
): Promise<PageResponse> {
  switch (decision.kind) {
    case 'approved':
    case 'rejected':
      return seeTicket(parts, handle);
    case 'not_waiting':
      return seeTicket(parts, handle, 'late');
    case 'changed':
    case 'all_placed':
      return seeTicket(parts, handle, decision.kind);
    default: {
      const subject = await readSubject(parts, request, handle);
      if (!subject) return notFound;
      const alert = decision.kind === 'passkey_refused' ? passkeyAlert(decision) : subject.describeRefusal(decision);
      return ticketReply(parts, handle, subject, alert);
    }
  }
}

/** A redirect (303), so that reloading the page does not send the decision again. */
const seeTicket = (parts: HandlerDeps, handle: string, notice?: FlashName): PageResponse => ({
  status: 303,
  headers: {
    location: getTicketPath(handle),
    // The next page shows this message once. It is in a cookie, because the address contains only the handle.
    ...(notice && { 'set-cookie': cookie(noticeName(parts), notice, getTicketPath(handle), '; Max-Age=30') }),
  },
});

async function ticketReply(
  parts: HandlerDeps,
  handle: string,
  subject: Subject,
  alert?: Alert | undefined,
  cookies: readonly string[] = [],
): Promise<PageResponse> {
  const path = getTicketPath(handle);
  const { passkeys } = parts;
  const needsPasskey = subject.hasForm && (await passkeys?.isEnrolled());
  const passkey = needsPasskey ? await passkeys?.drawFields(subject.digest) : undefined;
  const page = subject.render({ path, csrf: parts.csrf.token(handle, subject.digest), alert, passkey });
  const retry = alert?.retryAfterSeconds;
  return htmlReply(alert?.status ?? 200, page, {
    ...(subject.hasForm && formPageHeaders),
    ...(passkeys && { 'content-security-policy': buildPolicy("'self'", [passkeys.script]) }),
    ...(retry !== undefined && retry > 0 && { 'retry-after': String(Math.ceil(retry)) }),
    'set-cookie': [cookie(parts.cookieName, parts.csrf.session, path), ...cookies],
  });
}

const noticeName = ({ cookieName }: ServerOrigin) => `${cookieName}-notice`;
