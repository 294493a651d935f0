/** What a client gets after the login: a code, tokens for it, new tokens for old ones, and the end of all of them. */

import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Caller } from '../../core/http/access-guards.ts';
import { type Scope, scopes } from '../../core/mcp/tool-listing.ts';
import type { Environment } from '../../core/settings/config.ts';
import type { GrantChange, GrantRow, GrantView, TokenRow } from '../../core/store/grant-table.ts';
import { isSameText } from '../../core/text/same-text.ts';
import { type Client, createSecret, hashOf, readRedirect } from './web-client.ts';

/** What every token of this server is for. A store can have others: of another address, or of another environment. */
export interface Audience {
  readonly resource: string;
  readonly environment: Environment;
}

export const accessMs = 3_600_000;
/** How long (ms) each is valid. For a refresh token: how long a client may stay away. */
const lifeMs: Readonly<Record<TokenRow['kind'], number>> = {
  code: 60_000,
  access: accessMs,
  refresh: 30 * 86_400_000,
};
/** How far (ms) the clock may step back: two machines on one store differ, and a clock is corrected. */
const skewMs = 60_000;
/** Whether a row is valid now. A clock that was wrong when it was written must not make it valid for longer. */
const isValid = ({ kind, expiresAt }: TokenRow, now: number): boolean =>
  expiresAt > now && expiresAt <= now + lifeMs[kind] + skewMs;

/**
 * A client with several calls renews for each of them at once. Within this time (ms) all of them get the same tokens, so
 * that there is still one successor: when two parties use that, the second use is noticed.
 */
const renewalMs = 10_000;
/** Of this process: a repetition at another process counts as a theft. */
const renewalKey = randomBytes(32);
const renewed = (token: string, kind: string): string =>
  createHmac('sha256', renewalKey)
    .update(JSON.stringify([kind, token]))
    .digest('base64url');

/** Spent codes and tokens are kept a day beyond their end, so that a late replay is still noticed. */
const keptMs = 86_400_000;
/**
 * How many refresh tokens a grant can have before it ends: twice what a client needs that renews each hour. To forget the
 * oldest instead would let a thief renew until the replay of a stolen one is not noticed.
 */
const maxRefreshTokens = 2_000;
/** A grant notes its last use to the minute: a write for each request would cost more than the read. */
const touchMs = 60_000;

/** The error codes of RFC 6749, 5.2, and of RFC 8707. */
export type TokenError = 'invalid_grant' | 'invalid_scope' | 'invalid_target';

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: Scope;
}

// Scopes as text: a list of all that the highest one includes.

export const scopeText = (scope: Scope): string => scopes.slice(0, scopes.indexOf(scope) + 1).join(' ');

/** The highest scope that a text names; undefined when it names none. */
export const highestScope = (text: string): Scope | undefined => {
  const named = text.split(' ');
  return scopes.findLast((scope) => named.includes(scope));
};

const isWithinScope = (scope: Scope, granted: Scope): boolean => scopes.indexOf(scope) <= scopes.indexOf(granted);

/** The scope of a row. A text that this version does not know allows the least. */
const readScope = (text: string): Scope => scopes.find((scope) => scope === text) ?? 'read';

// The login.

/** What the owner granted, and what the client proves when it takes it. */
export interface Login {
  readonly client: Client;
  readonly redirect: string;
  readonly challenge: string;
  readonly scope: Scope;
}

/** Keeps the grant, and returns the code for it. */
export async function grantLogin(tx: GrantChange, login: Login, audience: Audience, now: number): Promise<string> {
  const { client, redirect, challenge, scope } = login;
  await tx.removeExpired(now - keptMs);
  const grant: GrantRow = {
    id: randomBytes(8).toString('hex'),
    clientId: client.id,
    name: client.name,
    place: readRedirect(redirect)?.name ?? '',
    scope,
    ...audience,
    createdAt: now,
    usedAt: undefined,
  };
  await tx.insertGrant(grant);
  await note(tx, 'client_granted', grant);
  const code = createSecret();
  await keepToken(tx, code, {
    grantId: grant.id,
    kind: 'code',
    scope,
    expiresAt: now + lifeMs.code,
    redirect,
    challenge,
  });
  return code;
}

const note = (tx: GrantChange, kind: string, { id, clientId, scope, environment }: GrantRow, why?: string) =>
  tx.note(environment, kind, { grantId: id, clientId, scope, ...(why === undefined ? {} : { why }) });

type NewToken = Pick<TokenRow, 'grantId' | 'kind' | 'scope' | 'expiresAt'> & Partial<TokenRow>;

const keepToken = (tx: GrantChange, token: string, row: NewToken): Promise<void> =>
  tx.insertToken({ spentAt: undefined, redirect: undefined, challenge: undefined, ...row, hash: hashOf(token) });

/** Why a grant ends; the audit trail has it. */
type EndReason =
  | 'revoked_by_owner'
  | 'revoked_by_client'
  | 'code_replayed'
  | 'code_misused'
  | 'refresh_token_reused'
  | 'too_many_tokens';

/** Ends a grant: each of its tokens is unknown from now on. */
export async function endGrant(tx: GrantChange, grant: GrantRow, why: EndReason): Promise<void> {
  await tx.removeGrant(grant.id);
  await note(tx, 'client_ended', grant, why);
}

// The token endpoint.

interface Presented {
  readonly clientId: string;
  readonly token: string;
  /** Undefined when the client named none. */
  readonly resource: string | undefined;
}

interface Found {
  readonly row: TokenRow;
  readonly grant: GrantRow;
}

