/** The endpoints that clients call themselves: registration, tokens and revocation. */

import type { IncomingMessage } from 'node:http';
import type { PageResponse } from '../../core/approval/page/page-reply.ts';
import { checkType } from '../../core/approval/page/request-guards.ts';
import { defaultLimits } from '../../core/http/http-limits.ts';
import { createHeldBytes, parseJson, readBody } from '../../core/http/request-body.ts';
import type { GrantChange, GrantView } from '../../core/store/grant-table.ts';
import { isSameText } from '../../core/text/same-text.ts';
import type { Access, Field } from './authorization.ts';
import { isDocumentId } from './client-document.ts';
import {
  type Audience,
  accessMs,
  exchangeCode,
  refreshTokens,
  revokeToken,
  scopeText,
  type TokenError,
  type Tokens,
} from './grants.ts';
import { hashOf, hasPlace, keepStranger, readRegistration, strangerMs } from './web-client.ts';

/** Handles a request, and returns its response. */
export type Handler = (access: Access, request: IncomingMessage) => Promise<PageResponse>;

const maxBodyBytes = 32 * 1024;
/** Bytes of incomplete bodies, of all connections together. */
const held = createHeldBytes(1024 * 1024);

/** Makes a handler of one that reads the fields of a form. */
export const withForm =
  (handle: (access: Access, request: IncomingMessage, field: Field) => Promise<PageResponse>): Handler =>
  async (access, request) => {
    if (checkType(request)) return oauthError('invalid_request', 'The body must be a form.');
    const body = await readBody(request, maxBodyBytes, held);
    if ('refused' in body) return oauthError('invalid_request', 'The form is too large.');
    const fields = new URLSearchParams(body.bytes.toString('utf8'));
    const field: Field = (name) => {
      const [value = '', ...more] = fields.getAll(name);
      return more.length === 0 ? value : '';
    };
    return handle(access, request, field);
  };

/** RFC 7591. */
export const register: Handler = async ({ grants, clock }, request) => {
  const body = await readBody(request, maxBodyBytes, held);
  const parsed = 'refused' in body ? body : parseJson(body.bytes, defaultLimits);
  if ('refused' in parsed) return oauthError('invalid_client_metadata', 'The body must be JSON.');
  const made = readRegistration(parsed.json, clock.now());
  if ('error' in made) return oauthError(made.error, made.description);
  const { row, secret, method } = made;
  // First without a transaction that writes: a flood must not keep orders waiting for the store.
  const hasRoom = await grants.read((tx) => hasPlace(tx, row.createdAt));
  if (!hasRoom || !(await grants.change((tx) => keepStranger(tx, row)))) return tooMany;
  return json(201, {
    client_id: row.id,
    client_id_issued_at: Math.floor(row.createdAt / 1000),
    client_name: row.name,
    redirect_uris: row.redirects,
    grant_types: grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: method,
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  });
};

/** RFC 6749, 3.2. A token that is unknown begins no transaction that writes, as above. */
export const createTokenEndpoint = (audience: Audience): Handler =>
  withForm(async ({ grants, clock }, request, field) => {
    const kind = presented.get(field('grant_type'));
    const sent = await grants.read((tx) => readSent(tx, request, field, kind));
    if (sent.clientId === undefined) return oauthError('invalid_client');
    if (kind === undefined) return oauthError('unsupported_grant_type');
    if (!sent.isKnown) return oauthError('invalid_grant');
    const { clientId } = sent;
    const result = await grants.change((tx) => giveTokens(tx, clientId, field, audience, clock.now()));
    return typeof result === 'string' ? oauthError(result) : tokenReply(result);
  });

/** The field that has the token of each grant type. */
const presented = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh_token'],
]);

/** The client that sent a form, and whether this server made the token in it. */
async function readSent(tx: GrantView, request: IncomingMessage, field: Field, name: string | undefined) {
  const clientId = await identifyClient(tx, request, field);
  const isKnown = name !== undefined && (await tx.findToken(hashOf(field(name)))) !== undefined;
  return { clientId, isKnown };
}

