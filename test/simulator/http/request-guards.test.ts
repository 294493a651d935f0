/** Web pages cannot read a simulated service: not through a name that points at this machine, nor from another address. */
// @module-tag server
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { credentials, setup } from '../support.ts';

const authorization = `Basic ${Buffer.from(`${credentials.key}:${credentials.secret}`).toString('base64')}`;

/** The status of a request with exactly these headers. */
async function statusOf(lines: readonly string[], path = '/api/v0/equity/positions', method = 'GET') {
  const { simulator } = await setup();
  const { port } = new URL(simulator.origin);
  const socket = connect(Number(port), '127.0.0.1');
  const own = lines.map((line) => line.replaceAll('PORT', port));
  socket.end(
    [`${method} ${path} HTTP/1.1`, ...own, `Authorization: ${authorization}`, 'Connection: close', '', ''].join('\r\n'),
  );
  return Number((await text(socket)).split(' ')[1]);
}

test.each([
  ['Host: 127.0.0.1:PORT'],
  ['Host: localhost:PORT'],
  ['Host: LOCALHOST:PORT'],
  ['Host: [::1]:PORT'],
  ['Host: localhost:1'],
  ['Host: 127.0.0.1:PORT', 'Origin: http://127.0.0.1:PORT'],
])('a request of this machine is served: %j', async (...lines) => {
  expect(await statusOf(lines)).toBe(200);
});

test.each([
  ['Host: evil.example'],
  ['Host: evil.example:PORT'],
  ['Host: localhost.evil.example:PORT'],
  ['Host: 127.0.0.1.evil.example:PORT'],
  ['Host: evil.example@127.0.0.1:PORT'],
  ['Host: 127.0.0.1:PORT.evil.example'],
  ['Host: '],
  ['Host: 127.0.0.1:PORT', 'Origin: http://evil.example'],
  ['Host: 127.0.0.1:PORT', 'Origin: http://127.0.0.1:1'],
  ['Host: 127.0.0.1:PORT', 'Origin: http://localhost:PORT'],
  ['Host: 127.0.0.1:PORT', 'Origin: null'],
])('a request of a web page is refused: %j', async (...lines) => {
  expect(await statusOf(lines)).toBe(403);
});

test('the refusal covers files and every method, and costs no request of a limit', async () => {
  const evil = ['Host: evil.example'];
  expect(await statusOf(evil, '/files/report.csv')).toBe(403);
  expect(await statusOf(evil, '/api/v0/equity/orders/limit', 'POST')).toBe(403);
  expect(await statusOf(['Host: 127.0.0.1:PORT', 'Origin: http://evil.example'], '/', 'OPTIONS')).toBe(403);
});
