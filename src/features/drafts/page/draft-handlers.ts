/** Turns checked requests for a draft into replies. Only this file changes drafts: it makes them smaller or stricter. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Alert, flashMessages } from '../../../core/approval/page/labels.ts';
import {
  cookie,
  formPageHeaders,
  htmlReply,
  jsonReply,
  type PageResponse,
  plainReply,
} from '../../../core/approval/page/page-reply.ts';
import { getPagePath, type PageDeps, routeRequest } from '../../../core/approval/page/page-routes.ts';
import { startPageServer } from '../../../core/approval/page/page-server.ts';
import { checkToken, readCookie, readFields } from '../../../core/approval/page/request-guards.ts';
import type { Clock } from '../../../core/clock.ts';
import { BrokerageError, type ErrorCode } from '../../../core/errors.ts';
import { lookUp } from '../../../core/text/outcome-sentences.ts';
import { isSameText } from '../../../core/text/same-text.ts';
import type { DraftEdit } from '../book/draft.ts';
import { editDraft } from '../book/edit-draft.ts';
import { readDraft } from '../book/find-draft.ts';
import { isEndedPhase, readDraftSheet } from '../draft-sheet.ts';
import { announceApproval } from '../submission/announce-approval.ts';
import { describeDraftState, reportLatest } from '../submission/describe-submission.ts';
import { discardDraft, stopDraft } from '../submission/stop-submission.ts';
import type { SubmissionDeps } from '../submission/submission.ts';
import { draftPage, getDraftState } from './draft-page.ts';

export interface DraftHandlerDeps extends PageDeps {
  readonly draftId: string;
  /** The random part of the page's address. */
  readonly handle: string;
  readonly drafts: SubmissionDeps;
  /** Aborts the requests of a page when the server ends. */
  readonly signal: AbortSignal;
}

const getDraftPath = (handle: string): string => getPagePath('draft', handle);

const draftNotFound: PageResponse = plainReply(
  404,
  'Not found',
  'No draft is at this address. The terminal shows the address that works.',
);

/** Replies to a request. Every check comes before the draft is read. */
export const replyForDraft = (parts: DraftHandlerDeps, request: IncomingMessage): Promise<PageResponse> =>
  routeRequest(parts, request, {
    folder: 'draft',
    whenUsed:
      'Use the window that opened first. If no window shows the draft, another program has opened the address: press Ctrl+C in the terminal, and run the command again.',
    allowed: 'You can view a draft, and make it smaller or stricter.',
    notFound: draftNotFound,
    admits: (handle) => {
      const isOwn = isSameText(handle, parts.handle);
      if (isOwn) parts.trust(request);
      return isOwn;
    },
    show: () => showDraft(parts, readNotice(parts, request)),
    showStatus: () => showDraftStatus(parts),
    post: () => postChange(parts, request),
  });

/** The response when a request could not be processed. */
const draftFailed: PageResponse = plainReply(
  500,
  'Internal server error',
  'Your change may or may not have been saved. Open the address again to see the draft as it is.',
);

/** What the page asks for, so that it notices changes; it reads the store only. */
async function showDraftStatus({ drafts, draftId }: DraftHandlerDeps): Promise<PageResponse> {
  const found = await readDraft(drafts, draftId).catch(onlyOurs);
  if (found instanceof BrokerageError) return toReply(found);
  const { draft } = found;
  const sent = await reportLatest(drafts, draftId, 'person');
  const phase = describeDraftState(draft, sent, drafts.clock.now());
  return jsonReply({
    state: getDraftState({ draft, phase, sent }),
    message: '',
    secondsLeft: 0,
    done: isEndedPhase(phase),
  });
}

/** How long the account is read for one page (ms). */
const maxReadMs = 20_000;

/** What the page says once above the draft: the version that it has just saved, or why a change was not made. */
interface Notice {
  readonly saved?: string | undefined;
  readonly alert?: Alert | undefined;
}

/** The draft as it is now, and the way to its approval. Reading it changes nothing. */
async function showDraft(parts: DraftHandlerDeps, { saved, alert }: Notice): Promise<PageResponse> {
  const { drafts, draftId, handle, csrf, cookieName, signal } = parts;
  const deadlineAt = drafts.clock.now() + maxReadMs;
  const sheet = await readDraftSheet(drafts, draftId, { priority: 'read', deadlineAt, signal }).catch(onlyOurs);
  if (sheet instanceof BrokerageError) return toReply(sheet);
  const path = getDraftPath(handle);
  const sent = sheet.sent && (await announceApproval(drafts, sheet.sent)).report;
  const props = {
    path,
    csrf: csrf.token(handle, String(sheet.draft.version)),
    alert,
    saved: sheet.versions.find(({ version }) => String(version) === saved),
  };
  return htmlReply(alert?.status ?? 200, draftPage({ ...sheet, sent }, props), {
    ...formPageHeaders,
    'set-cookie': [
      cookie(cookieName, csrf.session, path),
      ...(saved === undefined ? [] : [cookie(noticeName(parts), '', path, '; Max-Age=0')]),
    ],
  });
}

const noticeName = ({ cookieName }: DraftHandlerDeps): string => `${cookieName}-saved`;

const readNotice = (parts: DraftHandlerDeps, request: IncomingMessage): Notice => ({
  saved: readCookie(request, noticeName(parts)),
});

