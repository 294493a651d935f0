/** Attacks with codes, tokens, sessions and registrations of web clients. */
// @module-tag server
// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { takeLog } from '../support/faults.ts';
import { order, posts } from '../support/setup.ts';
import { createPkce, type OauthClient, ownersToken, startWorld, toolNames, type World } from './oauth-support.ts';
import { passphrase } from './support.ts';

const hour = 3_600_000;
const day = 24 * hour;

async function takeCode(world: World, client?: OauthClient) {
  const pkce = createPkce();
  const owned = client ?? (await world.newClient());
  const code = (await world.login(owned, pkce)).get('code') ?? '';
  return { client: owned, proof: { code, code_verifier: pkce.verifier } };
}

const invalidGrant = { status: 400, json: { error: 'invalid_grant' } };

describe('codes', () => {
  test('code replay: the second use gives nothing, and ends what the first gave', async () => {
    const world = await startWorld();
    const { client, proof } = await takeCode(world);
    const first = await world.exchange(client, proof);
    expect(await world.tryToken(first.json.access_token)).toBe(200);
    expect(await world.exchange(client, proof)).toMatchObject(invalidGrant);
    expect(await world.tryToken(first.json.access_token)).toBe(401);
    expect(await world.refresh(client, first.json.refresh_token)).toMatchObject(invalidGrant);
  });

  test('two exchanges at once give tokens at most once, and none that lasts', async () => {
    const world = await startWorld();
    const { client, proof } = await takeCode(world);
    const replies = await Promise.all([world.exchange(client, proof), world.exchange(client, proof)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const given = replies.find(({ status }) => status === 200);
    expect(await world.tryToken(given?.json.access_token)).toBe(401);
  });

  test.each([
    ['another verifier', { code_verifier: createPkce().verifier }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge as the verifier', 'challenge'],
    ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
    ['no redirect', { redirect_uri: '' }],
  ])('a stolen code with %s gives nothing, and is then of no use to anybody', async (_, changes) => {
    const world = await startWorld();
    const pkce = createPkce();
    const client = await world.newClient();
    const code = (await world.login(client, pkce)).get('code') ?? '';
    const proof = { code, code_verifier: pkce.verifier };
    const wrong = changes === 'challenge' ? { code_verifier: pkce.challenge } : changes;
    expect(await world.exchange(client, { ...proof, ...(wrong as object) })).toMatchObject(invalidGrant);
    expect(await world.exchange(client, proof)).toMatchObject(invalidGrant);
  });

  test('the code of one client is of no use to another', async () => {
    const world = await startWorld();
    const { proof } = await takeCode(world);
    expect(await world.exchange(await world.newClient(), proof)).toMatchObject(invalidGrant);
  });

  test('a code expires after a minute', async () => {
    const world = await startWorld();
    const [early, late] = [await takeCode(world), await takeCode(world)];
    await world.clock.advance(59_000);
    expect((await world.exchange(early.client, early.proof)).status).toBe(200);
    await world.clock.advance(1_000);
    expect(await world.exchange(late.client, late.proof)).toMatchObject(invalidGrant);
  });

  test('a code for another server', async () => {
    const world = await startWorld();
    const { client, proof } = await takeCode(world);
    const reply = await world.exchange(client, { ...proof, resource: 'https://other.example/mcp' });
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_target']);
  });
});

describe('refresh tokens', () => {
  test('each is used once, and gives a new pair', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const first = await world.connect(client);
    const second = await world.refresh(client, first.refresh_token);
    expect(second.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'read',
    });
    expect(new Set([first, second.json].flatMap((one) => [one.access_token, one.refresh_token])).size).toBe(4);
    expect(await world.tryToken(second.json.access_token)).toBe(200);
  });

  test('a stolen refresh token: its second use ends the family, whoever came first', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: stolen } = await world.connect(client);
    const thief = await world.refresh(client, stolen);
    expect(thief.status).toBe(200);
    await world.clock.advance(10_000);
    expect(await world.refresh(client, stolen)).toMatchObject(invalidGrant);
    expect(await world.tryToken(thief.json.access_token)).toBe(401);
    expect(await world.refresh(client, thief.json.refresh_token)).toMatchObject(invalidGrant);
  });

  test('calls that renew at once get the same tokens, and later the second use of those ends the family', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: token } = await world.connect(client);
    const [first, second] = await Promise.all([world.refresh(client, token), world.refresh(client, token)]);
    expect([first?.status, second?.json]).toEqual([200, first?.json]);
    const third = await world.refresh(client, first?.json.refresh_token);
    expect(third.status).toBe(200);
    // Its successor was used: now it is a theft, however soon it comes.
    expect(await world.refresh(client, token)).toMatchObject(invalidGrant);
    expect(await world.tryToken(third.json.access_token)).toBe(401);
  });

  test('a repetition does not get another scope than the calls that renewed', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: token } = await world.connect(client, ['trade']);
    expect((await world.refresh(client, token, { scope: 'read' })).status).toBe(200);
    expect(await world.refresh(client, token)).toMatchObject(invalidGrant);
  });

  test('in the hands of another client it gives nothing, and ends the family', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { access_token: access, refresh_token: stolen } = await world.connect(client);
    expect(await world.refresh(await world.newClient(), stolen)).toMatchObject(invalidGrant);
    expect(await world.tryToken(access)).toBe(401);
  });

  test('scope escalation on refresh: more than was granted is refused, and less is less', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: token } = await world.connect(client, ['draft']);
    expect((await world.refresh(client, token, { scope: 'read draft trade' })).json.error).toBe('invalid_scope');
    expect((await world.refresh(client, token, { scope: 'admin' })).json.error).toBe('invalid_scope');
    const narrow = await world.refresh(client, token, { scope: 'read' });
    expect(narrow.json.scope).toBe('read');
    expect(await toolNames(await world.mcp(narrow.json.access_token))).not.toContain('save_draft');
    const wide = await world.refresh(client, narrow.json.refresh_token);
    expect(wide.json.scope).toBe('read draft');
  });

  test('one that was not used for thirty days is expired', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const first = await world.connect(client);
    await world.clock.advance(29 * day);
    const second = await world.refresh(client, first.refresh_token);
    expect(second.status).toBe(200);
    await world.clock.advance(30 * day);
    expect(await world.refresh(client, second.json.refresh_token)).toMatchObject(invalidGrant);
  });

  test('for another server', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: token } = await world.connect(client);
    const reply = await world.refresh(client, token, { resource: 'https://other.example/mcp' });
    expect(reply.json.error).toBe('invalid_target');
  });
});

