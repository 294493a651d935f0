/** The proxy of docs/web.md, run as it is written there: nginx with TLS, a login through it to its end, and what it keeps out. */
// @module-tag process
// @module-tag slow
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { ownersToken, startWorld, toolNames } from '../../security/oauth-support.ts';
import { findFreePort } from '../../support/free-port.ts';
import { skipTest } from '../../support/skip.ts';

const name = 'broker.example.com';
const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(existsSync);

/** Reaches 127.0.0.1 under any name, as a browser that asked the internet for the name. */
const reach = (servername: string, ca: string) =>
  new Agent({
    connect: {
      ca,
      servername,
      // Its certificate has one name; the other server of the document has the same.
      checkServerIdentity: () => undefined,
      lookup: (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  });

async function startProxy(program: string, target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-nginx-'));
  const [pem, key, port] = [join(folder, 'broker.pem'), join(folder, 'broker.key'), await findFreePort()];
  const asked = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${name}`];
  execFileSync(
    'openssl',
    ['req', '-x509', ...asked, '-addext', `subjectAltName=DNS:${name}`, '-out', pem, '-keyout', key],
    {
      stdio: 'ignore',
    },
  );
  const text = await readFile('docs/web.md', 'utf8');
  const servers = (/```nginx\n([\s\S]*?)```/.exec(text)?.[1] ?? '')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl/broker.pem', pem)
    .replaceAll('/etc/ssl/broker.key', key)
    .replaceAll('http://127.0.0.1:7070', target);
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`);
  const around = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${kept.join(' ')}`;
  await writeFile(join(folder, 'nginx.conf'), `${around}\n${servers}\n}\n`);
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const ca = await readFile(pem, 'utf8');
  const dispatcher = reach(name, ca);
  onTestFinished(() => dispatcher.destroy());
  const address = `https://${name}:${port}`;
  await expect
    .poll(() =>
      request(address, { dispatcher }).then(
        ({ body }) => body.dump().then(() => true),
        () => false,
      ),
    )
    .toBe(true);
  return { address, dispatcher, ca, port };
}

test('through nginx a client logs in, sees its tools and reads; other names and the token of the settings get nothing', async () => {
  if (!nginx) skipTest('nginx is not installed');
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;
  const world = await startWorld({
    origin: `https://${name}`,
    proxy: async (target) => {
      proxy = await startProxy(nginx, target);
      return proxy;
    },
  });
  const metadata = await world.send('GET', '/.well-known/oauth-protected-resource');
  expect(metadata.json).toMatchObject({ resource: `https://${name}/mcp`, authorization_servers: [`https://${name}`] });
  const tokens = await world.connect(await world.newClient(), []);
  const client = await world.mcp(tokens.access_token);
  const names = await toolNames(client);
  expect([names.includes('list_positions'), names.includes('place_market_order')]).toEqual([true, false]);
  const { isError } = await client.callTool({ name: 'list_positions', arguments: {} });
  expect(isError ?? false).toBe(false);
  expect(await world.tryToken(ownersToken)).toBe(401);

  const { ca = '', port = 0 } = proxy ?? {};
  const local = reach('localhost', ca);
  onTestFinished(() => local.destroy());
  const options = { dispatcher: local, headers: { authorization: `Bearer ${ownersToken}` } };
  await expect(request(`https://localhost:${port}/mcp`, options)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
});
