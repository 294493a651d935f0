/** The settings of HTTP: what is accepted, and the one line for everything else. */
import { expect, test } from 'vitest';
import { readHttpSettings } from '../../../src/core/settings/http-settings.ts';

const token = 'f'.repeat(32);

const read = (flags: Record<string, string>, env: Record<string, string>, file?: { text: string; mode: number }) =>
  readHttpSettings(flags, {
    argv: [],
    env: { HOME: '/nowhere', ...env },
    platform: 'linux',
    readFile: (path) => (path === '/token' ? file?.text : undefined),
    getFileMode: () => file?.mode,
  });

test('without an address the server uses standard input and output, whatever else is set', () => {
  expect(read({}, { BROKER_HTTP_TOKEN: token })).toBeUndefined();
});

test.each([
  ['127.0.0.1:7070', '127.0.0.1', 7070],
  ['localhost:0', 'localhost', 0],
  ['[::1]:65535', '[::1]', 65_535],
  ['[0:0:0:0:0:0:0:1]:1', '[::1]', 1],
  ['0.0.0.0:8080', '0.0.0.0', 8080],
  ['Broker.Example:80', 'broker.example', 80],
])('%s is an address', (http, host, port) => {
  expect(read({ http }, { BROKER_HTTP_TOKEN: token })).toEqual({ host, port, token, hosts: [], watch: false });
});

test('the flag takes precedence over the variable, and the token may be in a file of its owner', () => {
  const env = { BROKER_HTTP: '127.0.0.1:1', BROKER_HTTP_TOKEN_FILE: '/token' };
  const settings = read({ http: '127.0.0.1:2' }, env, { text: `${token}\n`, mode: 0o600 });
  expect(settings).toMatchObject({ port: 2, token });
});

test('other names are a list, in any case', () => {
  const env = { BROKER_HTTP_TOKEN: token, BROKER_HTTP_HOSTS: ' Broker.Example.com , localhost:8080,[::1]:9 ' };
  expect(read({ http: '127.0.0.1:1' }, env)?.hosts).toEqual(['broker.example.com', 'localhost:8080', '[::1]:9']);
});

test.each([
  '7070',
  ':7070',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:70707',
  '127.0.0.1:-1',
  '127.0.0.1:1.5',
  'http://127.0.0.1:7070',
  '127.0.0.1:7070/mcp',
  '::1:7070',
  '[:::]:7070',
  '300.1.1.1:7070',
  'user@host:1',
  'a b:1',
])('%s is not an address, and the line shows a valid one', (http) => {
  expect(() => read({ http }, { BROKER_HTTP_TOKEN: token })).toThrow(
    `--http is "${http}"; it must be HOST:PORT, such as 127.0.0.1:7070 or [::1]:7070.`,
  );
});

test.each([
  ['no token', {}, /--http needs BROKER_HTTP_TOKEN or BROKER_HTTP_TOKEN_FILE.* openssl rand -hex 32/],
  ['an empty token', { BROKER_HTTP_TOKEN: '' }, /--http needs BROKER_HTTP_TOKEN/],
  ['a short token', { BROKER_HTTP_TOKEN: 'f'.repeat(31) }, /^BROKER_HTTP_TOKEN has a token of 31 characters/],
  ['a token with a space', { BROKER_HTTP_TOKEN: `${token} f` }, /^BROKER_HTTP_TOKEN has a token with characters/],
  ['a file that is not there', { BROKER_HTTP_TOKEN_FILE: '/none' }, /^BROKER_HTTP_TOKEN_FILE names a file that cannot/],
  [
    'a list with an address',
    { BROKER_HTTP_TOKEN: token, BROKER_HTTP_HOSTS: 'https://a' },
    /^BROKER_HTTP_HOSTS has "https:/,
  ],
  ['a list with a pattern', { BROKER_HTTP_TOKEN: token, BROKER_HTTP_HOSTS: '*.a' }, /^BROKER_HTTP_HOSTS has "\*\.a"/],
])('%s stops the start, and the token is not in the line', (_, env, line) => {
  let said = '';
  try {
    read({ http: '127.0.0.1:1' }, env as Record<string, string>);
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toMatch(line);
  expect(said).not.toContain('fff');
});

test('a file that other users can read stops the start', () => {
  const env = { BROKER_HTTP_TOKEN_FILE: '/token' };
  expect(() => read({ http: '127.0.0.1:1' }, env, { text: token, mode: 0o644 })).toThrow('run: chmod 600 /token');
});

const readPublic = (address: string) =>
  read({ http: '127.0.0.1:1' }, { BROKER_HTTP_TOKEN: token, BROKER_HTTP_PUBLIC_URL: address });

test.each([
  ['https://broker.example.com', 'https://broker.example.com', 'broker.example.com'],
  ['https://Broker.Example.com/', 'https://broker.example.com', 'broker.example.com'],
  ['https://broker.example.com:443', 'https://broker.example.com', 'broker.example.com'],
  ['https://broker.example.com:8443', 'https://broker.example.com:8443', 'broker.example.com:8443'],
  ['http://localhost:7070', 'http://localhost:7070', 'localhost:7070'],
  ['http://127.0.0.1:7070', 'http://127.0.0.1:7070', '127.0.0.1:7070'],
])('%s is a public address, without a slash at its end, and its host is accepted', (address, publicUrl, host) => {
  expect(readPublic(address)).toMatchObject({ publicUrl, hosts: [host] });
});

test.each([
  'broker.example.com',
  'http://broker.example.com',
  'https://broker.example.com/mcp',
  'https://broker.example.com//',
  'https://broker.example.com?a=b',
  'https://broker.example.com?',
  'https://broker.example.com#a',
  'https://user:secret@broker.example.com',
  'ftp://broker.example.com',
])('%s is no public address, and the line does not repeat it', (address) => {
  expect(() => readPublic(address)).toThrow(
    'BROKER_HTTP_PUBLIC_URL is not a public address; it must be https:// and a host, such as https://broker.example.com, without a path (http:// is allowed for localhost only).',
  );
});

test.each([
  [undefined, false],
  ['true', true],
  ['false', false],
])('BROKER_WATCH=%s: the server watches: %s', (value, watch) => {
  const env = { BROKER_HTTP_TOKEN: token, ...(value && { BROKER_WATCH: value }) };
  expect(read({ http: '127.0.0.1:0' }, env)).toMatchObject({ watch });
});
