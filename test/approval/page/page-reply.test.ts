import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { plainReply, send } from '../../../src/approval/page/page-reply.ts';
import { sendTo } from './support.ts';

/** What a client receives of a reply; `read` says whether the request is read to its end before. */
async function receive(reply: Parameters<typeof send>[1], read: boolean, body?: string) {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!read) return send(response, reply);
    request.resume().on('end', () => send(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return sendTo(`http://127.0.0.1:${port}/`, body === undefined ? {} : { method: 'POST', body });
}

test('a page without a ticket names the problem and the next step, and is complete', async () => {
  const { status, headers, text } = await receive(plainReply(410, 'USED', 'OPEN IT AGAIN', { allow: 'GET' }), true);
  expect(status).toBe(410);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    allow: 'GET',
  });
  expect(text).toContain('<title>USED</title>');
  expect(text).toContain('<body class="calm">');
  expect(text).toContain('<header class="banner"><p><strong>Order approval</strong></p></header>');
  expect(text).toContain('<h1>USED</h1><p>OPEN IT AGAIN</p>');
});

test('the connection of a request that was not read to its end is closed', async () => {
  const reply = { status: 200, body: 'é' };
  const long = 'x'.repeat(1_000_000);
  const closed = await receive(reply, false, long);
  expect([closed.headers.connection, closed.headers['content-length']]).toEqual(['close', '2']);
});
