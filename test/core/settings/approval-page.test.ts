/** The public address of the approval page: what is accepted, and the one line for everything else. */
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/core/settings/config.ts';

const read = (env: Record<string, string>) =>
  readConfig(
    {},
    { argv: [], env: { HOME: '/nowhere', ...env }, platform: 'linux', readFile: () => undefined, getFileMode: () => 0 },
  ).approvalPage;

test('without an address the page is for this machine alone', () => {
  expect(read({})).toBeUndefined();
});

test.each([
  ['https://approve.example.com', '7071', { origin: 'https://approve.example.com', port: 7071 }],
  ['https://Approve.Example.com/', '65535', { origin: 'https://approve.example.com', port: 65_535 }],
  ['https://approve.example.com:8443', '1', { origin: 'https://approve.example.com:8443', port: 1 }],
  ['http://localhost:7071', '7071', { origin: 'http://localhost:7071', port: 7071 }],
])('%s with the port %s is a public page', (address, port, page) => {
  expect(read({ BROKER_APPROVAL_PUBLIC_URL: address, BROKER_APPROVAL_PORT: port })).toEqual(page);
});

const needsPort =
  'BROKER_APPROVAL_PUBLIC_URL needs BROKER_APPROVAL_PORT, a port of 1 to 65535; set the port on 127.0.0.1 to which your proxy passes on what is for that address.';
const noName =
  'BROKER_APPROVAL_PUBLIC_URL has no name; use the name of the machine, such as https://approve.example.com (http:// is allowed for localhost only).';
const noAddress =
  'BROKER_APPROVAL_PUBLIC_URL is not a public address; it must be https:// and a host, such as https://broker.example.com, without a path (http:// is allowed for localhost only).';

test.each([
  ['https://a.example', undefined, needsPort],
  ['https://a.example', '0', needsPort],
  ['https://a.example', '65536', needsPort],
  ['https://a.example', '127.0.0.1:7071', needsPort],
  ['https://203.0.113.7', '7071', noName],
  ['http://127.0.0.1:7071', '7071', noName],
  ['https://[2001:db8::7]', '7071', noName],
  ['http://a.example', '7071', noAddress],
  ['https://a.example/approve', '7071', noAddress],
  [undefined, '7071', 'BROKER_APPROVAL_PORT is set without BROKER_APPROVAL_PUBLIC_URL; set both, or neither.'],
])('the address %s with the port %s stops the start', (address, port, line) => {
  const env = {
    ...(address !== undefined && { BROKER_APPROVAL_PUBLIC_URL: address }),
    ...(port !== undefined && { BROKER_APPROVAL_PORT: port }),
  };
  expect(() => read(env)).toThrow(line);
});