describe('the rows of a grant', () => {
  const kinds = (world: World, grantId: string) =>
    world.composed.grants.read(async (tx) => [
      await tx.countTokens(grantId, 'code'),
      await tx.countTokens(grantId, 'access'),
      await tx.countTokens(grantId, 'refresh'),
    ]);
  const onlyGrant = async (world: World) =>
    (await world.composed.grants.read((tx) => tx.listGrants())).map(({ id }) => id)[0] ?? '';

  test('a refresh removes those that expired a day ago', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const first = await world.connect(client);
    const grant = await onlyGrant(world);
    expect(await kinds(world, grant)).toEqual([1, 1, 1]);
    await world.clock.advance(day + hour + 1);
    expect((await world.refresh(client, first.refresh_token)).status).toBe(200);
    expect(await kinds(world, grant)).toEqual([0, 1, 2]);
  });

  test('a client that renews without end must log in again, and a thief cannot make an old token forgotten', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const { refresh_token: token } = await world.connect(client);
    const grantId = await onlyGrant(world);
    const now = world.clock.now();
    const spent = { grantId, kind: 'refresh', scope: 'read', expiresAt: now, spentAt: now } as const;
    const rest = { redirect: undefined, challenge: undefined };
    await world.composed.grants.change(async (tx) => {
      for (let count = 1; count < 1_999; count++) await tx.insertToken({ ...spent, ...rest, hash: `spent ${count}` });
    });
    const last = await world.refresh(client, token);
    expect(last.status).toBe(200);
    expect(await world.refresh(client, last.json.refresh_token)).toMatchObject(invalidGrant);
    expect(await world.tryToken(last.json.access_token)).toBe(401);
    expect(await kinds(world, grantId)).toEqual([0, 0, 0]);
  });
});

