/** Attacks on the login of web clients: redirects, proofs, forms of other pages, and guesses of the passphrase. */
// @module-tag server
// @module-tag slow
import { describe, expect, test, vi } from 'vitest';
import { createPkce, ownersToken, siteRedirect, startWorld, type World } from './oauth-support.ts';
import { passphrase } from './support.ts';

const open = async (world: World, changes: Readonly<Record<string, string | undefined>>) =>
  world.openLogin(world.query(await world.newClient(), createPkce(), changes));

/** A page that forwards nobody. */
const stays = { status: 400, headers: expect.not.objectContaining({ location: expect.anything() }) };

describe('redirect mix-up: access goes to an address of the client alone', () => {
  test.each([
    ['another site', 'https://evil.example/callback'],
    ['a site whose name begins in the same way', 'https://chat.example.evil.example/callback'],
    ['the site as a user name of another one', 'https://chat.example@evil.example/callback'],
    ['another path', 'https://chat.example/callback/../evil'],
    ['a longer path', `${siteRedirect}/evil`],
    ['a query', `${siteRedirect}?next=https://evil.example`],
    ['another port of the site', 'https://chat.example:8443/callback'],
    ['the site without encryption', 'http://chat.example/callback'],
    ['other letters of the same name', 'https://CHAT.example/callback'],
    ['no address', ''],
  ])('%s is refused on a page', async (_, redirect) => {
    expect(await open(await startWorld(), { redirect_uri: redirect })).toMatchObject(stays);
  });

  test('a program on the device may choose its port, and nothing else', async () => {
    const world = await startWorld();
    const client = await world.newClient({
      redirect_uris: ['http://127.0.0.1:1234/callback', 'http://localhost/callback'],
    });
    const statusOf = async (redirect: string) =>
      (await world.openLogin(world.query(client, createPkce(), { redirect_uri: redirect }))).status;
    expect(await statusOf('http://127.0.0.1:49152/callback')).toBe(200);
    expect(await statusOf('http://localhost:49152/callback')).toBe(200);
    expect(await statusOf('http://127.0.0.1:49152/other')).toBe(400);
    expect(await statusOf('http://127.0.0.2:1234/callback')).toBe(400);
    expect(await statusOf('http://[::1]:1234/callback')).toBe(400);
    expect(await statusOf('http://localhost:49152@evil.example/callback')).toBe(400);
  });

  test.each([
    ['a script', 'javascript:alert(1)//'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['a site without encryption', 'http://chat.example/callback'],
    ['a fragment', 'https://chat.example/callback#x'],
    ['a password', 'https://a:b@chat.example/callback'],
    ['a rule for the page’s policy in the host', 'https://chat.example;script-src/callback'],
    ['a blank', 'https://chat.example/call back'],
    ['a scheme without a place', 'cursor:callback'],
    ['no text', 7],
  ])('no client can register %s', async (_, redirect) => {
    const reply = await (await startWorld()).register({ redirect_uris: [siteRedirect, redirect] });
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('a scheme does not look like the site of that name', async () => {
    const world = await startWorld();
    const client = await world.newClient({ redirect_uris: ['claude.ai://cb'] });
    const { text } = await world.openLogin(world.query(client, createPkce()));
    expect(text).toContain('<p class="place-name"><bdi>claude.ai://</bdi></p>');
  });
});

describe('open redirect: a mistake of a request is shown on a page, and no browser is forwarded', () => {
  test.each([
    ['another kind of response', { response_type: 'token' }],
    ['a token of another server', { resource: 'https://other.example/mcp' }],
    ['the resource of a path above', { resource: 'http://localhost/' }],
    ['PKCE left out (downgrade)', { code_challenge: undefined, code_challenge_method: undefined }],
    ['PKCE without its method (downgrade)', { code_challenge_method: undefined }],
    ['PKCE as plain text (downgrade)', { code_challenge_method: 'plain' }],
    ['a challenge that is no hash', { code_challenge: 'short' }],
    ['a client that does not exist', { client_id: 'unknown' }],
  ])('%s', async (_, changes) => {
    expect(await open(await startWorld(), changes)).toMatchObject(stays);
  });

  test('a parameter that is given twice', async () => {
    const world = await startWorld();
    const query = world.query(await world.newClient(), createPkce());
    for (const name of ['redirect_uri', 'client_id', 'code_challenge_method', 'state'])
      expect(await world.openLogin(`${query}&${name}=x`)).toMatchObject(stays);
  });

  test('a cancelled login forwards to the client only, with the reason and the issuer', async () => {
    const world = await startWorld();
    const reply = await world.submit(await open(world, {}), { action: 'cancel', passphrase: '' });
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      `${siteRedirect}?error=access_denied&state=state-of-the-client&iss=${encodeURIComponent(world.origin)}`,
    ]);
  });
});

test('issuer confusion: the response names the issuer of the metadata, to the letter', async () => {
  const world = await startWorld();
  const metadata = await world.send('GET', '/.well-known/oauth-authorization-server');
  const parameters = await world.login(await world.newClient(), createPkce());
  expect([metadata.json.issuer, metadata.json.authorization_response_iss_parameter_supported]).toEqual([
    world.origin,
    true,
  ]);
  expect([...parameters.keys()].sort()).toEqual(['code', 'iss', 'state']);
  expect([parameters.get('iss'), parameters.get('state')]).toEqual([world.origin, 'state-of-the-client']);
});

describe('forms of other pages', () => {
  const refused = { status: 403, headers: expect.not.objectContaining({ location: expect.anything() }) };
  const grantsOf = (world: World) => world.composed.grants.read((tx) => tx.listGrants());

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that is hidden', { origin: 'null' }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a browser without the cookie', { cookie: '' }],
  ])('%s', async (_, headers) => {
    const world = await startWorld();
    expect(await world.submit(await open(world, {}), { headers })).toMatchObject(refused);
    expect(await grantsOf(world)).toEqual([]);
  });

  test('no origin at all', async () => {
    const world = await startWorld();
    const form = await open(world, {});
    const reply = await world.postForm('/oauth/authorize', { ...form.fields, passphrase }, { cookie: form.cookie });
    expect(reply).toMatchObject(refused);
  });

  test('session fixation: the form of one browser with the cookie of another', async () => {
    const world = await startWorld();
    const [attackers, owners] = [await open(world, {}), await open(world, {})];
    expect(await world.submit(attackers, { headers: { cookie: owners.cookie } })).toMatchObject(refused);
    // Also under the name that belongs to the form of the attacker.
    const [name] = attackers.cookie.split('=');
    const [, value] = owners.cookie.split('=');
    expect(await world.submit(attackers, { headers: { cookie: `${name}=${value}` } })).toMatchObject(refused);
    expect(await grantsOf(world)).toEqual([]);
  });

  test('a form whose request was changed', async () => {
    const world = await startWorld();
    const form = await open(world, {});
    const evil = await world.newClient({ redirect_uris: ['https://evil.example/callback'] });
    const fields = { query: world.query(evil, createPkce()) };
    expect(await world.submit(form, { fields })).toMatchObject(refused);
    expect(await world.submit(form, { fields: { until: '9999999999999' } })).toMatchObject(refused);
    expect(await grantsOf(world)).toEqual([]);
  });

  test('a form that was open for ten minutes', async () => {
    const world = await startWorld();
    const form = await open(world, {});
    await world.clock.advance(10 * 60_000);
    expect(await world.submit(form)).toMatchObject(refused);
  });

  test('a client that was removed while the form was open', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const form = await world.openLogin(world.query(client, createPkce()));
    await world.composed.grants.change((tx) => tx.removeClient(client.id));
    expect(await world.submit(form)).toMatchObject(stays);
    expect(await grantsOf(world)).toEqual([]);
  });
});

