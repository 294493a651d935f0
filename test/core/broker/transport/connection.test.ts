import { once } from 'node:events';
import * as net from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openConnection } from '../../../../src/core/broker/transport/connection.ts';
import { serveRaw } from '../support.ts';

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

describe('a connection', () => {
  const wire = { method: 'POST', path: '/x', headers: {}, body: '{}' } as const;
  const limits = { maxBytes: 1_000, maxValues: 10, responseTimeoutMs: 5_000, totalMs: 5_000, now: () => 0 };
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]';

  test('sends nothing by itself, and carries one request', async () => {
    const service = await serveRaw((socket) => void socket.write(ok));
    const connection = await openConnection(service.origin, { totalMs: 5_000 });
    expect([await connection.isOpen(), service.bytes]).toEqual([true, 0]);
    expect(await connection.send(wire, limits)).toMatchObject({ status: 200, text: '[]' });
    expect(await connection.isOpen()).toBe(false);
    await expect(connection.send(wire, limits)).rejects.toMatchObject({ kind: 'connect', sent: false });
    expect(service).toMatchObject({ requests: 1, connections: 1 });
  });

  test('is not open once the other side has closed it', async () => {
    const sockets: net.Socket[] = [];
    const service = await serveRaw(
      () => undefined,
      (socket) => void sockets.push(socket),
    );
    const connection = await openConnection(service.origin, { totalMs: 5_000 });
    await vi.waitFor(() => expect(sockets).toHaveLength(1));
    expect(await connection.isOpen()).toBe(true);
    sockets[0]?.end();
    await vi.waitFor(async () => expect(await connection.isOpen()).toBe(false));
    connection.close();
    expect(service.bytes).toBe(0);
  });

  test('is not open once this program has closed it', async () => {
    const service = await serveRaw(() => undefined);
    const connection = await openConnection(service.origin, { totalMs: 5_000 });
    connection.close();
    expect(await connection.isOpen()).toBe(false);
  });

  test.each([
    ['the caller has gone away', { totalMs: 5_000, signal: AbortSignal.abort() }, 'cancelled'],
    ['there is no time', { totalMs: 0 }, 'timeout'],
    ['the time is over', { totalMs: -5 }, 'timeout'],
  ])('is not opened when %s, and nothing was sent', async (_, change, kind) => {
    // It never answers the TLS handshake.
    const service = await serveRaw(() => undefined);
    const origin = service.origin.replace('http:', 'https:');
    await expect(openConnection(origin, change)).rejects.toMatchObject({ kind, sent: false });
  });
});
