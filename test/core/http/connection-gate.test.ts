/** Which connections a server keeps when more arrive than it has places for: real sockets on the loopback address. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ConnectionBounds, createConnectionGate } from '../../../src/core/http/connection-gate.ts';

/** A server that trusts a connection that requests /trusted and responds to it, except where the path says to wait. */
async function setup(bounds: Partial<ConnectionBounds> = {}) {
  const waiting: ServerResponse[] = [];
  const results: boolean[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/trusted')) results.push(gate.trust(request.socket));
    if (request.url?.endsWith('/wait')) waiting.push(response);
    else response.end('ok');
  });
  const gate = createConnectionGate(server, { maxUntrusted: 3, maxTrusted: 2, maxUntrustedMs: 60_000, ...bounds });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  /** Resolves when the server has accepted the connection. */
  const open = async () => {
    const accepted = once(server, 'connection');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const ended = once(socket, 'close');
    await accepted;
    return { socket, ended };
  };
  const ask = async (socket: Socket, path: string) => {
    const before = path.endsWith('/wait') ? once(server, 'request') : once(socket, 'data');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await before;
  };
  return { gate, open, ask, waiting, results };
}

test('a new connection takes the place of the oldest silent one and is served', async () => {
  const { gate, open, ask } = await setup();
  const silent = [];
  for (let count = 0; count < 10; count += 1) silent.push(await open());
  await expect.poll(gate.count).toEqual({ untrusted: 3, trusted: 0 });
  const last = await open();
  await Promise.all(silent.slice(0, 8).map(({ ended }) => ended));
  await ask(last.socket, '/');
  expect(silent.slice(8).map(({ socket }) => socket.destroyed)).toEqual([false, false]);
});

test('a connection that arrives in a burst has time to send its request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { gate, open, ask } = await setup();
  const openTen = async () => {
    const opened = [];
    for (let count = 0; count < 10; count += 1) opened.push(await open());
    return opened;
  };
  const [first] = await openTen();
  vi.advanceTimersByTime(249);
  const later = await openTen();
  await ask((first as (typeof later)[0]).socket, '/');
  expect(gate.count()).toEqual({ untrusted: 20, trusted: 0 });
  vi.advanceTimersByTime(1);
  await expect.poll(gate.count).toEqual({ untrusted: 10, trusted: 0 });
  expect(later.map(({ socket }) => socket.destroyed)).toEqual(later.map(() => false));
  vi.advanceTimersByTime(250);
  await expect.poll(gate.count).toEqual({ untrusted: 3, trusted: 0 });
});

test('a connection that sent half a request counts as silent', async () => {
  const { open, ask } = await setup();
  const half = await open();
  half.socket.write('GET / HTTP/1.1\r\nHost: ');
  for (let count = 0; count < 2; count += 1) await open();
  const last = await open();
  await half.ended;
  await ask(last.socket, '/');
});

test('a connection with a request in progress is not displaced while a silent one exists', async () => {
  const { gate, open, ask, waiting } = await setup();
  const asking = await open();
  await ask(asking.socket, '/wait');
  const silent = await open();
  for (let count = 0; count < 2; count += 1) await open();
  await silent.ended;
  expect(asking.socket.destroyed).toBe(false);
  const answered = once(asking.socket, 'data');
  waiting[0]?.end('ok');
  await answered;
  expect(gate.count()).toEqual({ untrusted: 3, trusted: 0 });
});

test('a connection with a request in progress is not displaced by silent ones that have just arrived', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { gate, open, ask } = await setup();
  const asking = await open();
  await ask(asking.socket, '/wait');
  for (let count = 0; count < 3; count += 1) await open();
  vi.advanceTimersByTime(100);
  const last = await open();
  // The first four are old enough to be closed, the last is not.
  vi.advanceTimersByTime(150);
  await expect.poll(gate.count).toEqual({ untrusted: 3, trusted: 0 });
  expect([asking.socket.destroyed, last.socket.destroyed]).toEqual([false, false]);
});

test('a request is not cut while the only silent connection is too young to be closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { gate, open, ask } = await setup();
  const asking = [await open(), await open(), await open()];
  for (const { socket } of asking) await ask(socket, '/wait');
  vi.advanceTimersByTime(100);
  const young = await open();
  vi.advanceTimersByTime(200);
  await new Promise((resolve) => setImmediate(resolve));
  expect([gate.count().untrusted, asking.some(({ socket }) => socket.destroyed)]).toEqual([4, false]);
  vi.advanceTimersByTime(300);
  await young.ended;
  expect(asking.map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
});

test('untrusted connections cannot displace a trusted one', async () => {
  const { gate, open, ask } = await setup();
  const trusted = await open();
  await ask(trusted.socket, '/trusted');
  for (let count = 0; count < 50; count += 1) await open();
  await expect.poll(gate.count).toEqual({ untrusted: 3, trusted: 1 });
  await ask(trusted.socket, '/trusted');
  expect(trusted.socket.destroyed).toBe(false);
});

test('when the trusted places are taken, the connection that was idle longest is closed', async () => {
  const { gate, open, ask, results } = await setup();
  const [first, second, third] = [await open(), await open(), await open()];
  await ask(first.socket, '/trusted');
  await ask(second.socket, '/trusted');
  await ask(first.socket, '/trusted');
  await ask(third.socket, '/trusted');
  await second.ended;
  expect(first.socket.destroyed).toBe(false);
  expect(results).toEqual([true, true, true, true]);
  expect(gate.count()).toEqual({ untrusted: 0, trusted: 2 });
});

test('while every trusted connection has a request in progress, another one keeps its untrusted place', async () => {
  const { gate, open, ask, results } = await setup();
  const [first, second, third] = [await open(), await open(), await open()];
  await ask(first.socket, '/trusted/wait');
  await ask(second.socket, '/trusted/wait');
  await ask(third.socket, '/trusted');
  expect(results).toEqual([true, true, false]);
  expect([first, second, third].map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
  expect(gate.count()).toEqual({ untrusted: 1, trusted: 2 });
});

test('a connection that stays untrusted is closed, a trusted one is not', async () => {
  const { gate, open, ask } = await setup({ maxUntrustedMs: 2_000 });
  const trusted = await open();
  await ask(trusted.socket, '/trusted');
  const silent = await open();
  await silent.ended;
  expect(trusted.socket.destroyed).toBe(false);
  expect(gate.count()).toEqual({ untrusted: 0, trusted: 1 });
});

test('a connection that its client closed frees its place', async () => {
  const { gate, open, ask } = await setup();
  const [first, second] = [await open(), await open()];
  await ask(first.socket, '/trusted');
  first.socket.destroy();
  second.socket.destroy();
  await expect.poll(gate.count).toEqual({ untrusted: 0, trusted: 0 });
});
