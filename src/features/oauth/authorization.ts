/**
 * The authorization endpoint. A GET shows the login page and changes nothing; the form of that page, with the passphrase,
 * makes the grant. Nothing of a request is kept in between: the form carries it, signed, and it is checked again.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Security } from '../../core/approval/enrollment/enrollment.ts';
import type { Alert } from '../../core/approval/page/labels.ts';
import { alertFor } from '../../core/approval/page/labels.ts';
import { buildPolicy, formPageHeaders, htmlReply, type PageResponse } from '../../core/approval/page/page-reply.ts';
import { checkSite, readCookie } from '../../core/approval/page/request-guards.ts';
import type { Clock } from '../../core/clock.ts';
import type { Scope } from '../../core/mcp/tool-listing.ts';
import type { PassphraseRefusal } from '../../core/orders/intent/approval-port.ts';
import type { GrantStore } from '../../core/store/grant-table.ts';
import { isSameText } from '../../core/text/same-text.ts';
import { type FindDocumentClient, isDocumentId } from './client-document.ts';
import { type Audience, grantLogin, highestScope } from './grants.ts';
import { type LoginView, loginPage, problemPage } from './login-page.ts';
import { type Client, createSecret, hasRedirect, readRedirect } from './web-client.ts';

/** What the store offers; it is opened with the first request. */
export interface Access {
  readonly grants: GrantStore;
  readonly security: Pick<Security, 'check' | 'enrolment'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Reads a field of a form or a query; empty when it is missing or repeated. */
export type Field = (name: string) => string;

export interface LoginSettings {
  /** The public origin, which is also the issuer. */
  readonly origin: string;
  readonly audience: Audience;
  readonly offered: readonly Scope[];
  readonly needsApproval: boolean;
  readonly findDocumentClient: FindDocumentClient;
}

export interface LoginPages {
  show(access: Access, query: string): Promise<PageResponse>;
  submit(access: Access, request: IncomingMessage, field: Field): Promise<PageResponse>;
}

/** How long (ms) a page can be left open before its form is out of date. */
const formMs = 10 * 60_000;

export function createLoginPages(settings: LoginSettings): LoginPages {
  const { origin } = settings;
  // Of this process: a form of an earlier one is out of date.
  const key = randomBytes(32);
  const sign = (parts: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  const isEncrypted = origin.startsWith('https:');
  // The prefix makes browsers refuse a cookie of this name from another host or without encryption. One for each page,
  // so that two open pages do not disturb each other.
  const cookieName = (form: string) => `${isEncrypted ? '__Host-' : ''}login-${form}`;
  const cookie = (form: string, value: string, seconds: number) =>
    `${cookieName(form)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isEncrypted ? '; Secure' : ''}`;

  const render = async (
    access: Access,
    asked: AskedLogin,
    problem?: { readonly alert: Alert; readonly ticked: readonly Scope[] },
  ) => {
    const form = randomBytes(6).toString('hex');
    const session = createSecret();
    const until = String(access.clock.now() + formMs);
    const view: LoginView = {
      ...settings,
      ...asked,
      ...problem,
      environment: settings.audience.environment,
      host: new URL(origin).host,
      hasPassphrase: (await access.security.enrolment()) !== undefined,
      hidden: { form, until, query: asked.query, proof: sign([session, form, until, asked.query]) },
    };
    const { alert } = view;
    return htmlReply(alert?.status ?? 200, loginPage(view), {
      ...formPageHeaders,
      ...keepsOpener,
      // A browser applies the policy of the form to the redirect after it too.
      'content-security-policy': buildPolicy(`'self' ${readRedirect(asked.redirect)?.formTarget}`),
      'set-cookie': cookie(form, session, formMs / 1000),
      ...(alert?.retryAfterSeconds ? { 'retry-after': String(Math.ceil(alert.retryAfterSeconds)) } : {}),
    });
  };

  const goBack = (asked: AskedLogin, result: Readonly<Record<string, string>>, form: string): PageResponse => ({
    status: 303,
    headers: { ...keepsOpener, location: returnAddress(asked, result, origin), 'set-cookie': cookie(form, '', 0) },
  });

  /** Whether a form is of a page that this browser has open. */
  const isOwn = (request: IncomingMessage, field: Field, now: number): boolean => {
    const form = /^[0-9a-f]{12}$/.test(field('form')) ? field('form') : '';
    const session = readCookie(request, cookieName(form)) ?? '';
    const until = field('until');
    const proof = sign([session, form, until, field('query')]);
    return session !== '' && isSameText(proof, field('proof')) && now < Number(until);
  };

  return {
    show: async (access, query) => {
      const asked = await readLogin(access, settings, query);
      return 'problem' in asked ? asked.problem : render(access, asked);
    },
    submit: async (access, request, field) => {
      if (checkSite(request) || request.headers.origin !== origin || !isOwn(request, field, access.clock.now()))
        return problems.foreignForm;
      const asked = await readLogin(access, settings, field('query'));
      if ('problem' in asked) return asked.problem;
      if (field('action') === 'cancel') return goBack(asked, { error: 'access_denied' }, field('form'));
      const ticked = settings.offered.filter((scope) => field(scope) === 'yes');
      // An empty field does not count as an attempt.
      if (field('passphrase') === '') return render(access, asked, { alert: passphraseMissing, ticked });
      const checked = await access.security.check(field('passphrase'), 'web');
      if (checked.kind !== 'right') return render(access, asked, { alert: describeRefusal(checked), ticked });
      const scope = ticked.at(-1) ?? 'read';
      const now = access.clock.now();
      const code = await access.grants.change((tx) => grantLogin(tx, { ...asked, scope }, settings.audience, now));
      return goBack(asked, { code }, field('form'));
    },
  };
}

/**
 * Web assistants open the login in a window of its own and wait for a message from the page that it returns to. Another
 * value would cut that window off from the one that opened it, for good.
 */
const keepsOpener = { 'cross-origin-opener-policy': 'unsafe-none' };

/** The address of the client with the result, and the issuer: a client of several servers must know which one responds. */
function returnAddress({ redirect, state }: AskedLogin, result: Readonly<Record<string, string>>, issuer: string) {
  const parameters = new URLSearchParams({ ...result, ...(state === '' ? {} : { state }), iss: issuer });
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${parameters}`;
}

const passphraseMissing: Alert = {
  status: 403,
  title: 'No passphrase was entered.',
  next: 'Type the passphrase to connect, or cancel.',
};

const describeRefusal = (refusal: PassphraseRefusal): Alert =>
  refusal.kind === 'locked'
    ? {
        status: 403,
        title: 'The login is locked: too many wrong passphrases.',
        next: 'Run “brokerage-mcp resume” in a terminal of the server’s machine. Clients that are connected stay connected, and orders can be approved.',
      }
    : alertFor(refusal, '');

// What a client asks for, in the query of the page.

interface AskedLogin {
  /** The query itself, as the form carries it. */
  readonly query: string;
  readonly client: Client;
  readonly redirect: string;
  readonly state: string;
  readonly challenge: string;
  readonly wanted: Scope;
}

/**
 * Reads and checks what a client asks for. A mistake is shown on a page and not sent to the client: a page that forwards a
 * browser without a person would do so for everyone who registers an address.
 */
async function readLogin(
  { grants }: Access,
  { audience, findDocumentClient }: LoginSettings,
  query: string,
): Promise<AskedLogin | { readonly problem: PageResponse }> {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const field: Field = (name) => parameters.get(name) ?? '';
  if (new Set(names).size !== names.length) return { problem: problems.repeated };
  const id = field('client_id');
  const redirect = field('redirect_uri');
  const client = isDocumentId(id) ? await findDocumentClient(id) : await grants.read((tx) => tx.findClient(id));
  if (!client) return { problem: isDocumentId(id) ? problems.document : problems.client };
  if (!hasRedirect(client, redirect)) return { problem: problems.redirect };
  if (field('response_type') !== 'code') return { problem: problems.type };
  const challenge = field('code_challenge');
  if (field('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return { problem: problems.challenge };
  if (names.includes('resource') && field('resource') !== audience.resource) return { problem: problems.resource };
  const wanted = highestScope(field('scope')) ?? 'read';
  return { query, client, redirect, state: field('state'), challenge, wanted };
}

const problem = (status: number, title: string, next: string): PageResponse =>
  htmlReply(status, problemPage(title, next));

const startAgain = 'Nothing was connected. Start again in the client.';

const problems = {
  client: problem(
    400,
    'This client is unknown',
    `It may have been removed, or its registration expired. ${startAgain} If it is a client that you typed in, compare its id with “brokerage-mcp clients”.`,
  ),
  document: problem(
    400,
    'This client could not be verified',
    `The document that describes it could not be read, or does not fit its address. ${startAgain}`,
  ),
  redirect: problem(
    400,
    'This client asks for access to another address than its own',
    'Nothing was connected. If you did not start this, someone may be trying to get access to your account.',
  ),
  type: problem(400, 'This server gives codes only', `The client asked for another kind of response. ${startAgain}`),
  challenge: problem(
    400,
    'The client sends no proof',
    `It must use PKCE with S256, without which others could use its code. ${startAgain}`,
  ),
  resource: problem(400, 'The client asks for access to another server', startAgain),
  repeated: problem(400, 'The address of this page is malformed', `It names one thing twice. ${startAgain}`),
  foreignForm: problem(
    403,
    'The form is out of date',
    'Nothing was connected. Start again in the client, in one browser with cookies, and finish within ten minutes.',
  ),
} as const;
