/** Everything that is refused, as bytes on a socket: a refused client learns nothing, and no request runs twice. */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveAllowedHosts } from '../../../src/core/http/access-guards.ts';
import { type OverHttp, rawRequest, sendRaw, serveOverHttp, token } from '../../support/http.ts';

let over: OverHttp;
let ran = 0;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  over = await serveOverHttp({
    hosts: ['broker.example.com', 'proxy.example:8443'],
    limits: { bodyBytes: 2_000 },
    metrics: async () => 'figures 1\n',
    parts: {
      run: async () => {
        ran++;
        return { isError: false, text: '{}', body: {} as never };
      },
    },
    atEnd: (work) => ends.push(work),
  });
});
afterAll(async () => {
  for (const end of ends) await end();
});

const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'get_account_summary',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** The headers of a good call; a test changes those that it is about. */
const good = () => ({
  host: `127.0.0.1:${over.port}`,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'get_account_summary',
});

type Change = Readonly<Record<string, string | readonly string[] | undefined>>;
const post = (change: () => Change = () => ({}), body = call, line = 'POST /mcp') =>
  sendRaw(over.port, rawRequest(line, { ...good(), ...change() }, body));

test('a good call succeeds, and runs once', async () => {
  const before = ran;
  const answer = await post();
  expect([answer.status, answer.headers['content-type'], ran - before]).toEqual([200, 'application/json', 1]);
  expect(JSON.parse(answer.body)).toMatchObject({ id: 1, result: { content: [{ text: '{}' }] } });
});

const own = (name: string) => () => ({ host: `${name}:${over.port}` });
const refused: [string, number, () => Change][] = [
  ['no token', 401, () => ({ authorization: undefined })],
  ['an empty token', 401, () => ({ authorization: 'Bearer ' })],
  ['another token', 401, () => ({ authorization: `Bearer ${token.replace('a', 'b')}` })],
  ['the beginning of the token', 401, () => ({ authorization: `Bearer ${token.slice(0, -1)}` })],
  ['the token and more', 401, () => ({ authorization: `Bearer ${token}x` })],
  ['the token by another scheme', 401, () => ({ authorization: `Basic ${token}` })],
  ['the token without a scheme', 401, () => ({ authorization: token })],
  ['two tokens', 401, () => ({ authorization: [`Bearer ${token}`, `Bearer ${token}`] })],
  ['the token in the address', 401, () => ({ authorization: undefined, 'x-token': token })],
  ['a name that points here (DNS rebinding)', 403, () => ({ host: `evil.example:${over.port}` })],
  ['a name that begins like ours', 403, () => ({ host: `127.0.0.1.evil.example:${over.port}` })],
  ['our name without its port', 403, () => ({ host: '127.0.0.1' })],
  ['our name with another port', 403, () => ({ host: `127.0.0.1:${over.port + 1}` })],
  ['every address, which is no name', 403, () => ({ host: `0.0.0.0:${over.port}` })],
  ['no host', 403, () => ({ host: undefined })],
  ['two hosts', 403, () => ({ host: [`127.0.0.1:${over.port}`, 'evil.example'] })],
  ['an allowed name with a port that is not', 403, () => ({ host: 'broker.example.com:99' })],
  ['the page of a hostile site', 403, () => ({ origin: 'https://evil.example' })],
  ['a page without an origin', 403, () => ({ origin: 'null' })],
  ['a page of another program of this machine', 403, () => ({ origin: 'http://localhost:1' })],
  ['our page over another scheme', 403, () => ({ origin: `https://127.0.0.1:${over.port}` })],
  ['two origins', 403, () => ({ origin: [`http://127.0.0.1:${over.port}`, 'https://evil.example'] })],
  ['an empty origin', 403, () => ({ origin: '' })],
  ['a form', 415, () => ({ 'content-type': 'application/x-www-form-urlencoded' })],
  ['plain text, which a page may send unasked', 415, () => ({ 'content-type': 'text/plain' })],
  ['no type', 415, () => ({ 'content-type': undefined })],
  ['a type that only begins so', 415, () => ({ 'content-type': 'application/json-seq' })],
  ['a compressed body', 415, () => ({ 'content-encoding': 'gzip' })],
  [
    'a session that there is not',
    404,
    () => ({ 'mcp-session-id': 'a'.repeat(43), 'mcp-protocol-version': '2025-11-25' }),
  ],
];

