import { Agent, createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type PageResponse, plainReply, send } from '../../../../src/core/approval/page/page-reply.ts';

/** What a client that keeps its connection receives; `reads` says whether the server first reads the request to its end. */
async function receive(reply: PageResponse, reads: boolean) {
  const server = createServer((asked, response: ServerResponse) => {
    if (reads) asked.resume().on('end', () => send(response, reply));
    else send(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const asking = request(`http://127.0.0.1:${port}/`, { method: 'POST', agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asking.on('error', reject);
    // A request that is not read has a body that has not ended.
    if (reads) asking.end();
    else asking.write('x');
  });
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

test.each([
  [true, 'keep-alive'],
  [false, 'close'],
])('a connection whose request was read to its end (%s) is used again or not: %s', async (reads, connection) => {
  const { headers } = await receive({ status: 200, body: 'é' }, reads);
  expect([headers.connection, headers['content-length']]).toEqual([connection, '2']);
});