const toReply = ({ code, message, next }: BrokerageError): PageResponse =>
  code === 'not_found' ? draftNotFound : plainReply(503, message, next);

/** Makes a change. The token is checked before anything is read. */
async function postChange(parts: DraftHandlerDeps, request: IncomingMessage): Promise<PageResponse> {
  const field = await readFields(request);
  if (!field) return plainReply(413, 'The form is too large', 'The forms of the draft are much smaller.');
  const version = field('version');
  const refused = checkToken(request, { csrf: field('csrf'), digest: version }, parts);
  if (refused) return refused;
  const change = readChange(field);
  if (!change) return plainReply(400, 'Not a change of this page', 'Open the address of the draft again.');
  const done = await change(parts, Number(version)).catch(onlyOurs);
  if (done === undefined || typeof done === 'number') return seeDraft(parts, done);
  return showDraft(parts, { alert: done instanceof BrokerageError ? toAlert(done) : done });
}

const onlyOurs = (error: unknown): BrokerageError => {
  if (error instanceof BrokerageError) return error;
  throw error;
};

/** Makes a change in the version that was on the page; returns the version that it made, if any, or why it came too late. */
type Change = (parts: DraftHandlerDeps, version: number) => Promise<number | undefined | Alert>;

function readChange(field: (name: string) => string): Change | undefined {
  const action = field('action');
  if (action === 'stop')
    return async ({ drafts, draftId }) => {
      if (await stopDraft(drafts, draftId, 'page')) return undefined;
      const sent = await reportLatest(drafts, draftId, 'person');
      return sent?.outcome === 'done' ? flashMessages.all_placed : undefined;
    };
  if (action === 'discard')
    return async ({ drafts, draftId }) => {
      await discardDraft(drafts, draftId);
      return undefined;
    };
  const edit = readEdit(action, field);
  return (
    edit &&
    (async ({ drafts, draftId }, version) =>
      (await editDraft(drafts, { draftId, version, edit, channel: 'page' })).version)
  );
}

function readEdit(action: string, field: (name: string) => string): DraftEdit | undefined {
  if (!/^[1-9]\d?$/.test(field('leg'))) return undefined;
  return lookUp(edits, action)?.(Number(field('leg')), field('value').trim());
}

const edits: Readonly<Record<DraftEdit['kind'], (leg: number, value: string) => DraftEdit>> = {
  remove: (leg) => ({ kind: 'remove', leg }),
  quantity: (leg, quantity) => ({ kind: 'quantity', leg, quantity }),
  limitPrice: (leg, limitPrice) => ({ kind: 'limitPrice', leg, limitPrice }),
};

/** A redirect (303), so that reloading the page does not send the change again. The next page says once what was saved. */
function seeDraft(parts: DraftHandlerDeps, saved: number | undefined): PageResponse {
  const path = getDraftPath(parts.handle);
  if (saved === undefined) return { status: 303, headers: { location: path } };
  const notice = cookie(noticeName(parts), String(saved), path, '; Max-Age=30');
  return { status: 303, headers: { location: `${path}#saved`, 'set-cookie': notice } };
}

/** Messages for a person at this page; others use the error's own words. */
const alerts: Partial<Record<ErrorCode, Pick<Alert, 'status' | 'title' | 'next'>>> = {
  draft_changed: {
    status: 409,
    title: 'The draft was changed elsewhere after this page was loaded, so your change was not made.',
    next: 'This is the present version: check it, and change it again.',
  },
  submission_open: {
    status: 409,
    title: 'The draft is being sent, so your change was not made.',
    next: 'Stop it first; the orders that were placed stay.',
  },
  draft_closed: {
    status: 409,
    title: 'The draft was closed in the meantime, so your change was not made.',
    next: 'Its state is shown below.',
  },
  draft_expired: {
    status: 409,
    title: 'The draft has expired, so your change was not made.',
    next: 'Ask for a new plan.',
  },
};

const toAlert = ({ code, message, next }: BrokerageError): Alert =>
  alerts[code] ?? { status: code === 'invalid_argument' ? 422 : 503, title: message, next };

// The page on which a person edits one draft, on this machine's loopback address. It can send nothing.

/** The running server of the page. */
interface ServedDraft {
  readonly origin: string;
  /** An address that works in the first browser that opens it. */
  createAddress(): string;
  /** Closes immediately, including open connections. */
  close(): Promise<void>;
}

/**
 * Starts a server for one draft on a free port of 127.0.0.1, and resolves when it listens. Its addresses can be opened
 * for `lifeMs`.
 */
export async function startDraftPage(deps: {
  readonly draftId: string;
  readonly drafts: SubmissionDeps;
  readonly clock: Clock;
  readonly lifeMs: number;
}): Promise<ServedDraft> {
  const { draftId, drafts, clock, lifeMs } = deps;
  const handle = randomBytes(24).toString('base64url');
  const ending = new AbortController();
  const server = await startPageServer({
    name: 'draft',
    clock,
    lifeMs,
    respond: (page, request) => replyForDraft({ ...page, draftId, handle, drafts, signal: ending.signal }, request),
    whenFailed: draftFailed,
  });
  return {
    origin: server.origin,
    createAddress: () => server.createOneTimeUrl(handle),
    close: () => {
      ending.abort();
      return server.close();
    },
  };
}