describe('a call', () => {
  test.each(refused)('with %s is refused with %i', async (name, status, change) => {
    const before = ran;
    const older = name.includes('session');
    const body = older ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) : call;
    const answer = await post(change, body);
    expect([answer.status, ran - before]).toEqual([status, 0]);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) }, id: null });
    expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401);
    // Nothing for a page of another site, nothing about the program, nothing of the request.
    expect(JSON.stringify(answer)).not.toMatch(
      /access-control|x-powered-by|"server"|node_modules|\.ts|\.cjs|0\.0\.0-test/i,
    );
    expect(JSON.stringify(answer)).not.toContain(token.slice(2, 20));
  });

  test.each([
    ['localhost', own('localhost')],
    ['LOCALHOST', own('LOCALHOST')],
    ['[::1]', own('[::1]')],
    ['the name of the settings', () => ({ host: 'broker.example.com' })],
    ['the name and port of the settings', () => ({ host: 'proxy.example:8443' })],
    ['our own page', () => ({ origin: `http://localhost:${over.port}` })],
    ['a page of a name of the settings', () => ({ origin: 'https://broker.example.com' })],
    ['a token after two spaces, the scheme in capitals', () => ({ authorization: `BEARER  ${token}` })],
    ['a type with a character set', () => ({ 'content-type': 'application/json; charset=utf-8' })],
  ] as [string, () => Change][])('to or from %s succeeds', async (_, change) => {
    expect((await post(change)).status).toBe(200);
  });

  test.each([
    ['PUT', 405],
    ['PATCH', 405],
    ['HEAD', 405],
    ['OPTIONS', 405],
    ['TRACE', 405],
  ])('by %s is refused with %i', async (method, status) => {
    const answer = await post(() => ({ 'content-length': undefined }), '', `${method} /mcp`);
    expect([answer.status, answer.headers.allow]).toEqual([status, 'GET, POST, DELETE']);
  });

  test.each([
    ['nothing', ''],
    ['half an object', '{"jsonrpc":"2.0"'],
    ['no JSON', 'hello'],
    ['bytes', '\u0000\u0001\ufffd'],
  ])('whose body is %s is refused with a parse error', async (_, body) => {
    const answer = await post(() => ({ 'content-length': String(Buffer.byteLength(body)) }), body);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, -32700]);
  });

  test.each([
    ['null', 'null'],
    ['a number', '1'],
    ['an empty list', '[]'],
    ['an object of nothing', '{}'],
    ['a batch of calls without a session', `[${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}]`],
    ['a handshake that is none', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'],
    ['two handshakes', `[${Array.from({ length: 2 }, () => '{"jsonrpc":"2.0","id":1,"method":"initialize"}')}]`],
    ['deep', '['.repeat(900) + ']'.repeat(900)],
  ])('whose body is %s is refused and leaves no session', async (_, body) => {
    const answer = await post(
      () => ({ 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined }),
      body,
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: {} });
    expect(over.server.sessions()).toBe(0);
  });

  test.each([
    ['says so', () => ({}), `"${'x'.repeat(2_000)}"`],
    [
      'does not say so',
      () => ({ 'content-length': undefined, 'transfer-encoding': 'chunked' }),
      `7d2\r\n"${'x'.repeat(2_000)}"\r\n0\r\n\r\n`,
    ],
  ] as [string, () => Change, string][])(
    'whose body is too large and %s is refused with a readable 413',
    async (_, change, body) => {
      const answer = await post(change, body);
      expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([413, 'The body is too large.']);
    },
  );

  test.each([
    [20, 'The Mcp-Session-Id header is missing; start a session with initialize.', -32_000],
    [21, 'The batch has too many messages; send a smaller batch.', -32_600],
  ])('that is a batch of %i messages meets the limit for batches', async (count, message, code) => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const headers = () => ({ 'mcp-protocol-version': undefined, 'mcp-method': undefined, 'mcp-name': undefined });
    const answer = await post(headers, `[${Array(count).fill(ping)}]`);
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, { code, message }]);
  });

  test('of exactly the largest size is read', async () => {
    expect((await post(() => ({}), JSON.stringify('x'.repeat(1_998)))).status).toBe(400);
  });
});

describe('other addresses', () => {
  const get = (path: string, change: Change = {}, method = 'GET') =>
    sendRaw(over.port, rawRequest(`${method} ${path}`, { host: good().host, ...change }));

  test('health needs no token, and returns only its status', async () => {
    const { status, body } = await get('/health');
    expect([status, body]).toEqual([200, '{"status":"ok"}']);
    expect(await get('/health', {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await get('/health', {}, 'POST')).status).toBe(405);
    expect((await get('/health', { host: 'evil.example' })).status).toBe(403);
    expect((await get('/health', { origin: 'https://evil.example' })).status).toBe(403);
  });

  test('metrics need the token', async () => {
    expect((await get('/metrics')).status).toBe(401);
    const { status, body, headers } = await get('/metrics', { authorization: `Bearer ${token}` });
    expect([status, body]).toEqual([200, 'figures 1\n']);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await get('/metrics', { authorization: `Bearer ${token}` }, 'DELETE')).status).toBe(405);
  });

  test.each(['/', '/mcp/', '/MCP', '//mcp', '/mcp/../metrics', '/.well-known/oauth-protected-resource', '*'])(
    '%s is not found',
    async (path) => {
      expect((await get(path, { authorization: `Bearer ${token}` })).status).toBe(404);
    },
  );

  test('the query of an address is ignored', async () => {
    expect((await get(`/health?token=${token}`)).status).toBe(200);
    expect((await get(`/metrics?token=${token}`)).status).toBe(401);
    expect((await get(`http://evil.example/health`)).status).toBe(404);
  });
});

test('host names: 0.0.0.0 adds none, the default port is left out, and loopback has three', () => {
  const everywhere = resolveAllowedHosts({ host: '0.0.0.0', port: 8080, isLoopback: false, others: ['a.example'] });
  expect([...everywhere.hosts]).toEqual(['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'a.example']);
  const elsewhere = resolveAllowedHosts({ host: '192.0.2.1', port: 80, isLoopback: false, others: [] });
  expect([...elsewhere.hosts]).toEqual(['192.0.2.1:80', '192.0.2.1']);
  expect([...elsewhere.origins]).toEqual(['http://192.0.2.1:80', 'http://192.0.2.1']);
});
