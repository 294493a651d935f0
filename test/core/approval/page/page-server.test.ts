/** How much the server of the page accepts, and that it closes on request. */
// @module-tag server
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { handle, passphrase, sendTo, setup } from './support.ts';

/** A connection that the test writes to by hand; `ended` resolves with everything received. */
function dial(origin: string) {
  const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  return { socket, ended: new Promise<string>((resolve) => socket.on('close', () => resolve(text))) };
}

test.each([4096, 4097])('a body of %i bytes', async (length) => {
  const { page, open, send, approvals } = await setup();
  const { cookie, csrf, digest } = await open();
  const start = new URLSearchParams({ action: 'approve', csrf, digest, passphrase: '' }).toString();
  const body = start + 'x'.repeat(length - start.length);
  const headers = { origin: page.origin, 'content-type': 'application/x-www-form-urlencoded', cookie };
  for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
    const answer = await send({ method: 'POST', headers: { ...headers, ...more }, body });
    expect(answer.status).toBe(length > 4096 ? 413 : 403);
  }
  expect(approvals.calls).toHaveLength(length > 4096 ? 0 : 2);
});

/** Connections that say this and no more; resolves when each was accepted or ended. */
const flood = (origin: string, count: number, text: string) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { socket } = dial(origin);
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
      socket.write(text);
    }),
  );

test('bytes that are not HTTP get a plain refusal', async () => {
  const { page } = await setup();
  const { socket, ended } = dial(page.origin);
  socket.write('what is this\r\n\r\n');
  expect(await ended).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncache-control: no-store\r\n/);
});

test.each([
  ['no host', () => ''],
  ['an empty host', () => 'Host:\r\n'],
  ['two hosts', (host: string) => `Host: ${host}\r\nHost: evil.example\r\n`],
])('a request with %s is refused', async (_, hosts) => {
  const { page, approvals } = await setup();
  const { socket, ended } = dial(page.origin);
  const lines = hosts(new URL(page.origin).host);
  socket.write(`GET /approve/${handle} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  expect(await ended).toMatch(/^HTTP\/1\.1 403 /);
  expect(approvals.looks).toBe(0);
});

test('a sender that is too slow is cut off, in headers and body', async () => {
  const { page, approvals } = await setup();
  const host = new URL(page.origin).host;
  const [headers, body] = [dial(page.origin), dial(page.origin)];
  headers.socket.write(`GET /approve/${handle} HTTP/1.1\r\nHost: ${host}\r\n`);
  body.socket.write(
    `POST /approve/${handle} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${page.origin}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\naction=reject',
  );
  for (const text of await Promise.all([headers.ended, body.ended])) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(approvals.calls).toEqual([]);
});

test('the owner is served despite 120 silent connections', { tags: ['slow'] }, () => expectServed(120, ''));

test('the owner is served despite 600 connections with half a request', { tags: ['slow'] }, () =>
  expectServed(600, 'GET /approve/x HTTP/1.1\r\nHost: '),
);

async function expectServed(count: number, text: string): Promise<void> {
  const { page, send, answer, approvals } = await setup();
  // More connections arrive all the time, as from an attacker.
  const more = () => flood(page.origin, count, text);
  await more();
  const statuses: number[] = [];
  for (let again = 0; again < 65; again++) {
    const [{ status }] = await Promise.all([send(), again % 20 === 0 ? more() : undefined]);
    statuses.push(status);
  }
  expect(statuses).toEqual(Array.from({ length: 65 }, () => 200));
  expect((await answer({ action: 'approve', passphrase })).status).toBe(303);
  expect(approvals.current.state).toBe('APPROVED');
}

test('closing ends open connections, and may be repeated', async () => {
  const { page, address } = await setup();
  const idle = dial(page.origin);
  await new Promise((resolve) => idle.socket.once('connect', resolve));
  idle.socket.write(`GET /approve/${handle} HTTP/1.1\r\nHost: ${new URL(page.origin).host}\r\n\r\n`);
  await new Promise((resolve) => idle.socket.once('data', resolve));
  await page.close();
  await idle.ended;
  await expect(sendTo(address, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await page.close();
});

test('closing does not wait for a response that never comes', async () => {
  const { page, answer, approvals } = await setup();
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  approvals.approve = () => {
    asked();
    return new Promise(() => {});
  };
  const waiting = answer({ action: 'approve', passphrase }).catch((error: Error) => error.message);
  await wasAsked;
  await page.close();
  expect(await waiting).toMatch(/socket hang up|ECONNRESET/);
});