async function giveTokens(
  tx: GrantChange,
  clientId: string,
  field: Field,
  audience: Audience,
  now: number,
): Promise<Tokens | TokenError> {
  const given = { clientId, resource: field('resource') || undefined };
  if (field('grant_type') === 'refresh_token') {
    const scope = field('scope') || undefined;
    return refreshTokens(tx, { ...given, scope, token: field('refresh_token') }, audience, now);
  }
  const proof = { redirect: field('redirect_uri'), verifier: field('code_verifier') };
  return exchangeCode(tx, { ...given, ...proof, token: field('code') }, audience, now);
}

/** RFC 7009. The response is the same for a token that is unknown. */
export const revoke: Handler = withForm(async ({ grants }, request, field) => {
  const { clientId, isKnown } = await grants.read((tx) => readSent(tx, request, field, 'token'));
  if (clientId === undefined) return oauthError('invalid_client');
  if (isKnown) await grants.change((tx) => revokeToken(tx, clientId, field('token')));
  return json(200, {});
});

/**
 * Returns the id of the client that sent a form; undefined when it does not prove it. A client without a secret proves it
 * with what only it can have: the verifier of its code, or its refresh token.
 */
async function identifyClient(tx: GrantView, request: IncomingMessage, field: Field): Promise<string | undefined> {
  const basic = readBasic(request.headersDistinct.authorization ?? []);
  if (basic === 'malformed' || (basic && field('client_secret') !== '')) return undefined;
  const id = basic?.id ?? field('client_id');
  if (basic && field('client_id') !== '' && field('client_id') !== id) return undefined;
  const secret = basic?.secret ?? field('client_secret');
  if (isDocumentId(id)) return secret === '' ? id : undefined;
  const client = await tx.findClient(id);
  if (!client) return undefined;
  if (client.secretHash === undefined) return secret === '' ? id : undefined;
  return isSameText(hashOf(secret), client.secretHash) ? id : undefined;
}

function readBasic(given: readonly string[]) {
  if (given.length === 0) return undefined;
  const [, coded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(given.length === 1 ? (given[0] as string) : '') ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(coded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return 'malformed' as const;
  try {
    // Both are encoded as in a form (RFC 6749, 2.3.1).
    const [plainId, plainSecret] = [id, secret].map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
    return { id: plainId ?? '', secret: plainSecret ?? '' };
  } catch {
    // A % of it begins no encoded character.
    return 'malformed' as const;
  }
}

// The responses of the specifications.

export const grantTypes = ['authorization_code', 'refresh_token'];

export const json = (status: number, value: unknown, headers: PageResponse['headers'] = {}): PageResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', pragma: 'no-cache', ...headers },
  body: JSON.stringify(value),
});

const tokenReply = ({ access, refresh, scope }: Tokens): PageResponse =>
  json(200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessMs / 1000,
    refresh_token: refresh,
    scope: scopeText(scope),
  });

const errorTexts = {
  invalid_request: 'The request is malformed.',
  invalid_client: 'The client is unknown, or its secret is wrong.',
  invalid_grant: 'The code or token is unknown, expired, used before, or of another client.',
  invalid_scope: 'The scope was not granted.',
  invalid_target: 'The resource is another server.',
  unsupported_grant_type: 'Use authorization_code or refresh_token.',
  invalid_redirect_uri: '',
  invalid_client_metadata: '',
} as const;

export const oauthError = (error: keyof typeof errorTexts, description: string = errorTexts[error]): PageResponse =>
  json(
    error === 'invalid_client' ? 401 : 400,
    { error, error_description: description },
    error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="brokerage-mcp"' } : {},
  );

const tooMany = json(
  429,
  { error: 'temporarily_unavailable', error_description: 'Too many clients have registered; try again later.' },
  { 'retry-after': String(strangerMs / 1000) },
);
