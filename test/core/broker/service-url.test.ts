/** One service has one name for every spelling of its address. */
import { describe, expect, test } from 'vitest';
import { isLoopbackHost, joinUrl, readServiceAddress, serviceName } from '../../../src/core/broker/service-url.ts';

const local = 'http://127.0.0.1:8080';
const remote = 'https://broker.example';

test.each([
  ['http://localhost:8080', local],
  ['http://LOCALHOST.:8080/', local],
  ['http://127.1:8080', local],
  ['http://2130706433:8080', local],
  ['http://0x7f.1:8080', local],
  ['http://0177.0.0.1:8080', local],
  ['http://127.0.0.2:8080', local],
  ['http://[::1]:8080', local],
  ['http://[0:0:0:0:0:0:0:1]:8080', local],
  ['http://[::ffff:127.0.0.1]:8080', local],
  ['http://１２７.0.0.1:8080', local],
  ['http://127.0.0.1:08080', local],
  ['http://localhost:80', 'http://127.0.0.1'],
  ['HTTPS://Broker.Example', remote],
  ['https://broker.example.', remote],
  ['https://broker.example:443/', remote],
  ['https:\\\\broker.example\\api\\v0', remote],
  [' https://broker.example\n', remote],
  ['https://broker.example?', remote],
  ['https://broker.example/#', remote],
  ['https://%62roker.example', remote],
  ['https://broker.example/api/v0', remote],
  ['https://broker.example/api/v0/', remote],
  ['https://broker.example/api/v0/api/v0', remote],
  ['https://broker.example//api///v0//api/v0///', remote],
  ['https://broker.example/%61pi/v0', remote],
  ['https://broker.example/api%2Fv0', remote],
  ['https://broker.example/API/V0', remote],
  ['https://broker.example/x/../api/v0', remote],
  ['https://[::ffff:192.0.2.1]', 'https://192.0.2.1'],
  ['https://bröker.example', 'https://xn--brker-kua.example'],
  ['https://XN--BRKER-KUA.example', 'https://xn--brker-kua.example'],
  ['https://gateway.example/one/api/v0', 'https://gateway.example/one'],
  ['https://gateway.example//%6Fne/', 'https://gateway.example/one'],
  ['https://gateway.example/one/two', 'https://gateway.example/one/two'],
  ['https://gateway.example/api', 'https://gateway.example/api'],
  ['https://gateway.example/v0', 'https://gateway.example/v0'],
  ['https://gateway.example/api/v1', 'https://gateway.example/api/v1'],
  ['https://gateway.example/v0/api', 'https://gateway.example/v0/api'],
  ['no address', 'no address'],
  ['http://broker.example', 'http://broker.example'],
])('%s is %s', (text, name) => {
  expect(serviceName(text)).toBe(name);
});

test.each([
  ['another port', 'https://broker.example:444'],
  ['another host', 'https://www.broker.example'],
  ['a path before the prefix', 'https://broker.example/one'],
])('%s is another service', (_, text) => {
  expect(serviceName(text)).not.toBe(remote);
});

test('the path before the prefix is case sensitive', () => {
  expect(serviceName(`${remote}/One`)).not.toBe(serviceName(`${remote}/one`));
});

test('http and https on one port of this machine are two services', () => {
  expect(serviceName('https://localhost:8080')).not.toBe(serviceName('http://localhost:8080'));
});

describe('the connection uses the host as given', () => {
  test.each([
    ['http://localhost:8080/api/v0', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://Broker.Example.:443/api/v0/api/v0', 'https://broker.example'],
  ])('%s', (text, address) => {
    expect(readServiceAddress(text)).toEqual({ address });
  });
});

test.each([
  ['broker.example', 'not_an_address'],
  ['https://broker.example..', 'not_an_address'],
  ['https://./', 'not_an_address'],
  ['file:///broker.example', 'not_an_address'],
  ['http://broker.example', 'not_https'],
  ['http://localhost.example', 'not_https'],
  ['http://127.0.0.1.example', 'not_https'],
  ['http://[::2]', 'not_https'],
  ['ftp://127.0.0.1', 'not_https'],
  ['https://me@broker.example', 'has_credentials'],
  ['https://:secret@broker.example', 'has_credentials'],
  ['https://broker.example/api/v0?x', 'has_query'],
  ['https://broker.example/api/v0#x', 'has_query'],
  ['https://broker.example/api/v0/equity', 'wrong_path'],
  ['https://broker.example/a%3Fb', 'wrong_path'],
  ['https://broker.example/%252e%252e', 'wrong_path'],
  ['https://broker.example/%2F..%2Fapi', 'wrong_path'],
  ['https://broker.example/%zz', 'wrong_path'],
])('%s is refused: %s', (text, fault) => {
  expect(readServiceAddress(text)).toEqual({ fault });
});

test.each([
  ['localhost', true],
  ['localhost.', true],
  ['127.0.0.1', true],
  ['127.0.0.1.', true],
  ['127.10.200.30', true],
  ['[::1]', true],
  ['[::ffff:7f00:1]', true],
  ['[::ffff:7f0a:c81e]', true],
  // The key must not leave the machine without TLS.
  ['x127.0.0.1', false],
  ['1127.0.0.1', false],
  ['127.0.0.1.example', false],
  ['126.0.0.1', false],
  ['128.0.0.1', false],
  ['[::2]', false],
  ['[64::ffff:7f00:1]', false],
  ['[::ffff:7f00:1:2]', false],
  ['[::ffff:8000:1]', false],
  ['mylocalhost', false],
  ['localhost.example', false],
])('%s is this machine: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});

test.each([
  ['https://broker.example', 'https://broker.example/api/v0/x?a=1'],
  ['https://broker.example///', 'https://broker.example/api/v0/x?a=1'],
  ['https://broker.example/api/v0', 'https://broker.example/api/v0/x?a=1'],
  ['https://broker.example//api/v0//', 'https://broker.example/api/v0/x?a=1'],
  ['https://gateway.example/one', 'https://gateway.example/one/api/v0/x?a=1'],
  ['https://gateway.example/one/api/v0/', 'https://gateway.example/one/api/v0/x?a=1'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v0/x?a=1'],
])('a path below %s is at %s', (base, url) => {
  expect(joinUrl(base, '/x?a=1').href).toBe(url);
});