test('clickjacking and leaks: no page frames the login, and no browser or proxy keeps it', async () => {
  const form = await open(await startWorld(), {});
  const policy = String(form.headers['content-security-policy']).split('; ');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' https://chat.example");
  expect(form.headers).toMatchObject({
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'unsafe-none',
    connection: 'close',
  });
  expect(String(form.headers['set-cookie'])).toMatch(
    /^login-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/,
  );
});

test('behind https the cookie belongs to this host alone, and is never sent without encryption', async () => {
  const form = await open(await startWorld({ origin: 'https://broker.example' }), {
    resource: 'https://broker.example/mcp',
  });
  expect([form.status, String(form.headers['set-cookie'])]).toEqual([
    200,
    expect.stringMatching(
      /^__Host-login-[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600; Secure$/,
    ),
  ]);
});

test('the redirect after the login gives the address of the page to no site', async () => {
  const world = await startWorld();
  const reply = await world.submit(await open(world, {}));
  expect(reply.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
});

test('markup in the name of a client is shown as text, and a name is short and without separators', async () => {
  const world = await startWorld();
  const client = await world.newClient({ client_name: `<script>alert(1)</script>${'Bank '.repeat(40)}` });
  const { text } = await world.openLogin(world.query(client, createPkce()));
  expect(text).not.toContain('<script>alert');
  const [, name = ''] = /<h1>Connect <bdi>([^<]*)<\/bdi>/.exec(text) ?? [];
  expect([name.startsWith('script alert'), name.length]).toEqual([true, 60]);
});

test('the page shows the host that gets the access, the account, and what the client asks for', async () => {
  const world = await startWorld();
  const { text } = await open(world, { scope: 'read draft trade' });
  expect(text).toContain('<p class="place-name"><bdi>chat.example</bdi></p>');
  expect(text).toContain('<strong>PRACTICE</strong>');
  expect(text).toContain('not verified');
  expect(text).toMatch(/name="draft" value="yes" checked/);
  expect(text).toMatch(/name="trade" value="yes">/);
});

describe('guesses of the passphrase', () => {
  test('a guess that is not allowed keeps nobody from writing to the store', async () => {
    const world = await startWorld();
    const { journal, security } = world.composed;
    const check = () => security.check('wrong', 'web');
    await check();
    const change = vi.spyOn(journal, 'change');
    expect([await check(), change.mock.calls.length]).toEqual([{ kind: 'too_soon', retryAfterSeconds: 2 }, 0]);
    await world.clock.advance(2_000);
    expect([(await check()).kind, change.mock.calls.length]).toEqual(['wrong_passphrase', 2]);
    await fiveWrong(world);
    change.mockClear();
    expect([await check(), change.mock.calls.length]).toEqual([{ kind: 'locked' }, 0]);
  });

  const guess = async (world: World, typed: string) => world.submit(await open(world, {}), { passphrase: typed });
  /** Waits as long as the page says. */
  const fiveWrong = async (world: World) => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      const reply = await guess(world, `wrong ${count}`);
      statuses.push(reply.status);
      await world.clock.advance(Number(reply.headers['retry-after'] ?? 0) * 1_000);
    }
    return statuses;
  };

  test('brute force: five wrong ones lock the login, also for the right one', async () => {
    const world = await startWorld();
    expect(await fiveWrong(world)).toEqual([403, 403, 403, 403, 403]);
    const reply = await guess(world, passphrase);
    expect([reply.status, reply.headers.location]).toEqual([403, undefined]);
    expect(reply.text).toContain('The login is locked');
  });

  test('an attempt that comes too soon is not checked, also with the right passphrase', async () => {
    const world = await startWorld();
    await guess(world, 'wrong');
    const reply = await guess(world, passphrase);
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '2']);
    await world.clock.advance(2_000);
    expect((await guess(world, passphrase)).status).toBe(303);
  });

  test('twenty concurrent guesses count as one', async () => {
    const world = await startWorld();
    const forms = await Promise.all(Array.from({ length: 20 }, () => open(world, {})));
    const replies = await Promise.all(forms.map((form, index) => world.submit(form, { passphrase: `guess ${index}` })));
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(19);
  });

  test('lock-out of the owner: a locked login neither locks nor delays the page and the terminal', async () => {
    const world = await startWorld();
    await fiveWrong(world);
    const { security } = world.composed;
    expect(await security.check(passphrase, 'page')).toEqual({ kind: 'right' });
    // The page does not unlock the login, because it has not shown the guesses.
    expect((await guess(world, passphrase)).status).toBe(403);
    expect(await security.check(passphrase, 'terminal')).toEqual({ kind: 'right' });
    expect((await guess(world, passphrase)).status).toBe(303);
  });

  test('guesses on the approval page do not lock the login', async () => {
    const world = await startWorld();
    for (let count = 0; count < 5; count++) {
      await world.composed.security.check('wrong', 'page');
      await world.clock.advance(64_000);
    }
    expect(await world.composed.security.check(passphrase, 'page')).toEqual({ kind: 'locked' });
    expect((await guess(world, passphrase)).status).toBe(303);
  });

  test('the owner is shown the guesses at the next approval', async () => {
    const world = await startWorld();
    await guess(world, 'wrong');
    const { readWrongPassphrases } = await import('../../src/core/approval/enrollment/enrollment.ts');
    expect(await world.composed.journal.read(readWrongPassphrases)).toEqual({
      count: 1,
      lastAt: world.clock.now(),
      locked: [],
    });
  });

  test('an empty field is no attempt', async () => {
    const world = await startWorld();
    for (let count = 0; count < 6; count++) expect((await guess(world, '')).status).toBe(403);
    expect((await guess(world, passphrase)).status).toBe(303);
  });

  test('the token of the settings is no passphrase', async () => {
    expect((await guess(await startWorld(), ownersToken)).status).toBe(403);
  });

  test('without an enrolled passphrase the page says so, and no form of it connects', async () => {
    const world = await startWorld({ isEnrolled: false });
    const form = await open(world, {});
    expect(form.text).toContain('No passphrase is enrolled');
    expect(form.text).not.toContain('type="password"');
    expect(form.fields).toEqual({});
  });
});

