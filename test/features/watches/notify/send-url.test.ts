/** Posts to a real HTTP server on loopback: what it receives, and the code of each failure. */
// @module-tag server
import type { RequestListener } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NotifyUrl } from '../../../../src/core/settings/notify-settings.ts';
import type { Message } from '../../../../src/features/watches/notify/channel.ts';
import { createUrlChannel, type UrlReach } from '../../../../src/features/watches/notify/send-url.ts';
import { type Certificate, makeCertificate } from '../../../support/certificate.ts';
import { failureOf } from './failure-of.ts';
import { startHttpReceiver } from './http-receiver.ts';

const message: Message = { title: 'Order filled', text: 'Bought 1 share.\nThe end.', urgency: 'high' };
const never = new AbortController().signal;
const here = async () => [{ address: '127.0.0.1', family: 4 }];

const channelTo = (address: string, style: NotifyUrl['style'] = 'json', reach: UrlReach = {}) =>
  createUrlChannel({ address, style }, { timeoutMs: 5_000, ...reach });

describe('a post', () => {
  test('as JSON has the message as its body, and the login of the address as a header', async () => {
    const { port, received } = await startHttpReceiver();
    await channelTo(`http://me:pa%3Ass@127.0.0.1:${port}/hook?a=1`).send(message, never);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', path: '/hook?a=1', body: message });
    expect(received[0]?.headers).toEqual({
      authorization: `Basic ${Buffer.from('me:pa:ss').toString('base64')}`,
      connection: 'keep-alive',
      'content-length': String(JSON.stringify(message).length),
      'content-type': 'application/json; charset=utf-8',
      host: `127.0.0.1:${port}`,
      'user-agent': 'brokerage-mcp',
    });
  });

  test.each([
    ['low', 2],
    ['normal', 3],
    ['high', 4],
  ] as const)(
    'for ntfy goes to the server, with the topic and for %s the priority %i in its body',
    async (urgency, priority) => {
      const { port, received } = await startHttpReceiver();
      await channelTo(`http://localhost:${port}/my-topic?auth=x`, 'ntfy').send({ ...message, urgency }, never);
      const body = { topic: 'my-topic', title: message.title, message: message.text, priority };
      expect(received).toMatchObject([{ path: '/?auth=x', body }]);
    },
  );

  test('for Slack is a text without markup, links and groups', async () => {
    const { port, received } = await startHttpReceiver();
    const text = '<!channel> a&b <https://evil.example|Apple> @here';
    await channelTo(`http://127.0.0.1:${port}/services/x`, 'slack').send({ ...message, text }, never);
    expect(received[0]?.body).toEqual({
      text: 'Order filled\n&lt;!channel&gt; a&amp;b &lt;https://evil.example|Apple&gt; @\u2060here',
      mrkdwn: false,
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });
});

describe('a failure has a code', () => {
  const respond =
    (status: number, headers = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(status, headers).end('secret of the server');

  test.each<[number, string, boolean]>([
    [301, 'redirected', false],
    [307, 'redirected', false],
    [400, 'refused', false],
    [401, 'unauthorized', false],
    [403, 'unauthorized', false],
    [404, 'refused', false],
    [408, 'unavailable', false],
    [413, 'refused', false],
    [429, 'unavailable', false],
    [500, 'unavailable', true],
    [503, 'unavailable', false],
    [799, 'broken_response', true],
  ])('%i', async (status, code, mayHaveArrived) => {
    const { port } = await startHttpReceiver(respond(status, { location: '/elsewhere' }));
    const failure = await failureOf(channelTo(`http://127.0.0.1:${port}/`).send(message, never));
    expect(failure).toMatchObject({ code, mayHaveArrived, status });
    expect(failure.texts).not.toContain('secret');
  });

  test.each([
    ['30', 30],
    ['Wed, 21 Oct 2099 07:28:00 GMT', undefined],
    ['-1', undefined],
    ['99999999', undefined],
  ])('the time of a receiver that asks to wait, %j, is %j', async (after, seconds) => {
    const { port } = await startHttpReceiver(respond(429, { 'retry-after': after }));
    const failure = await failureOf(channelTo(`http://127.0.0.1:${port}/`).send(message, never));
    expect(failure.retryAfterSeconds).toBe(seconds);
  });

  const hostile: readonly [string, RequestListener, string][] = [
    ['no response in time', () => undefined, 'timeout'],
    ['a connection that breaks', (request) => void request.socket.destroy(), 'broken_response'],
    ['a response that is no HTTP', (request) => void request.socket.end('220 ESMTP\r\n\r\n'), 'broken_response'],
    [
      'headers without an end',
      ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`),
      'broken_response',
    ],
    [
      'a header with a line end in a value',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nx: a\rb\0c\r\n\r\n'),
      'broken_response',
    ],
    [
      'a status line without an end',
      ({ socket }) => void socket.write('HTTP/1.1 200 '.padEnd(100_000, 'a')),
      'timeout',
    ],
  ];
  test.each(hostile)('%s', async (_, listener, code) => {
    const { port, received } = await startHttpReceiver(listener);
    const failure = await failureOf(
      channelTo(`http://127.0.0.1:${port}/`, 'json', { timeoutMs: 500 }).send(message, never),
    );
    expect([failure.code, failure.mayHaveArrived, received.length]).toEqual([code, true, 1]);
  });

  test('a body without an end does not matter: the status decides', async () => {
    const { port, received } = await startHttpReceiver((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const filling = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(filling));
    });
    await channelTo(`http://127.0.0.1:${port}/`).send(message, never);
    expect(received).toHaveLength(1);
  });

  test('an address without a listener', async () => {
    const failure = await failureOf(channelTo('http://127.0.0.1:1/').send(message, never));
    expect(failure).toMatchObject({ code: 'unreachable', mayHaveArrived: false });
  });

  test('a name without an address', async () => {
    const nowhere = channelTo('https://chat.example/', 'json', { resolve: async () => [] });
    expect(await failureOf(nowhere.send(message, never))).toMatchObject({ code: 'unreachable', mayHaveArrived: false });
  });

  test('an end of the process while the server responds to nothing', async () => {
    const { port, received } = await startHttpReceiver(() => undefined);
    const ending = new AbortController();
    const sending = failureOf(channelTo(`http://127.0.0.1:${port}/`).send(message, ending.signal));
    await expect.poll(() => received.length).toBe(1);
    ending.abort();
    expect(await sending).toMatchObject({ code: 'cancelled', mayHaveArrived: true });
  });
});

describe('over TLS', () => {
  let certificate: Certificate;
  beforeAll(() => {
    certificate = makeCertificate('DNS:chat.example');
  });
  const publicAddress = { address: '93.184.215.14', family: 4 };

  test.each([
    ['an unknown authority', 'https://127.0.0.1/', {}],
    ['another name', 'https://127.0.0.1/', { ca: true }],
  ])('a certificate of %s ends the delivery', async (_, address, { ca }: { ca?: boolean }) => {
    const { port, received } = await startHttpReceiver(undefined, certificate);
    const reach = { port, ca: ca ? certificate.cert : undefined };
    const failure = await failureOf(channelTo(address, 'json', reach).send(message, never));
    expect([failure.code, failure.mayHaveArrived, received]).toEqual(['unsafe_connection', false, []]);
  });

  test.each([
    ['this machine', ['127.0.0.1']],
    ['a home network', ['192.168.1.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['a public and an internal address', [publicAddress.address, '10.0.0.1']],
    ['an internal address of IPv6', ['fd00::1']],
  ])('a name that resolves to %s receives nothing', async (_, addresses) => {
    const { port, received } = await startHttpReceiver(undefined, certificate);
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const reach = { port, ca: certificate.cert, resolve };
    const failure = await failureOf(channelTo('https://chat.example/', 'json', reach).send(message, never));
    expect([failure.code, failure.mayHaveArrived, received]).toEqual(['internal_address', false, []]);
  });

  test.each([
    'https://169.254.169.254/latest',
    'https://0.0.0.0/',
    'https://[fe80::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://2852039166/',
  ])('%s is no address of a network of their own, also as a number', async (address) => {
    const failure = await failureOf(channelTo(address, 'json', { timeoutMs: 500 }).send(message, never));
    expect(failure).toMatchObject({ code: 'internal_address', mayHaveArrived: false });
  });

  test('an internal address that the owner wrote as a number is used, by its own certificate', async () => {
    const own = makeCertificate('IP:127.0.0.1');
    const { port, received } = await startHttpReceiver(undefined, own);
    await channelTo(`https://127.0.0.1:${port}/`, 'json', { ca: own.cert, resolve: here }).send(message, never);
    expect(received).toHaveLength(1);
  });
});
