/** Attacks through the documents that clients describe themselves with: this server reads an address that others choose. */
// @module-tag server
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Address, isPublic } from '../../src/core/http/public-address.ts';
import {
  createDocumentClients,
  readClientUrl,
  readDocument,
  readFrom,
} from '../../src/features/oauth/client-document.ts';
import { makeCertificate } from '../support/certificate.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createPkce, startWorld } from './oauth-support.ts';

const id = 'https://chat.example/client.json';
const good = {
  client_id: id,
  client_name: 'Chat',
  redirect_uris: ['https://chat.example/callback'],
  token_endpoint_auth_method: 'none',
};
const bytesOf = (json: unknown) => Buffer.from(JSON.stringify(json));
const publicAddress = { address: '93.184.215.14', family: 4 };

describe('only addresses of the public internet are reached', () => {
  test.each([
    ['this machine', '127.0.0.1'],
    ['this machine, another address', '127.8.9.1'],
    ['no address', '0.0.0.0'],
    ['a home network', '192.168.1.1'],
    ['a company network', '10.0.0.7'],
    ['a company network, at its end', '172.31.255.255'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['the network of a provider', '100.64.0.1'],
    ['a test network', '198.18.0.1'],
    ['documentation', '203.0.113.5'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['this machine, IPv6', '::1'],
    ['no address, IPv6', '::'],
    ['link-local, IPv6', 'fe80::1'],
    ['a private network, IPv6', 'fd00::1'],
    ['the metadata of a cloud, IPv6', 'fd00:ec2::254'],
    ['this machine, mapped', '::ffff:127.0.0.1'],
    ['a private network, mapped in hexadecimal', '::ffff:a00:1'],
    ['a private network, by NAT64', '64:ff9b::a00:1'],
    ['a private network, by 6to4', '2002:a00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['documentation, IPv6', '2001:db8::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['no address at all', 'localhost'],
  ])('%s is closed', (_, address) => {
    expect(isPublic({ address })).toBe(false);
  });

  test.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001:82a::200e'])(
    '%s is open',
    (address) => {
      expect(isPublic({ address })).toBe(true);
    },
  );

  test.each<[string, readonly Address[]]>([
    ['a private address', [{ address: '10.0.0.1', family: 4 }]],
    ['a public and a private address', [publicAddress, { address: '127.0.0.1', family: 4 }]],
    ['no address', []],
  ])('a name that resolves to %s is not read', async (_, addresses) => {
    let reads = 0;
    const find = createDocumentClients(createManualClock({ startAt: 0 }), {
      resolve: async () => addresses,
      read: async () => {
        reads++;
        return bytesOf(good);
      },
    });
    expect([await find(id), reads]).toEqual([undefined, 0]);
  });

  test('the connection goes to the addresses that were checked, and to no other', async () => {
    const seen: (readonly Address[])[] = [];
    const find = createDocumentClients(createManualClock({ startAt: 0 }), {
      resolve: async () => [publicAddress],
      read: async (_url, addresses) => {
        seen.push(addresses);
        return bytesOf(good);
      },
    });
    expect(await find(id)).toEqual({ id, name: 'Chat', redirects: good.redirect_uris });
    expect(seen).toEqual([[publicAddress]]);
  });
});

test.each([
  ['http', 'http://chat.example/client.json'],
  ['another port', 'https://chat.example:8443/client.json'],
  ['a password', 'https://a:b@chat.example/client.json'],
  ['no path', 'https://chat.example/'],
  ['a fragment', 'https://chat.example/client.json#a'],
  ['dots in the path', 'https://chat.example/a/../client.json'],
  ['capitals in the host', 'https://Chat.example/client.json'],
  ['a number for the host', 'https://2130706433/client.json'],
  ['an octal number for the host', 'https://0177.0.0.1/client.json'],
  ['a file', 'file:///etc/passwd'],
  ['a long address', `https://chat.example/${'a'.repeat(500)}`],
])('an id with %s is no address of a document', (_, text) => {
  expect(readClientUrl(text)).toBeUndefined();
});

test.each([
  ['the id of another client', { ...good, client_id: 'https://other.example/client.json' }],
  ['no id', { ...good, client_id: undefined }],
  ['a secret, which all can read', { ...good, client_secret: 'x' }],
  ['a proof by secret', { ...good, token_endpoint_auth_method: 'client_secret_post' }],
  ['a proof that is not supported', { ...good, token_endpoint_auth_method: 'private_key_jwt' }],
  ['no addresses', { ...good, redirect_uris: [] }],
  ['an address without encryption', { ...good, redirect_uris: ['http://chat.example/callback'] }],
  ['a list', [good]],
  ['nothing', null],
  ['too many values', { ...good, more: Array.from({ length: 600 }, () => 1) }],
  ['too many bytes', { ...good, more: 'x'.repeat(17_000) }],
])('a document with %s describes no client', (_, json) => {
  expect(readDocument(bytesOf(json), id)).toBeUndefined();
});

test('text that is no JSON describes no client', () => {
  expect(readDocument(Buffer.from('<html>'), id)).toBeUndefined();
});

test('a document is read once in ten minutes, a failure each time, and four at once', async () => {
  const clock = createManualClock({ startAt: 0 });
  let reads = 0;
  let isGood = false;
  const waiting: (() => void)[] = [];
  let holds = false;
  const find = createDocumentClients(clock, {
    resolve: async () => [publicAddress],
    read: async () => {
      reads++;
      if (holds) await new Promise<void>((resolve) => waiting.push(resolve));
      return isGood ? bytesOf(good) : undefined;
    },
  });
  await find(id);
  await find(id);
  expect(reads).toBe(2);
  isGood = true;
  await find(id);
  await find(id);
  expect(reads).toBe(3);
  await clock.advance(10 * 60_000);
  await find(id);
  expect(reads).toBe(4);
  holds = true;
  const many = Array.from({ length: 6 }, (_, at) => find(`https://chat.example/${at}`));
  await expect.poll(() => waiting.length).toBe(4);
  for (const go of waiting) go();
  await Promise.all(many);
  expect(reads).toBe(8);
});

describe('reading over TLS', () => {
  let ca: string;
  let key: string;
  beforeAll(() => {
    ({ cert: ca, key } = makeCertificate('DNS:chat.example'));
  });

  const asked: string[] = [];
  async function serve(listener: RequestListener) {
    asked.length = 0;
    const server = createServer({ key, cert: ca }, (request, response) => {
      asked.push(`${request.headers.host} ${request.url}`);
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as { port: number }).port;
  }
  const here = [{ address: '127.0.0.1', family: 4 }];
  const json = { 'content-type': 'application/json' };

  test('a document is read from the address that was checked, under its own name', async () => {
    const port = await serve((_request, response) => response.writeHead(200, json).end(JSON.stringify(good)));
    const bytes = await readFrom(new URL(`${id}?v=1`), here, { ca, port });
    expect([JSON.parse(String(bytes)), asked]).toEqual([good, [`chat.example:${port} /client.json?v=1`]]);
  });

  test.each<[string, RequestListener]>([
    [
      'a redirect to a private address',
      (_, response) => response.writeHead(302, { location: 'https://127.0.0.1/x' }).end(),
    ],
    ['a redirect to itself', (_, response) => response.writeHead(307, { location: '/client.json' }).end()],
    ['an error', (_, response) => response.writeHead(404, json).end(JSON.stringify(good))],
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(good))],
    ['a document that is too large', (_, response) => response.writeHead(200, json).end(' '.repeat(20_000))],
    ['a document that does not end', (_, response) => void response.writeHead(200, json).write('{')],
    ['no response', () => undefined],
    ['a broken connection', (request) => request.socket.destroy()],
  ])('%s is no document, and one request is made', async (_, listener) => {
    const port = await serve(listener);
    expect(await readFrom(new URL(id), here, { ca, port, timeoutMs: 500 })).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test('a host without a certificate of its name is not believed', async () => {
    const port = await serve((_request, response) => response.writeHead(200, json).end(JSON.stringify(good)));
    expect(await readFrom(new URL(id), here, { port })).toBeUndefined();
    expect(await readFrom(new URL('https://other.example/client.json'), here, { ca, port })).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

test('a login with a document names the site that it is from, and a private one is refused on a page', async () => {
  const world = await startWorld({
    documents: {
      resolve: async (host) => [host === 'chat.example' ? publicAddress : { address: '169.254.169.254', family: 4 }],
      read: async () => bytesOf(good),
    },
  });
  const client = { id, redirect: 'https://chat.example/callback' };
  const form = await world.openLogin(world.query(client, createPkce()));
  expect([form.status, form.text]).toEqual([
    200,
    expect.stringContaining('The name above is from <bdi>chat.example</bdi>.'),
  ]);
  const inside = { id: 'https://metadata.internal/latest', redirect: 'https://chat.example/callback' };
  const refused = await world.openLogin(world.query(inside, createPkce()));
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('could not be verified')]);
});
