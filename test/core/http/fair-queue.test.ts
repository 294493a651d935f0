/** Pipelined requests on one connection: served in order, few of them, and never in parallel. */
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { statelessRequest } from '../../support/hostile-clients.ts';
import { serveOverHttp, token } from '../../support/http.ts';
import { createLatch } from './latch.ts';

async function pipeline(waitingRequests: number) {
  const latch = createLatch();
  const over = await serveOverHttp({ limits: { waitingRequests }, parts: { run: latch.run } });
  const socket = connect(over.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString();
  });
  const request = statelessRequest({ port: over.port, token }, 'tools/call', {
    name: 'get_server_status',
    arguments: {},
  });
  return { over, latch, socket, request, answers: () => text.split('HTTP/1.1 200').length - 1 };
}

test('pipelined requests begin one after the other and all get a response', async () => {
  const { latch, socket, request, answers } = await pipeline(3);
  socket.write(request.repeat(4));
  await latch.entered(1);
  expect(answers()).toBe(0);
  expect(latch.signals).toHaveLength(1);
  latch.open();
  await expect.poll(answers).toBe(4);
  expect(latch.signals).toHaveLength(4);
});

test('a connection with more pipelined requests than may wait is closed, and the waiting ones do not begin', async () => {
  const { over, latch, socket, request, answers } = await pipeline(3);
  socket.write(request.repeat(5));
  await expect.poll(() => socket.destroyed).toBe(true);
  latch.open();
  await expect.poll(over.server.connections).toEqual({ trusted: 0, untrusted: 0 });
  expect([answers(), latch.signals.filter(({ aborted }) => !aborted)]).toEqual([0, []]);
});
