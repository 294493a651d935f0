import { expect, test } from 'vitest';
import { parseUrl } from '../../../src/core/text/parse-url.ts';

test('a host with letters beyond ASCII is a valid address on every read', () => {
  for (let count = 0; count < 50_000; count++) {
    const url = parseUrl(`https://h\u00f6st-${count % 7}.example/api`);
    if (url?.hostname !== `xn--hst-${count % 7}-jua.example`) expect.soft(url?.hostname).toBe('read every time');
  }
});

test.each(['', 'no address', 'http://', '//host', 'http://a b'])('%j is not a valid address', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('a path is resolved against its base', () => {
  expect(parseUrl('/orders?limit=50', 'http://host')?.href).toBe('http://host/orders?limit=50');
});
