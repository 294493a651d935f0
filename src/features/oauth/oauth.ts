/**
 * OAuth for the one owner of this server: its addresses, and who may use /mcp with a token of it. The build makes it a
 * separate file, which is loaded only where a public address is set.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageResponse, send } from '../../core/approval/page/page-reply.ts';
import { type Authorize, owner, readBearer } from '../../core/http/access-guards.ts';
import { type HttpErrorResponse, refusals } from '../../core/http/error-responses.ts';
import type { HttpServer, OpenRoute } from '../../core/http/http-server.ts';
import { log, orElse } from '../../core/log.ts';
import { type Scope, scopes } from '../../core/mcp/tool-listing.ts';
import type { Config } from '../../core/settings/config.ts';
import { type Access, createLoginPages } from './authorization.ts';
import { createDocumentClients, type DocumentReader } from './client-document.ts';
import {
  createTokenEndpoint,
  grantTypes,
  type Handler,
  json,
  oauthError,
  register,
  revoke,
  withForm,
} from './endpoints.ts';
import { type Audience, findCaller, findEnded } from './grants.ts';
import { loginPath, problemPage } from './login-page.ts';
import { authMethods, deviceHosts } from './web-client.ts';

export interface OauthSettings {
  /** The public origin, without a slash at its end. */
  readonly origin: string;
  readonly config: Pick<Config, 'environment' | 'readOnly' | 'toolsets' | 'approval'>;
  /** Opens the store, with the first request that needs it. */
  readonly open: () => Promise<Access>;
  /** Admits the owner, who has the token of the settings. */
  readonly authorizeOwner: Authorize;
  /** Replaces the network in tests. */
  readonly documents?: DocumentReader;
}

export interface Oauth {
  readonly authorize: Authorize;
  readonly routes: (path: string) => OpenRoute | undefined;
  /** Ends what clients have open whose grant was ended, also by a command in another process. */
  endRevoked(server: Pick<HttpServer, 'grants' | 'endGrant'>): Promise<void>;
}

export function createOauth(settings: OauthSettings): Oauth {
  const { origin, config, open, authorizeOwner } = settings;
  const audience: Audience = { resource: `${origin}/mcp`, environment: config.environment };
  const routes = createRoutes(settings, audience);
  const { host, hostname } = new URL(origin);
  // By the public name everybody can try the token of the settings, which has no lock, no end and all of the tools.
  const isPublic = (name: string) =>
    !deviceHosts.includes(hostname) && name.toLowerCase().replace(/:443$/, '') === host;
  return {
    routes: (path) => {
      const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
      return methods && ((request, response) => respond(methods, open, request, response));
    },
    authorize: async (given, name) => {
      const local = given.length > 0 && isPublic(name) ? refusals.wrongToken : await authorizeOwner(given, name);
      if (!('status' in local)) return local;
      const sent = readBearer(given);
      if (sent === undefined || !/^[\w-]{43}$/.test(sent)) return withChallenge(local, origin);
      const { grants, clock } = await open();
      const now = clock.now();
      const found = await grants.read((tx) => findCaller(tx, sent, audience, now));
      if (!found) return withChallenge(refusals.wrongToken, origin);
      const { isDue, ...caller } = found;
      if (isDue)
        await grants
          .change((tx) => tx.touchGrant(caller.grant, now))
          .catch(orElse('noting the last use of a client', undefined));
      return caller;
    },
    endRevoked: async (server) => {
      const present = [...server.grants()].filter((grant) => grant !== owner.grant);
      if (present.length === 0) return;
      const ended = await (await open()).grants.read((tx) => findEnded(tx, present));
      for (const grant of ended) await server.endGrant(grant);
    },
  };
}

type Methods = Readonly<Partial<Record<'GET' | 'POST', Handler>>>;

function createRoutes(
  { origin, config, open, documents }: OauthSettings,
  audience: Audience,
): Readonly<Record<string, Methods>> {
  const offered = offeredScopes(config);
  let findDocument: ReturnType<typeof createDocumentClients> | undefined;
  const pages = createLoginPages({
    origin,
    audience,
    offered,
    needsApproval: config.environment === 'live' || (config.approval ?? 'none') !== 'none',
    findDocumentClient: async (id) => {
      findDocument ??= createDocumentClients((await open()).clock, documents);
      return findDocument(id);
    },
  });
  const resource: Methods = { GET: async () => json(200, resourceMetadata(origin, audience, offered)) };
  return {
    '/.well-known/oauth-protected-resource': resource,
    '/.well-known/oauth-protected-resource/mcp': resource,
    '/.well-known/oauth-authorization-server': {
      GET: async () => json(200, serverMetadata(origin, audience, offered)),
    },
    [loginPath]: {
      GET: (access, { url = '' }) => pages.show(access, url.slice(loginPath.length + 1)),
      POST: withForm(pages.submit),
    },
    '/oauth/token': { POST: createTokenEndpoint(audience) },
    '/oauth/register': { POST: register },
    '/oauth/revoke': { POST: revoke },
  };
}

async function respond(
  methods: Methods,
  open: OauthSettings['open'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A connection that proved nothing is not kept, so that a proxy does not reuse one that is about to be closed.
  response.setHeader('connection', 'close');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handle = method === 'GET' || method === 'POST' ? methods[method] : undefined;
  if (!handle) {
    const allow = Object.keys(methods).join(', ');
    return send(response, { ...oauthError('invalid_request', `Use ${allow}.`), status: 405 });
  }
  const answer = await open()
    // Nothing would end the reading of a connection that closed in the meantime.
    .then((access) => (request.destroyed ? failed : handle(access, request)))
    .catch((error: unknown) => {
      // A client that disconnected is no fault; and the message of a fault could repeat the passphrase.
      if (!request.socket.destroyed) log.fault('the login of a client', error, { hasSecret: true });
      return failed;
    });
  send(response, answer);
}

/** What the boxes of the login page can offer: never more than the server has. */
function offeredScopes({ readOnly, toolsets }: OauthSettings['config']): readonly Scope[] {
  const hasTools: Readonly<Record<Scope, boolean>> = {
    read: true,
    draft: toolsets.includes('drafting'),
    trade: !readOnly && (toolsets.includes('trading') || toolsets.includes('pies')),
  };
  return scopes.filter((scope) => hasTools[scope]);
}

/** The least scope: the login page adds others. A client asks for exactly what the challenge names. */
function withChallenge(refused: HttpErrorResponse, origin: string): HttpErrorResponse {
  const challenge = refused.headers?.['www-authenticate'];
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="read"`;
  return { ...refused, headers: { ...refused.headers, 'www-authenticate': `${challenge}, ${metadata}` } };
}

// The documents of the specifications.

/** RFC 9728. */
const resourceMetadata = (origin: string, { resource }: Audience, offered: readonly Scope[]) => ({
  resource,
  authorization_servers: [origin],
  scopes_supported: offered,
  bearer_methods_supported: ['header'],
  resource_name: 'Brokerage account',
});

/** RFC 8414, 9207, and the draft of client id metadata documents. */
const serverMetadata = (origin: string, { resource }: Audience, offered: readonly Scope[]) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${loginPath}`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  scopes_supported: offered,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resource],
});

const failed: PageResponse = {
  status: 500,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: problemPage('Internal server error', 'The client may or may not be connected. Start again in the client.')
    .markup,
};