describe('access tokens', () => {
  test('a grant that ends while the body of a call arrives lets the call do nothing', async () => {
    const world = await startWorld();
    const { access_token: token } = await world.connect(await world.newClient());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const status = new Promise((resolve, reject) => {
      const sent = startRequest(`${world.server.origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
          accept: 'application/json, text/event-stream',
        },
      });
      sent.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      sent.write(body.slice(0, 9));
      const finish = async () => {
        await expect.poll(() => world.server.connections().trusted).toBe(1);
        await world.composed.grants.change((tx) => tx.removeGrants());
        sent.end(body.slice(9));
      };
      finish().catch(reject);
    });
    expect(await status).toBe(401);
  });

  test('a note of the last use that cannot be written fails no request', async () => {
    const world = await startWorld();
    const { access_token: token } = await world.connect(await world.newClient());
    await world.clock.advance(60_000);
    vi.spyOn(world.composed.grants, 'change').mockRejectedValueOnce(new Error('The disk is full.'));
    expect(await world.tryToken(token)).toBe(200);
    expect(takeLog()).toMatchObject([{ task: 'noting the last use of a client' }]);
  });

  test('the token of the settings is refused at the public name, and accepted at a name of this machine', async () => {
    const world = await startWorld({ origin: 'https://broker.example' });
    const authorization = `Bearer ${ownersToken}`;
    const figures = async (host: string) =>
      (await world.send('GET', '/metrics', { headers: { authorization, host } })).status;
    expect([await world.tryToken(ownersToken), await figures('Broker.Example')]).toEqual([401, 401]);
    expect(await figures(new URL(world.server.origin).host)).toBe(200);
    expect(await world.oauth.authorize([authorization], 'broker.example:443')).toMatchObject({ status: 401 });
    // A client of the web uses that name, with a token of its own.
    const { access_token: token } = await world.connect(await world.newClient());
    expect(await world.tryToken(token)).toBe(200);
  });

  test('expire after an hour', async () => {
    const world = await startWorld();
    const { access_token: token } = await world.connect(await world.newClient());
    await world.clock.advance(hour - 1);
    expect(await world.tryToken(token)).toBe(200);
    await world.clock.advance(1);
    expect(await world.tryToken(token)).toBe(401);
  });

  test('a token in a query is not read', async () => {
    const world = await startWorld();
    const { access_token: token } = await world.connect(await world.newClient());
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const query of [`access_token=${token}`, `token=${ownersToken}`])
      expect((await world.send('POST', `/mcp?${query}`, { body: '{}', headers })).status).toBe(401);
  });

  test.each(['refresh_token', 'code'])('a %s is no access token', async (kind) => {
    const world = await startWorld();
    const { client, proof } = await takeCode(world);
    expect(await world.tryToken(proof.code)).toBe(401);
    const { json } = await world.exchange(client, proof);
    expect(await world.tryToken(kind === 'code' ? proof.code : json.refresh_token)).toBe(401);
  });

  test('a token of another server on the same store is refused', async () => {
    const world = await startWorld();
    const other = await startWorld({ beside: world });
    const { access_token: token, refresh_token: refresh } = await world.connect(await world.newClient());
    expect([await world.tryToken(token), await other.tryToken(token)]).toEqual([200, 401]);
    const client = await other.newClient();
    expect((await other.refresh(client, refresh)).status).toBe(400);
    // A try elsewhere does not end it.
    expect(await world.tryToken(token)).toBe(200);
  });

  test('a token for paper money is refused after the same address serves real money', async () => {
    const origin = 'http://localhost:7070';
    const world = await startWorld({ origin });
    const client = await world.newClient();
    const { access_token: token } = await world.connect(client, ['trade']);
    const live = await startWorld({ origin, beside: world, config: { environment: 'live' } });
    expect([await world.tryToken(token), await live.tryToken(token)]).toEqual([200, 401]);
  });

  test('the figures of the process are for the token of the settings alone', async () => {
    const world = await startWorld();
    const { access_token: token } = await world.connect(await world.newClient(), ['trade']);
    const statusFor = async (bearer: string) =>
      (await world.send('GET', '/metrics', { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect([await statusFor(token), await statusFor(ownersToken)]).toEqual([401, 200]);
  });

  test('the challenge of a refused request leads to the login, and asks for the least', async () => {
    const world = await startWorld();
    const reply = await world.send('POST', '/mcp', { body: '{}' });
    const metadata = `${world.origin}/.well-known/oauth-protected-resource/mcp`;
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([
      401,
      `Bearer realm="brokerage-mcp", resource_metadata="${metadata}", scope="read"`,
    ]);
    const wrong = await world.send('POST', '/mcp', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } });
    expect(wrong.headers['www-authenticate']).toBe(
      `Bearer realm="brokerage-mcp", error="invalid_token", resource_metadata="${metadata}", scope="read"`,
    );
  });
});

describe('sessions belong to the grant that opened them', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const post = (world: World, token: string, message: object, session?: string) =>
    world.send('POST', '/mcp', {
      body: JSON.stringify(message),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      },
    });
  const begin = async (world: World, token: string) =>
    String((await post(world, token, initialize)).headers['mcp-session-id']);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

  test('session fixation: the id of a session of one client opens nothing for another', async () => {
    const world = await startWorld();
    const [mine, other] = [await world.connect(await world.newClient()), await world.connect(await world.newClient())];
    const session = await begin(world, mine.access_token);
    expect((await post(world, mine.access_token, list, session)).status).toBe(200);
    expect((await post(world, other.access_token, list, session)).status).toBe(404);
    expect((await post(world, ownersToken, list, session)).status).toBe(404);
    const owners = await begin(world, ownersToken);
    expect((await post(world, mine.access_token, list, owners)).status).toBe(404);
  });

  test('a narrower token of the same grant does not use the session of a wider one', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const wide = await world.connect(client, ['trade']);
    const session = await begin(world, wide.access_token);
    const narrow = await world.refresh(client, wide.refresh_token, { scope: 'read' });
    expect((await post(world, narrow.json.access_token, list, session)).status).toBe(404);
  });

  test('a session goes on with the next token of its grant', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const first = await world.connect(client);
    const session = await begin(world, first.access_token);
    const second = await world.refresh(client, first.refresh_token);
    expect((await post(world, second.json.access_token, list, session)).status).toBe(200);
  });

  test('a grant that is revoked elsewhere ends its sessions and streams, and no other', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const [mine, other] = [await world.connect(client), await world.connect(await world.newClient())];
    const session = await begin(world, mine.access_token);
    await begin(world, other.access_token);
    const stream = world.send('GET', '/mcp', {
      headers: {
        authorization: `Bearer ${mine.access_token}`,
        accept: 'text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
      },
    });
    await expect.poll(() => world.server.grants().size).toBe(2);
    const grants = await world.composed.grants.read((tx) => tx.listGrants());
    const grant = grants.find(({ clientId }) => clientId === client.id);
    await world.composed.grants.change((tx) => tx.removeGrant(grant?.id ?? ''));
    expect((await post(world, mine.access_token, list, session)).status).toBe(401);
    await world.oauth.endRevoked(world.server);
    await stream.catch(() => undefined);
    expect([world.server.sessions(), world.server.grants().size]).toEqual([1, 1]);
  });
});

describe('revocation', () => {
  const revoke = (world: World, client: OauthClient, token: string) =>
    world.postForm('/oauth/revoke', { client_id: client.id, token });

  test.each(['access_token', 'refresh_token'])('of the %s ends all of the grant at once', async (kind) => {
    const world = await startWorld();
    const client = await world.newClient();
    const tokens = await world.connect(client);
    expect((await revoke(world, client, tokens[kind])).status).toBe(200);
    expect(await world.tryToken(tokens.access_token)).toBe(401);
    expect(await world.refresh(client, tokens.refresh_token)).toMatchObject(invalidGrant);
  });

  test('a token of another client, or an unknown one, changes nothing and says nothing', async () => {
    const world = await startWorld();
    const tokens = await world.connect(await world.newClient());
    const other = await world.newClient();
    const replies = [await revoke(world, other, tokens.access_token), await revoke(world, other, 'x'.repeat(43))];
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    expect(await world.tryToken(tokens.access_token)).toBe(200);
  });

  test('two logins of one client are apart: the end of one leaves the other', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const [phone, desk] = [await world.connect(client), await world.connect(client)];
    await revoke(world, client, phone.access_token);
    expect([await world.tryToken(phone.access_token), await world.tryToken(desk.access_token)]).toEqual([401, 200]);
  });
});

describe('another passphrase', () => {
  test('ends what every client was granted, and the same one nothing', async () => {
    const world = await startWorld();
    const tokens = [await world.connect(await world.newClient()), await world.connect(await world.newClient())];
    const enrol = (typed: string) =>
      world.composed.security.enrol({ passphrase: typed, approval: 'page', limits: { maxOrderValue: '9' } });
    const statuses = () => Promise.all(tokens.map((one) => world.tryToken(one.access_token)));
    expect([await enrol(passphrase), await statuses()]).toEqual([{ clients: 0, passkeys: 0 }, [200, 200]]);
    expect([await enrol('nobody else knows that one'), await statuses()]).toEqual([
      { clients: 2, passkeys: 0 },
      [401, 401],
    ]);
  });
});

describe('registrations', () => {
  test('a flood has a bound, and removes neither an admitted client nor one of the last minutes', async () => {
    const world = await startWorld();
    const admitted = await world.newClient();
    const { access_token: token } = await world.connect(admitted);
    for (let count = 0; count < 100; count++) expect((await world.register()).status).toBe(201);
    const refused = await world.register();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600']);
    await world.clock.advance(10 * 60_000);
    expect((await world.register()).status).toBe(201);
    expect(await world.tryToken(token)).toBe(200);
    expect(await world.composed.grants.read((tx) => tx.listClients())).toHaveLength(101);
  });

  test.each([
    ['no object', []],
    ['no addresses', { redirect_uris: [] }],
    ['addresses that are a text', { redirect_uris: 'https://chat.example/callback' }],
    ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://chat.example/${at}`) }],
    ['a grant without a login', { grant_types: ['client_credentials'] }],
    ['the implicit flow', { response_types: ['token'] }],
    ['a proof that is not supported', { token_endpoint_auth_method: 'private_key_jwt' }],
  ])('with %s', async (_, metadata) => {
    const world = await startWorld();
    const body = Array.isArray(metadata) ? '[]' : undefined;
    const reply = body
      ? await world.send('POST', '/oauth/register', { body, headers: { 'content-type': 'application/json' } })
      : await world.register(metadata);
    expect(reply.status).toBe(400);
  });

  test('a client with a secret proves it in either way, and nothing else passes', async () => {
    const world = await startWorld();
    const client = await world.newClient({ token_endpoint_auth_method: 'client_secret_basic' });
    expect(client.secret).toMatch(/^[\w-]{43}$/);
    const fields = { grant_type: 'refresh_token', refresh_token: (await world.connect(client)).refresh_token };
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    });
    const tries = [
      await world.postForm('/oauth/token', { ...fields, client_id: client.id }),
      await world.postForm('/oauth/token', { ...fields, client_id: client.id, client_secret: 'wrong' }),
      await world.postForm('/oauth/token', fields, basic(client.id, 'wrong')),
      await world.postForm('/oauth/token', fields, basic('', '')),
      await world.postForm('/oauth/token', fields, { authorization: 'Basic %%%' }),
      await world.postForm('/oauth/token', { ...fields, client_id: 'other' }, basic(client.id, client.secret ?? '')),
    ];
    expect(tries.map(({ status, json }) => [status, json.error])).toEqual(
      Array.from({ length: 6 }, () => [401, 'invalid_client']),
    );
    expect((await world.postForm('/oauth/token', fields, basic(client.id, client.secret ?? ''))).status).toBe(200);
  });
});

