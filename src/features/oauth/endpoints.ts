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
import { hashOf, keepStranger, readRegistration, strangerMs } from './web-client.ts';
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
  if (!(await grants.change((tx) => keepStranger(tx, row)))) return tooMany;
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

/** RFC 6749, 3.2. */
export const createTokenEndpoint = (audience: Audience): Handler =>
  withForm(async ({ grants, clock }, request, field) => {
    const result = await grants.change(async (tx) => {
      const clientId = await identifyClient(tx, request, field);
      return clientId === undefined ? 'invalid_client' : giveTokens(tx, clientId, field, audience, clock.now());
    });
    return typeof result === 'string' ? oauthError(result) : tokenReply(result);
  });

async function giveTokens(
  tx: GrantChange,
  clientId: string,
  field: Field,
  audience: Audience,
  now: number,
): Promise<Tokens | TokenError | 'unsupported_grant_type'> {
  const given = { clientId, resource: field('resource') || undefined };
  switch (field('grant_type')) {
    case 'authorization_code': {
      const proof = { redirect: field('redirect_uri'), verifier: field('code_verifier') };
      return exchangeCode(tx, { ...given, ...proof, token: field('code') }, audience, now);
    }
    case 'refresh_token': {
      const scope = field('scope') || undefined;
      return refreshTokens(tx, { ...given, scope, token: field('refresh_token') }, audience, now);
    }
    default:
      return 'unsupported_grant_type';
  }
}

/** RFC 7009. The response is the same for a token that is unknown. */
export const revoke: Handler = withForm(({ grants }, request, field) =>
  grants.change(async (tx) => {
    const clientId = await identifyClient(tx, request, field);
    if (clientId === undefined) return oauthError('invalid_client');
    await revokeToken(tx, clientId, field('token'));
    return json(200, {});
  }),
);

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