async function findToken(tx: GrantView, token: string, kind: TokenRow['kind']): Promise<Found | undefined> {
  const row = await tx.findToken(hashOf(token));
  const grant = row && (await tx.findGrant(row.grantId));
  return row?.kind === kind && grant ? { row, grant } : undefined;
}

const isFor = ({ resource, environment }: GrantRow, audience: Audience): boolean =>
  resource === audience.resource && environment === audience.environment;

/** Returns tokens for a code. A code that is used twice, or wrongly, was stolen: what it gave ends. */
export async function exchangeCode(
  tx: GrantChange,
  {
    clientId,
    token,
    resource,
    redirect,
    verifier,
  }: Presented & { readonly redirect: string; readonly verifier: string },
  audience: Audience,
  now: number,
): Promise<Tokens | TokenError> {
  const found = await findToken(tx, token, 'code');
  if (!found) return 'invalid_grant';
  const { row, grant } = found;
  const fails = async (why: EndReason): Promise<TokenError> => {
    await endGrant(tx, grant, why);
    return 'invalid_grant';
  };
  if (row.spentAt !== undefined) return fails('code_replayed');
  const isProven = /^[\w.~-]{43,128}$/.test(verifier) && isSameText(challengeOf(verifier), row.challenge ?? '');
  const isBound = grant.clientId === clientId && row.redirect === redirect && isFor(grant, audience);
  if (!isProven || !isBound || !isValid(row, now)) return fails('code_misused');
  if (resource !== undefined && resource !== audience.resource) return 'invalid_target';
  await tx.spendToken(row.hash, now);
  return issueTokens(
    tx,
    grant,
    { access: createSecret(), refresh: createSecret(), scope: readScope(grant.scope) },
    now,
  );
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/**
 * Returns new tokens for a refresh token, which is spent. When it comes again later, the thief or the client has the newer
 * one, and which of them is unknown: the grant ends.
 */
export async function refreshTokens(
  tx: GrantChange,
  { clientId, token, resource, scope }: Presented & { readonly scope: string | undefined },
  audience: Audience,
  now: number,
): Promise<Tokens | TokenError> {
  const found = await findToken(tx, token, 'refresh');
  if (!found || !isFor(found.grant, audience)) return 'invalid_grant';
  const { row, grant } = found;
  const granted = readScope(grant.scope);
  const wanted = scope === undefined ? granted : highestScope(scope);
  const next = wanted && { access: renewed(token, wanted), refresh: renewed(token, 'refresh'), scope: wanted };
  const isClient = grant.clientId === clientId;
  if (row.spentAt !== undefined && isClient && next && (await isRepeated(tx, row.spentAt, next, now))) return next;
  if (row.spentAt !== undefined || !isClient) {
    await endGrant(tx, grant, 'refresh_token_reused');
    return 'invalid_grant';
  }
  if (!isValid(row, now)) return 'invalid_grant';
  if (resource !== undefined && resource !== audience.resource) return 'invalid_target';
  if (!next || !isWithinScope(next.scope, granted)) return 'invalid_scope';
  await tx.removeExpired(now - keptMs);
  if ((await tx.countTokens(grant.id, 'refresh')) >= maxRefreshTokens) {
    await endGrant(tx, grant, 'too_many_tokens');
    return 'invalid_grant';
  }
  await tx.spendToken(row.hash, now);
  return issueTokens(tx, grant, next, now);
}

/** Whether a spent token comes again with the calls that renewed it: a moment later, and before its successor is used. */
async function isRepeated(tx: GrantView, spentAt: number, { access, refresh }: Tokens, now: number): Promise<boolean> {
  if (now < spentAt - skewMs || now >= spentAt + renewalMs) return false;
  const successor = await tx.findToken(hashOf(refresh));
  return successor?.spentAt === undefined && (await tx.findToken(hashOf(access))) !== undefined;
}

async function issueTokens(tx: GrantChange, grant: GrantRow, tokens: Tokens, now: number): Promise<Tokens> {
  const { access, refresh, scope } = tokens;
  const grantId = grant.id;
  await keepToken(tx, access, { grantId, kind: 'access', scope, expiresAt: now + lifeMs.access });
  await keepToken(tx, refresh, { grantId, kind: 'refresh', scope: grant.scope, expiresAt: now + lifeMs.refresh });
  await tx.touchGrant(grantId, now);
  return tokens;
}

/** Ends the grant of a token, if the token is one of this client’s. */
export async function revokeToken(tx: GrantChange, clientId: string, token: string): Promise<void> {
  const row = await tx.findToken(hashOf(token));
  const grant = row && (await tx.findGrant(row.grantId));
  if (grant?.clientId === clientId) await endGrant(tx, grant, 'revoked_by_client');
}

// Requests with an access token.

/** Returns who sent an access token; undefined when it is not valid here and now. */
export async function findCaller(
  tx: GrantView,
  token: string,
  audience: Audience,
  now: number,
): Promise<(Caller & { readonly isDue: boolean }) | undefined> {
  const found = await findToken(tx, token, 'access');
  if (!found || !isValid(found.row, now) || !isFor(found.grant, audience)) return undefined;
  const { id, usedAt = 0 } = found.grant;
  // Whether the last use is to be noted.
  return { grant: id, reach: readScope(found.row.scope), isDue: Math.abs(now - usedAt) >= touchMs };
}

/** The grants among these that were ended. */
export async function findEnded(tx: GrantView, ids: Iterable<string>): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const id of ids) if (!(await tx.findGrant(id))) ended.push(id);
  return ended;
}