test('malformed requests to the token endpoint are refused in its own terms', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const json = { 'content-type': 'application/json' };
  expect((await world.send('POST', '/oauth/token', { body: '{}', headers: json })).json.error).toBe('invalid_request');
  expect((await world.postForm('/oauth/token', { client_id: client.id, grant_type: 'password' })).json.error).toBe(
    'unsupported_grant_type',
  );
  const large = await world.postForm('/oauth/token', { client_id: client.id, code: 'x'.repeat(40_000) });
  expect(large.json.error).toBe('invalid_request');
  const twice = new URLSearchParams([
    ['grant_type', 'refresh_token'],
    ['client_id', client.id],
    ['client_id', 'other'],
  ]);
  expect(
    (
      await world.send('POST', '/oauth/token', {
        body: twice.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    ).json.error,
  ).toBe('invalid_client');
  expect((await world.send('GET', '/oauth/token')).status).toBe(405);
});

test('DNS rebinding: a foreign name for this machine gets neither metadata nor a page', async () => {
  const world = await startWorld();
  const headers = { host: 'evil.example' };
  for (const path of ['/.well-known/oauth-protected-resource', '/oauth/authorize'])
    expect((await world.send('GET', path, { headers })).status).toBe(403);
});

test('a thief of the store gets no token: it has hashes only', async () => {
  const world = await startWorld();
  const client = await world.newClient({ token_endpoint_auth_method: 'client_secret_post' });
  const { proof } = await takeCode(world, client);
  const { json } = await world.exchange(client, proof);
  const files = readdirSync(world.stateDir).map((name) => readFileSync(join(world.stateDir, name), 'latin1'));
  const secrets = [proof.code, json.access_token, json.refresh_token, client.secret ?? ''];
  expect(files.some((text) => text.includes(client.id))).toBe(true);
  for (const secret of secrets)
    expect([secret.length, files.some((text) => text.includes(secret))]).toEqual([43, false]);
});

test('the scope decides what is registered: a client that may read has no tool, prompt or resource for orders', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const placing = ['place_limit_order', 'place_market_order', 'cancel_order', 'submit_draft', 'create_pie'];
  const drafting = ['plan_orders', 'save_draft', 'discard_draft'];
  const found: Record<string, unknown> = {};
  for (const boxes of [[], ['draft'], ['trade']] as const)
    for (const mode of ['auto', 'legacy'] as const) {
      const mcp = await world.mcp((await world.connect(client, boxes)).access_token, mode);
      const names = await toolNames(mcp);
      const has = (some: readonly string[]) => some.filter((name) => names.includes(name)).length;
      const resources = (await mcp.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      found[`${boxes} ${mode}`] = [
        names.includes('list_positions'),
        has(drafting),
        has(placing),
        resources.some((uri) => uri.startsWith('draft:')),
      ];
    }
  expect(found).toEqual({
    ' auto': [true, 0, 0, false],
    ' legacy': [true, 0, 0, false],
    'draft auto': [true, 3, 0, true],
    'draft legacy': [true, 3, 0, true],
    'trade auto': [true, 3, 5, true],
    'trade legacy': [true, 3, 5, true],
  });
});

test('a call of a tool that the scope lacks reaches nothing', async () => {
  const world = await startWorld();
  const { access_token: token } = await world.connect(await world.newClient(), ['draft']);
  for (const mode of ['auto', 'legacy'] as const) {
    const mcp = await world.mcp(token, mode);
    const called = await mcp.callTool({ name: 'place_limit_order', arguments: order }).then(
      (result) => result.isError,
      () => 'refused',
    );
    expect([true, 'refused']).toContain(called);
  }
  expect(posts(world)).toBe(0);
});

test.each(['auto', 'legacy'] as const)(
  'live: a client of the web approves nothing with a form, also where forms of the hosts here approve (%s)',
  async (mode) => {
    const config = { environment: 'live', liveTrading: true } as const;
    const world = await startWorld({ config, approval: 'elicitation' });
    const { access_token: token } = await world.connect(await world.newClient(), ['trade']);
    let forms = 0;
    const onForm = () => {
      forms++;
      return { action: 'accept', content: { confirmQuantity: String(order.quantity) } };
    };
    const placeAs = async (bearer: string) => {
      const mcp = await world.mcp(bearer, mode, onForm);
      const result = await mcp.callTool({ name: 'place_limit_order', arguments: { ...order, limitPrice: 11.5 } });
      return (result.structuredContent as { outcome: string }).outcome;
    };
    world.simulator.inject.setPrice(order.ticker, 12);
    expect([await placeAs(token), forms, posts(world)]).toEqual(['pending_approval', 0, 0]);
  },
);

test('live: the form of a host with the token of the settings approves, as the owner enrolled it', async () => {
  const config = { environment: 'live', liveTrading: true } as const;
  const world = await startWorld({ config, approval: 'elicitation' });
  world.simulator.inject.setPrice(order.ticker, 12);
  const onForm = () => ({ action: 'accept', content: { confirmQuantity: String(order.quantity) } });
  const mcp = await world.mcp(ownersToken, 'legacy', onForm);
  const result = await mcp.callTool({ name: 'place_limit_order', arguments: { ...order, limitPrice: 11.5 } });
  expect([(result.structuredContent as { outcome: string }).outcome, posts(world)]).toEqual(['placed', 1]);
});
