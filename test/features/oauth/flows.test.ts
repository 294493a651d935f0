/** Web assistants as they document it, played with the client of the SDK: from an address to an order. */
// @module-tag server
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { startWorld, toolNames, type World } from '../../security/oauth-support.ts';
import { order, posts } from '../../support/setup.ts';

/** What a client keeps between its visits. */
interface Kept {
  readonly provider: OAuthClientProvider;
  /** Where it sent the browser last. */
  address: URL | undefined;
}

function createProvider(metadata: OAuthClientProvider['clientMetadata'], clientMetadataUrl?: string): Kept {
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  let discovery: unknown;
  let verifier = '';
  const kept: Kept = {
    address: undefined,
    provider: {
      redirectUrl: metadata.redirect_uris[0],
      clientMetadata: metadata,
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
      state: () => 'a-state',
      clientInformation: () => information,
      saveClientInformation: (given: typeof information) => {
        information = given;
      },
      tokens: () => tokens,
      saveTokens: (given: typeof tokens) => {
        tokens = given;
      },
      redirectToAuthorization: (address: URL) => {
        kept.address = address;
      },
      saveCodeVerifier: (given: string) => {
        verifier = given;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState: (given: unknown) => {
        discovery = given;
      },
      discoveryState: () => discovery,
    } as OAuthClientProvider,
  };
  return kept;
}

/** A client that has nothing but the address of the server, and the owner at the login page. */
async function connect(world: World, kept: Kept, mode: 'auto' | 'legacy', boxes: readonly ('draft' | 'trade')[]) {
  const url = new URL(`${world.origin}/mcp`);
  const createTransport = () => new StreamableHTTPClientTransport(url, { authProvider: kept.provider });
  const createClient = () =>
    new Client({ name: 'web', version: '1' }, { versionNegotiation: { mode } } as ClientOptions);
  const first = createTransport();
  await expect(createClient().connect(first)).rejects.toThrow(UnauthorizedError);
  const { origin, pathname, search } = kept.address as URL;
  expect([origin, pathname]).toEqual([world.origin, '/oauth/authorize']);
  const form = await world.openLogin(search.slice(1));
  expect(form.status, form.text).toBe(200);
  const back = await world.submit(form, { boxes });
  await first.finishAuth(new URL(String(back.headers.location)).searchParams);
  const client = createClient();
  await client.connect(createTransport());
  onTestFinished(() => client.close());
  return client;
}

const documentId = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
const claudeRedirect = 'https://claude.ai/api/mcp/auth_callback';
const claude = {
  client_name: 'Claude',
  redirect_uris: [claudeRedirect],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
const documents = {
  resolve: async () => [{ address: '93.184.215.14', family: 4 }],
  read: async (url: URL) => Buffer.from(JSON.stringify({ ...claude, client_id: url.href })),
};

test.each(['auto', 'legacy'] as const)(
  'as claude.ai does: a client with a document reads, sees no tool for orders, and places with the box ticked (%s)',
  { tags: ['slow'] },
  async (mode) => {
    const world = await startWorld({ documents });
    const kept = createProvider(claude, documentId);
    const reader = await connect(world, kept, mode, []);
    expect((kept.address as URL).searchParams.get('client_id')).toBe(documentId);
    expect((kept.address as URL).searchParams.get('scope')).toBe('read');
    const names = await toolNames(reader);
    expect([names.includes('list_positions'), names.includes('place_limit_order')]).toEqual([true, false]);
    expect((await reader.callTool({ name: 'list_positions', arguments: {} })).isError ?? false).toBe(false);

    const trader = await connect(world, createProvider(claude, documentId), mode, ['trade']);
    const placed = await trader.callTool({ name: 'place_limit_order', arguments: order });
    expect((placed.structuredContent as { outcome: string }).outcome).toBe('placed');
    expect(posts(world)).toBe(1);
  },
);

test('as ChatGPT does: a client that registers itself reads, sees no tool for orders, and places with the box ticked', {
  tags: ['slow'],
}, async () => {
  const world = await startWorld();
  const metadata = {
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector/oauth/AbC123'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const kept = createProvider(metadata);
  const reader = await connect(world, kept, 'legacy', []);
  const names = await toolNames(reader);
  expect([names.includes('list_positions'), names.includes('place_limit_order')]).toEqual([true, false]);
  expect((await reader.callTool({ name: 'get_account_summary', arguments: {} })).isError ?? false).toBe(false);
  const trader = await connect(world, createProvider(metadata), 'legacy', ['trade']);
  const placed = await trader.callTool({ name: 'place_limit_order', arguments: order });
  expect((placed.structuredContent as { outcome: string }).outcome).toBe('placed');
  expect(posts(world)).toBe(1);
});

test('the client renews its access alone when the hour is over', async () => {
  const world = await startWorld();
  const kept = createProvider({ ...claude, token_endpoint_auth_method: 'client_secret_basic' });
  const client = await connect(world, kept, 'legacy', []);
  await world.clock.advance(3_600_000);
  expect((await client.callTool({ name: 'get_account_summary', arguments: {} })).isError ?? false).toBe(false);
});

test('a program on the device, as Claude Code does: its document has no port, and its login has one', {
  tags: ['slow'],
}, async () => {
  const own = {
    ...claude,
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  };
  const world = await startWorld({
    documents: { ...documents, read: async (url) => Buffer.from(JSON.stringify({ ...own, client_id: url.href })) },
  });
  const kept = createProvider({ ...own, redirect_uris: ['http://localhost:54545/callback'] }, documentId);
  expect(await toolNames(await connect(world, kept, 'auto', ['draft']))).toContain('plan_orders');
});

test('a client that the owner added types its id and secret', async () => {
  const world = await startWorld();
  const { createClient } = await import('../../../src/features/oauth/web-client.ts');
  const { row, secret } = createClient('added', 'claude.ai', [claudeRedirect], world.clock.now());
  await world.composed.grants.change((tx) => tx.insertClient(row));
  const tokens = await world.connect({ id: row.id, secret, redirect: claudeRedirect });
  expect([tokens.scope, await world.tryToken(tokens.access_token)]).toEqual(['read', 200]);
});

test('the documents of the server, at both addresses', async () => {
  const world = await startWorld();
  const { origin } = world;
  const [root, path] = [
    await world.send('GET', '/.well-known/oauth-protected-resource'),
    await world.send('GET', '/.well-known/oauth-protected-resource/mcp'),
  ];
  expect(root.json).toEqual({
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    scopes_supported: ['read', 'draft', 'trade'],
    bearer_methods_supported: ['header'],
    resource_name: 'Brokerage account',
  });
  expect(path.json).toEqual(root.json);
  const server = await world.send('GET', '/.well-known/oauth-authorization-server');
  expect(server.json).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    client_id_metadata_document_supported: true,
  });
});
