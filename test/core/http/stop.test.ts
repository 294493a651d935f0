/** The stop: nothing new begins, running calls complete, and no wait is unlimited. */
// @module-tag server
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Connect, clients, rawRequest, sendRaw, serveOverHttp, token } from '../../support/http.ts';
import { createLatch } from './latch.ts';

/** A request whose last byte is still to come: the server has begun to read it. */
async function begun(port: number, path: string) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece) => {
      text += piece.toString();
    });
  const request = rawRequest(`GET ${path}`, { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` });
  socket.write(request.slice(0, -2));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    finish: async () => {
      socket.write(request.slice(-2));
      await new Promise((resolve) => socket.once('close', resolve));
      return text;
    },
  };
}

test('during a stop, late health checks and calls get 503, and new connections are refused', async () => {
  const { server, port } = await serveOverHttp();
  const [health, mcp] = [await begun(port, '/health'), await begun(port, '/mcp')];
  server.stop();
  expect(await health.finish()).toMatch(/^HTTP\/1.1 503 [\s\S]*\{"status":"stopping"\}$/);
  expect(await mcp.finish()).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 10/);
  expect((await sendRaw(port, rawRequest('GET /health', { host: `127.0.0.1:${port}` }))).status).toBe(0);
});

test.each(clients)('%s gets the result of a call that runs when the server stops', async (_, open: Connect) => {
  const latch = createLatch();
  const { server, url } = await serveOverHttp({ parts: { run: latch.run } });
  const client = await open(url);
  const call = client.callTool({ name: 'get_server_status', arguments: {} });
  await latch.entered(1);
  server.stop();
  expect(latch.signals[0]?.aborted).toBe(false);
  latch.open();
  expect(await call).toMatchObject({ content: [{ text: '{}' }] });
  await server.close();
  expect(server.sessions()).toBe(0);
});

test('a call that never ends and a client that never hangs up do not delay the stop', async () => {
  const latch = createLatch();
  const { server, url, port } = await serveOverHttp({ parts: { run: latch.run } });
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  for (const [, open] of clients) {
    const client = await open(url);
    void client.callTool({ name: 'get_server_status', arguments: {} }).catch(() => undefined);
  }
  await latch.entered(clients.length);
  await server.close();
  expect(latch.signals.every(({ aborted }) => aborted)).toBe(true);
});
