/** One simulated service with several accounts, as the command starts it. */
// @module-tag server
import { request } from 'undici';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/dispatch.ts';
import { testTerminal } from '../support/command.ts';

test('simulate --accounts serves each account behind the key that it prints', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const print = (line: string) => {
    lines.push(line);
    if (line.startsWith('Stop')) open();
  };
  const argv = ['simulate', '--clock', 'fixed', '--accounts', 'invest,isa'];
  const finished = main(testTerminal({ argv, print, shutdownSignal: stop.signal }));
  await opened;
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0];
  const readId = async (pair: string) => {
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    const { statusCode, body } = await request(`${origin}/api/v0/equity/account/summary`, {
      headers: { authorization },
    });
    const text = await body.text();
    return statusCode === 200 ? JSON.parse(text).id : statusCode;
  };
  const ids = [];
  for (const line of lines.slice(1, 3)) {
    const [, key, secret] = /: (\S+) and (\S+)$/.exec(line) ?? [];
    ids.push(await readId(`${key}:${secret}`));
  }
  expect(ids).toEqual([20_300_001, 21_300_001]);
  expect(await readId('sandbox:sandbox')).toBe(401);
  stop.abort();
  expect(await finished).toBe(0);
});

test.each([
  ['invest,invest', ['simulate', '--accounts', 'invest,invest']],
  ['all', ['simulate', '--accounts', 'invest,all']],
  ['a name with a space', ['simulate', '--accounts', 'invest,my isa']],
  ['both flags', ['simulate', '--accounts', 'invest,isa', '--from-account', 'live']],
])('simulate refuses %s', async (_, argv) => {
  const lines: string[] = [];
  expect(await main(testTerminal({ argv, warn: (line) => void lines.push(line) }))).toBe(2);
});
