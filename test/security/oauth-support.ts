/**
 * A server with OAuth on real HTTP, its owner, clients that play by the rules, and a browser. The attacks change one part of
 * what they send.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Dispatcher, request as httpRequest, fetch as undiciFetch } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { bearerToken } from '../../src/core/http/access-guards.ts';
import { type HttpServer, startHttp } from '../../src/core/http/http-server.ts';
import { buildServer } from '../../src/core/mcp/mcp-server.ts';
import { configFor } from '../../src/core/mcp/tool-listing.ts';
import type { ApprovalMethod } from '../../src/core/orders/intent/approval-methods.ts';
import type { Config } from '../../src/core/settings/config.ts';
import type { DocumentReader } from '../../src/features/oauth/client-document.ts';
import { createOauth, type Oauth } from '../../src/features/oauth/oauth.ts';
import { type Setup, servedParts, setup } from '../support/setup.ts';
import { enrol, passphrase } from './support.ts';

export const ownersToken = 'a-token-for-tests-0123456789abcdef';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: attacks look at replies of every shape.
  readonly json: any;
}

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string>>;

/** A client that registered itself, or was added. */
export interface OauthClient {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly redirect: string;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A page as a browser has it: the fields of its form, and its cookie. */
export interface LoginForm extends Reply {
  readonly fields: Fields;
  readonly cookie: string;
}

export interface Submitted {
  readonly passphrase?: string;
  readonly boxes?: readonly ('draft' | 'trade')[];
  readonly action?: 'connect' | 'cancel';
  readonly fields?: Fields;
  readonly headers?: Headers;
}

export interface World extends Setup {
  readonly origin: string;
  readonly server: HttpServer;
  readonly oauth: Oauth;
  send(method: string, path: string, options?: { body?: string; headers?: Headers }): Promise<Reply>;
  postForm(path: string, fields: Fields | URLSearchParams, headers?: Headers): Promise<Reply>;
  register(metadata?: object): Promise<Reply>;
  newClient(metadata?: object): Promise<OauthClient>;
  /** The query of a login that is in order. */
  query(client: OauthClient, pkce: Pkce, changes?: Readonly<Record<string, string | undefined>>): string;
  openLogin(query: string, headers?: Headers): Promise<LoginForm>;
  submit(form: LoginForm, what?: Submitted): Promise<Reply>;
  /** A login to its end: the parameters that the browser brings to the client. */
  login(client: OauthClient, pkce: Pkce, what?: Submitted): Promise<URLSearchParams>;
  exchange(client: OauthClient, fields: Fields): Promise<Reply>;
  /** A whole login: the reply of the token endpoint. */
  // biome-ignore lint/suspicious/noExplicitAny: as the reply.
  connect(client: OauthClient, boxes?: Submitted['boxes']): Promise<any>;
  refresh(client: OauthClient, token: string, fields?: Fields): Promise<Reply>;
  /** The status of a request to /mcp with a token. */
  tryToken(token: string): Promise<number>;
  /** `onForm` fills in every form. */
  mcp(token: string, mode?: 'auto' | 'legacy', onForm?: () => object): Promise<Client>;
}

export interface WorldOptions {
  readonly config?: Partial<Config>;
  readonly isEnrolled?: boolean;
  readonly approval?: ApprovalMethod;
  readonly documents?: DocumentReader;
  /** The public address; default the one that it listens at. */
  readonly origin?: string;
  /** What stands in front of the server, which is at `target`: where it listens, and how it is reached. */
  readonly proxy?: (target: string) => Promise<{ readonly address: string; readonly dispatcher: Dispatcher }>;
  /** Another server on the state folder and the clock of this one. */
  readonly beside?: World;
}

export const siteRedirect = 'https://chat.example/callback';

const toolCall = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
});

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const made = await setup({
    ...(options.config ? { config: options.config } : {}),
    ...(options.beside ? { beside: options.beside } : {}),
  });
  const { composed } = made;
  if (options.isEnrolled !== false && !options.beside)
    await enrol(composed, { approval: options.approval ?? 'page', limits: {} });
  const parts = await servedParts(made);
  const { config } = composed.services;
  let oauth: Oauth;
  const server = await startHttp({
    host: '127.0.0.1',
    port: 0,
    hosts: options.origin === undefined ? [] : [new URL(options.origin).host],
    authorize: (given, host) => oauth.authorize(given, host),
    routes: (path) => oauth.routes(path),
    buildServer: (reach) =>
      buildServer(reach === 'owner' ? parts : { ...parts, config: configFor(config, reach), canAsk: false }),
    clock: systemClock,
    metrics: async () => 'figures 1\n',
  });
  onTestFinished(() => server.close());
  const { port } = new URL(server.origin);
  const origin = options.origin ?? `http://localhost:${port}`;
  const { host } = new URL(origin);
  oauth = createOauth({
    origin,
    config,
    open: async () => ({ grants: composed.grants, security: composed.security, clock: made.clock }),
    authorizeOwner: bearerToken(ownersToken),
    ...(options.documents ? { documents: options.documents } : {}),
  });

  const { address, dispatcher } = (await options.proxy?.(server.origin)) ?? { address: server.origin };
  const through = dispatcher ? { dispatcher } : {};
  const send: World['send'] = async (method, path, { body, headers } = {}) => {
    const {
      statusCode,
      headers: replied,
      body: read,
    } = await httpRequest(`${address}${path}`, {
      ...through,
      method: method as 'GET',
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await read.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      // A page is no JSON.
      json = undefined;
    }
    return { status: statusCode, headers: replied, text, json };
  };
  const postForm: World['postForm'] = (path, fields, headers = {}) =>
    send('POST', path, {
      body: new URLSearchParams(fields as Record<string, string>).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const register: World['register'] = (metadata = {}) =>
    send('POST', '/oauth/register', {
      body: JSON.stringify({
        client_name: 'Chat',
        redirect_uris: [siteRedirect],
        token_endpoint_auth_method: 'none',
        ...metadata,
      }),
      headers: { 'content-type': 'application/json' },
    });
  const query: World['query'] = (client, pkce, changes = {}) => {
    const all = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: client.redirect,
      code_challenge: pkce.challenge,
      code_challenge_method: 'S256',
      scope: 'read',
      state: 'state-of-the-client',
      resource: `${origin}/mcp`,
      ...changes,
    };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return new URLSearchParams(given).toString();
  };
  const openLogin: World['openLogin'] = async (asked, headers = {}) => {
    const reply = await send('GET', `/oauth/authorize?${asked}`, { headers });
    const fields = Object.fromEntries(
      [...reply.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
        name as string,
        (value as string).replaceAll('&amp;', '&'),
      ]),
    );
    return { ...reply, fields, cookie: String(reply.headers['set-cookie'] ?? '').split(';')[0] ?? '' };
  };
  const submit: World['submit'] = (form, what = {}) =>
    postForm(
      '/oauth/authorize',
      {
        ...form.fields,
        ...Object.fromEntries((what.boxes ?? []).map((box) => [box, 'yes'])),
        passphrase: what.passphrase ?? passphrase,
        action: what.action ?? 'connect',
        ...what.fields,
      },
      { origin, 'sec-fetch-site': 'same-origin', cookie: form.cookie, ...what.headers },
    );
  const login: World['login'] = async (client, pkce, what = {}) => {
    const reply = await submit(await openLogin(query(client, pkce)), what);
    expect(reply.status, reply.text).toBe(303);
    return new URL(String(reply.headers.location)).searchParams;
  };
  const authOf = ({ id, secret }: OauthClient): Fields => ({
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const exchange: World['exchange'] = (client, fields) =>
    postForm('/oauth/token', {
      grant_type: 'authorization_code',
      redirect_uri: client.redirect,
      ...authOf(client),
      ...fields,
    });

  return {
    ...made,
    origin,
    server,
    oauth,
    send,
    postForm,
    register,
    newClient: async (metadata = {}) => {
      const { status, json, text } = await register(metadata);
      expect(status, text).toBe(201);
      return { id: json.client_id, secret: json.client_secret, redirect: json.redirect_uris[0] };
    },
    query,
    openLogin,
    submit,
    login,
    exchange,
    connect: async (client, boxes = []) => {
      const pkce = createPkce();
      const code = (await login(client, pkce, { boxes })).get('code') ?? '';
      const reply = await exchange(client, { code, code_verifier: pkce.verifier });
      expect(reply.status, reply.text).toBe(200);
      return reply.json;
    },
    refresh: (client, token, fields = {}) =>
      postForm('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...authOf(client), ...fields }),
    tryToken: async (token) =>
      (
        await send('POST', '/mcp', {
          body: toolCall,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        })
      ).status,
    mcp: async (token, mode = 'auto', onForm) => {
      const capabilities = onForm ? { elicitation: {} } : {};
      const client = new Client({ name: 'test', version: '1' }, {
        capabilities,
        versionNegotiation: { mode },
      } as ClientOptions);
      if (onForm) client.setRequestHandler('elicitation/create', async () => onForm() as never);
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
          requestInit: { headers },
          ...(dispatcher ? { fetch: (url, init) => undiciFetch(url, { ...init, dispatcher } as never) as never } : {}),
        }),
      );
      onTestFinished(() => client.close().catch(() => undefined));
      return client;
    },
  };
}

export const toolNames = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);
