import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as broker from '../../../src/core/broker/index.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { quickClock } from './support.ts';

const src = fileURLToPath(new URL('../../../src', import.meta.url));
const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { name: relative(src, path).replaceAll('\\', '/'), code: withoutComments(readFileSync(path, 'utf8')) };
  });

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

const filesWith = (pattern: RegExp, except: RegExp) =>
  files.filter(({ name, code }) => !except.test(name) && pattern.test(code)).map(({ name }) => name);

describe('the only access to the network', () => {
  test('is the transport: nothing else imports undici', () => {
    expect(filesWith(/(from|import\()\s*'undici/, /^core\/broker\/transport\//)).toEqual([]);
    expect(
      files.filter(({ name, code }) => /^core\/broker\/transport\//.test(name) && code.includes("'undici'")),
    ).not.toHaveLength(0);
  });

  test('has no alternative: no fetch, no client of node:http, node:https, node:http2, node:net or node:tls', () => {
    expect(filesWith(/(^|[^.\w])fetch\(|globalThis\.fetch/, /^$/)).toEqual([]);
    expect(filesWith(/'node:(https|http2|tls|dgram)'/, /^core\/broker\/transport\//)).toEqual([]);
    expect(
      filesWith(
        /\bhttp\.(request|get)\(|\{[^}]*\b(request|get)\b[^}]*\} from 'node:http'/,
        /^(core\/broker\/transport|simulator)\//,
      ),
    ).toEqual([]);
    expect(
      filesWith(
        /\bnet\.(connect|createConnection)\(|new (net\.)?Socket\(|\{[^}]*\b(connect|createConnection)\b[^}]*\} from 'node:net'/,
        /^(core\/broker\/transport|simulator)\//,
      ),
    ).toEqual([]);
  });

  test('does not retry, redirect or cache automatically', () => {
    expect(filesWith(/RetryAgent|interceptors(?!\/)|RedirectHandler|setGlobalDispatcher|new Agent\(/, /^$/)).toEqual(
      [],
    );
  });

  test('has exactly three handles', async () => {
    expect(Object.keys(broker)).toEqual(['createBroker']);
    const made = broker.createBroker({
      origin: async () => expect.fail('asked at creation'),
      accountKey: async () => expect.fail('asked at creation'),
      credentials: async () => expect.fail('asked at creation'),
      records: createMemoryRecords(),
      clock: quickClock(),
      random: () => 0,
      owner: 'x',
      readOnly: false,
    });
    expect(Object.keys(made).sort()).toEqual(['call', 'pages', 'place']);
  });

  test('is opened with the first request: undici is never imported at the start', () => {
    expect(filesWith(/^import (?!type)[^;]*'undici'/m, /^$/)).toEqual([]);
  });

  test('sends orders of the order manager only: no other code authorizes an order', () => {
    const users = filesWith(/\bauthorizeOrder\b/, /^$/);
    expect(users.sort()).toEqual(['core/broker/types.ts', 'core/orders/send/send-order.ts']);
  });
});
