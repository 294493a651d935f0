/** From a request that was checked to its reply: this is where the port is asked. */
import type { IncomingMessage } from 'node:http';
import type { Approvals, Decision, TicketView } from '../../orders/approval-port.ts';
import { isFinal } from '../../orders/states.ts';
import { checkToken, type Place, readCookie } from './checks.ts';
import type { Csrf } from './csrf.ts';
import { type Form, readForm } from './form.ts';
import { formPageHeaders } from './headers.ts';
import { cleanText } from './html.ts';
import { htmlReply, jsonReply, plainReply, type Reply } from './reply.ts';
import { isOpen, ticketPage } from './ticket-page.ts';
import { type Alert, alertFor, nothingTyped, notices } from './words.ts';

export interface Parts extends Place {
  readonly approvals: Approvals;
  readonly csrf: Csrf;
}

export const pathOf = (handle: string): string => `/approve/${handle}`;

export const nothingHere = (): Reply =>
  plainReply(
    404,
    'Nothing is here',
    'No order waits at this address. It may be mistyped, or the order may be long over.',
  );

/** The ticket as it is now. Looking at it changes nothing. */
export async function showTicket(parts: Parts, request: IncomingMessage, handle: string): Promise<Reply> {
  const view = await parts.approvals.viewByHandle(handle);
  if (!view) return nothingHere();
  const notice = readCookie(request, noticeName(parts));
  if (notice !== 'changed' && notice !== 'late') return ticketReply(parts, handle, view);
  return ticketReply(parts, handle, view, notices[notice], [cookie(noticeName(parts), '', handle, '; Max-Age=0')]);
}

export async function showStatus(parts: Parts, handle: string): Promise<Reply> {
  const view = await parts.approvals.viewByHandle(handle);
  if (!view) return nothingHere();
  const { state, message, secondsLeft } = view;
  return jsonReply({ state, message: cleanText(message), secondsLeft, done: isFinal(state) });
}

/** What the person said. The token is looked at before the port is asked anything. */
export async function takeAnswer(parts: Parts, request: IncomingMessage, handle: string): Promise<Reply> {
  const form = await readForm(request);
  if (!form) return plainReply(413, 'That is too long', 'The form of the ticket is much shorter. Nothing was decided.');
  const refused = checkToken(request, form, { ...parts, handle });
  if (refused) return refused;
  if (form.action !== 'approve' && form.action !== 'reject') {
    return plainReply(400, 'Neither an approval nor a rejection', 'Open the address of the ticket anew.');
  }
  const view = await parts.approvals.viewByHandle(handle);
  if (!view) return nothingHere();
  // No attempt is spent on an empty field.
  if (form.action === 'approve' && form.passphrase === '') return ticketReply(parts, handle, view, nothingTyped);
  return afterDecision(parts, handle, await decide(parts.approvals, view, form));
}

function decide(approvals: Approvals, { ticket }: TicketView, form: Form): Promise<Decision> {
  const { intentId } = ticket;
  if (form.action === 'reject') return approvals.reject({ intentId, channel: 'page' });
  return approvals.approve({ intentId, digest: form.digest, passphrase: form.passphrase, channel: 'page' });
}

async function afterDecision(parts: Parts, handle: string, decision: Decision): Promise<Reply> {
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
      return view ? ticketReply(parts, handle, view, alertFor(decision)) : nothingHere();
    }
  }
}

/** See other: so that loading the page again does not answer again. */
const seeTicket = (parts: Parts, handle: string, notice?: keyof typeof notices): Reply => ({
  status: 303,
  headers: {
    location: pathOf(handle),
    // Said once by the page that follows; a cookie, because the address carries the handle only.
    ...(notice && { 'set-cookie': cookie(noticeName(parts), notice, handle, '; Max-Age=30') }),
  },
});

function ticketReply(
  parts: Parts,
  handle: string,
  view: TicketView,
  alert?: Alert | undefined,
  cookies: readonly string[] = [],
): Reply {
  const path = pathOf(handle);
  const page = ticketPage(view, { path, csrf: parts.csrf.token(handle, view.digest), alert });
  const retry = alert?.retryAfterSeconds;
  return htmlReply(alert?.status ?? 200, page, {
    ...(isOpen(view) && formPageHeaders),
    ...(retry !== undefined && retry > 0 && { 'retry-after': String(Math.ceil(retry)) }),
    'set-cookie': [cookie(parts.cookieName, parts.csrf.session, handle), ...cookies],
  });
}

const noticeName = ({ cookieName }: Place) => `${cookieName}-notice`;

const cookie = (name: string, value: string, handle: string, end = '') =>
  `${name}=${value}; Path=${pathOf(handle)}; HttpOnly; SameSite=Strict${end}`;
