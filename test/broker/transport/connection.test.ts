import { once } from 'node:events';
import * as net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../../src/broker/transport/connection.ts';

test('nothing is sent to an https address before the TLS handshake', async () => {
  const received: Buffer[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk);
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  await expect(openConnection(`https://127.0.0.1:${port}`, { totalMs: 5_000 })).rejects.toMatchObject({
    kind: 'connect',
    sent: false,
  });
  // A record of the handshake, and in it a ClientHello.
  const [bytes] = received;
  expect([bytes?.[0], bytes?.[5]]).toEqual([0x16, 0x01]);
});