describe('what the owner did not tick is not granted', () => {
  test('scope escalation: a client that asks for everything gets what was ticked', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const scopeAfter = async (boxes: readonly ('draft' | 'trade')[]) => {
      const pkce = createPkce();
      const form = await world.openLogin(world.query(client, pkce, { scope: 'read draft trade admin' }));
      const { location } = (await world.submit(form, { boxes })).headers;
      const code = new URL(String(location)).searchParams.get('code') ?? '';
      return (await world.exchange(client, { code, code_verifier: pkce.verifier })).json.scope;
    };
    expect(await scopeAfter([])).toBe('read');
    expect(await scopeAfter(['draft'])).toBe('read draft');
    expect(await scopeAfter(['trade'])).toBe('read draft trade');
  });

  test('a box in the address of the page ticks nothing', async () => {
    const world = await startWorld();
    const client = await world.newClient();
    const pkce = createPkce();
    const form = await world.openLogin(`${world.query(client, pkce)}&trade=yes&draft=yes&action=connect`);
    expect(form.text).not.toMatch(/name="trade" value="yes" checked/);
    const code = new URL(String((await world.submit(form)).headers.location)).searchParams.get('code') ?? '';
    expect((await world.exchange(client, { code, code_verifier: pkce.verifier })).json.scope).toBe('read');
  });

  test('a read-only server has no box for orders, and a form that ticks it grants none', async () => {
    const world = await startWorld({ config: { readOnly: true } });
    const form = await open(world, { scope: 'trade' });
    expect(form.text).not.toContain('name="trade"');
    const client = await world.newClient();
    expect((await world.connect(client, ['trade'])).scope).toBe('read');
  });
});
