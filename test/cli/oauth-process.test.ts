/** The built program with and without a public address: what it loads, and what a command in another process ends. */
// @module-tag process
// @module-tag slow
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeCode, grantLogin } from '../../src/features/oauth/grants.ts';
import { createClient } from '../../src/features/oauth/web-client.ts';
import { createPkce } from '../security/oauth-support.ts';
import { clients } from '../support/http.ts';
import { runProgram, startHttpProcess } from '../support/http-process.ts';
import { openStateStore } from '../support/state-store.ts';

const metadataPath = '/.well-known/oauth-protected-resource';

async function start(env: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-oauth-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [hook, loaded] = [join(folder, 'hook.cjs'), join(folder, 'loaded.json')];
  const write = `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, JSON.stringify(Object.keys(require.cache)))`;
  await writeFile(hook, `process.on('exit', () => ${write});\n`);
  const all = { BROKER_STATE_DIR: folder, NODE_OPTIONS: `--require ${hook}`, ...env };
  const server = await startHttpProcess(all);
  return {
    ...server,
    folder,
    env: all,
    get: async (path: string) => {
      const { statusCode, body } = await request(new URL(path, server.url));
      await body.dump();
      return statusCode;
    },
    filesLoaded: async () => {
      server.child.kill('SIGTERM');
      await server.ended;
      return (JSON.parse(await readFile(loaded, 'utf8')) as string[]).map((path) => basename(path));
    },
  };
}

test('without a public address the program has none of the paths and loads none of the code', async () => {
  const server = await start({});
  const [[, connect]] = clients as unknown as [(typeof clients)[0]];
  const client = await connect(server.url);
  await client.callTool({ name: 'get_server_status', arguments: {} });
  const paths = [metadataPath, '/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/token'];
  expect(await Promise.all(paths.map((path) => server.get(path)))).toEqual([404, 404, 404, 404]);
  const files = await server.filesLoaded();
  expect(files).toContain('tools.cjs');
  expect(files).not.toContain('oauth.cjs');
  expect(files).not.toContain('shared-commands-oauth.cjs');
});

test('with a public address it loads the code, and a command ends the session of a client', async () => {
  const server = await start({ BROKER_HTTP_PUBLIC_URL: 'https://broker.example' });
  await expect.poll(server.output).toContain('clients of the web connect to https://broker.example/mcp');
  expect(await server.get(metadataPath)).toBe(200);
  const store = openStateStore(server.folder);
  const { row } = createClient('added', 'Chat', ['https://chat.example/'], Date.now(), false);
  const pkce = createPkce();
  const login = { client: row, redirect: 'https://chat.example/', challenge: pkce.challenge, scope: 'read' } as const;
  const audience = { resource: 'https://broker.example/mcp', environment: 'sandbox' } as const;
  const tokens = await store.journal.change(async (tx) => {
    await tx.insertClient(row);
    const token = await grantLogin(tx, login, audience, Date.now());
    const proof = { clientId: row.id, token, resource: undefined, redirect: login.redirect, verifier: pkce.verifier };
    return exchangeCode(tx, proof, audience, Date.now());
  });
  await store.close();
  if (typeof tokens === 'string') throw new Error(tokens);
  const [, [, connect]] = clients as unknown as [unknown, (typeof clients)[0]];
  const client = await connect(server.url, { token: tokens.access });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect([names.includes('list_positions'), names.includes('place_market_order')]).toEqual([true, false]);

  const { NODE_OPTIONS: _, ...env } = server.env;
  const revoked = runProgram(env, 'clients', 'revoke', row.id);
  expect([await revoked.ended, revoked.output()]).toEqual([0, expect.stringContaining('disconnected')]);
  await expect(client.listTools()).rejects.toThrow();
  const sessions = async () => {
    const { body } = await request(new URL('/metrics', server.url), {
      headers: { authorization: 'Bearer a-token-for-tests-0123456789abcdef' },
    });
    return /^\S*sessions\S* (\d+)$/m.exec(await body.text())?.[1];
  };
  await expect.poll(sessions).toBe('0');
  expect(await server.filesLoaded()).toContain('oauth.cjs');
});
