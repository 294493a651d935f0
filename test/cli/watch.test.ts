/** The commands that watch the account, and that show and change what is watched. */
// @module-tag server
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/dispatch.ts';
import { startHttpReceiver } from '../features/watches/notify/http-receiver.ts';
import { runCommand, testTerminal } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';

const held = 'QWRLDl_EQ';

const start = async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  return (...argv: string[]) => runCommand(argv, { HOME: folder, BROKER_STATE_DIR: folder });
};

test('a person adds, lists and removes watches', async () => {
  const run = await start();
  expect((await run('watches')).stdout).toContain('Nothing was added');
  const added = await run('watches', 'add', held, '--above', '1000', '--json');
  expect(added.code, added.stderr).toBe(0);
  const watch = JSON.parse(added.stdout);
  expect(watch).toEqual({ watchId: expect.any(String), kind: 'price', ticker: held, above: '1000' });
  const moved = await run('watches', 'add', '--percent', '5');
  expect(moved.stdout).toMatch(/^[0-9a-f]{8} {2}the portfolio moves by 5 %/);
  expect(JSON.parse((await run('watches', 'list', '--json')).stdout)).toEqual({
    watching: false,
    watches: [watch, { watchId: moved.stdout.slice(0, 8), kind: 'move', percent: '5' }],
    failed: [],
  });
  expect((await run('watches', 'remove', watch.watchId)).code).toBe(0);
  expect(JSON.parse((await run('watches', '--json')).stdout).watches).toHaveLength(1);
});

test('watches of several accounts are one list with the account of each, and one is removed by its id', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder, BROKER_ACCOUNTS: 'invest,isa' };
  const run = (...argv: string[]) => runCommand(argv, env);
  const list = async () => JSON.parse((await run('watches', '--json')).stdout);
  const unnamed = await run('watches', 'add', '--percent', '5');
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--account with one of: invest, isa')]);
  const add = async (account: string, percent: string) =>
    JSON.parse((await run('watches', 'add', '--percent', percent, '--json', '--account', account)).stdout);
  const [ofIsa, ofInvest] = [await add('isa', '5'), await add('invest', '6')];
  expect(await list()).toEqual({
    watching: false,
    watches: [
      { ...ofInvest, account: 'invest' },
      { ...ofIsa, account: 'isa' },
    ],
    failed: [],
  });
  expect((await run('watches')).stdout.split('\n')).toEqual([
    `${ofInvest.watchId}  invest  the portfolio moves by 6 % since the day before`,
    `${ofIsa.watchId}  isa  the portfolio moves by 5 % since the day before`,
    'No process watches now; run brokerage-mcp watch.',
    '',
  ]);
  expect((await run('watches', 'remove', ofIsa.watchId)).code).toBe(0);
  expect((await list()).watches).toEqual([{ ...ofInvest, account: 'invest' }]);
  expect((await run('watches', 'remove', ofIsa.watchId)).stderr).toContain(`There is no watch "${ofIsa.watchId}"`);
});

test('a watch that runs prints each event as a line, notifies by a program, and ends with its signal', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  const told = join(folder, 'told');
  const env = {
    HOME: folder,
    BROKER_STATE_DIR: folder,
    BROKER_NOTIFY_COMMAND: JSON.stringify([
      process.execPath,
      '-e',
      `require('fs').appendFileSync(${JSON.stringify(told)}, process.env.NOTIFY_TITLE + '\\n')`,
    ]),
  };
  const ending = new AbortController();
  const lines: string[] = [];
  const watching = main(
    testTerminal({
      argv: ['watch'],
      env,
      print: (line) => void lines.push(line),
      shutdownSignal: ending.signal,
    }),
  );
  const isWatched = async () => JSON.parse((await runCommand(['watches', '--json'], env)).stdout).watching;
  await expect.poll(isWatched, { timeout: 20_000, interval: 500 }).toBe(true);
  // The first comparison is what later ones are compared with.
  await expect.poll(() => countSights(folder), { timeout: 20_000, interval: 200 }).toBe(1);
  await runCommand(['halt', 'a test'], env);
  await expect.poll(() => lines, { timeout: 20_000 }).toHaveLength(1);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}.*(sandbox)/);
  await expect
    .poll(() => existsSync(told) && readFileSync(told, 'utf8').trim().split('\n').length, { timeout: 20_000 })
    .toBe(1);
  ending.abort();
  expect(await watching).toBe(0);
  expect(await isWatched()).toBe(false);
});

test('a watch of several accounts watches each, and names it beside each event', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder, BROKER_ACCOUNTS: 'invest,isa' };
  const ending = new AbortController();
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const watching = main(testTerminal({ argv: ['watch', '--json'], env, print, shutdownSignal: ending.signal }));
  await expect.poll(() => countSights(folder), { timeout: 20_000, interval: 200 }).toBe(2);
  for (const account of ['invest', 'isa'])
    expect(JSON.parse((await runCommand(['watches', '--json', '--account', account], env)).stdout).watching).toBe(true);
  await runCommand(['halt', 'a test'], env);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
  const events = lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.account < b.account ? -1 : 1));
  expect(events.map(({ kind, account }) => [kind, account])).toEqual([
    ['halt', 'invest'],
    ['halt', 'isa'],
  ]);
  ending.abort();
  expect(await watching).toBe(0);
});

test('the list names the account that no process watches', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder, BROKER_ACCOUNTS: 'invest,isa' };
  const ending = new AbortController();
  const watching = main(testTerminal({ argv: ['watch', '--account', 'invest'], env, shutdownSignal: ending.signal }));
  await expect.poll(() => countSights(folder), { timeout: 20_000, interval: 200 }).toBe(1);
  expect(JSON.parse((await runCommand(['watches', '--json'], env)).stdout).watching).toBe(false);
  expect((await runCommand(['watches'], env)).stdout).toBe(
    'Nothing was added to what is always reported.\nNo process watches isa now; run brokerage-mcp watch.\n',
  );
  ending.abort();
  expect(await watching).toBe(0);
});

test('a way that fails for its settings is tried once by each watch, and shown until it works', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  let status = 401;
  const receiver = await startHttpReceiver((_, response) => void response.writeHead(status).end());
  const address = `http://127.0.0.1:${receiver.port}/topic`;
  const env = { HOME: folder, BROKER_STATE_DIR: folder, BROKER_NOTIFY_URL: address };
  const startWatch = () => {
    const ending = new AbortController();
    const warnings: string[] = [];
    const warn = (line: string) => void warnings.push(line);
    const running = main(testTerminal({ argv: ['watch'], env, warn, shutdownSignal: ending.signal }));
    const end = async () => {
      ending.abort();
      await running;
    };
    return { warnings, end };
  };
  const failed = async () => JSON.parse((await runCommand(['watches', '--json'], env)).stdout).failed;
  const failure = {
    ...{ way: 'url', code: 'unauthorized', status: 401, failedAt: expect.any(String) },
    message: 'The address for notifications refused the login (401).',
    next: 'Check the user name, password or token.',
  };

  const first = startWatch();
  await expect.poll(() => countSights(folder), { timeout: 20_000, interval: 200 }).toBe(1);
  await runCommand(['halt', 'a test'], env);
  await expect.poll(failed, { timeout: 20_000, interval: 500 }).toEqual([failure]);
  await expect.poll(() => first.warnings.filter((line) => line.includes('url failed'))).toHaveLength(1);
  await first.end();
  const shown = JSON.parse((await runCommand(['status', '--json'], env)).stdout);
  expect(shown.failedNotifications).toEqual([failure]);
  expect((await runCommand(['watches'], env)).stdout).toContain('url failed (');
  expect(receiver.received).toHaveLength(1);

  status = 204;
  const second = startWatch();
  await expect.poll(() => receiver.received, { timeout: 20_000 }).toHaveLength(2);
  await expect.poll(failed, { timeout: 20_000, interval: 500 }).toEqual([]);
  await second.end();
});

test('a server over HTTP watches when it is set, and stops with its signal', async () => {
  const folder = await makeStateFolder('brokerage-mcp-watch-');
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const ending = new AbortController();
  const serving = main(
    testTerminal({
      argv: ['--http', '127.0.0.1:0'],
      env: { ...env, BROKER_HTTP_TOKEN: 'f'.repeat(32), BROKER_WATCH: 'true' },
      shutdownSignal: ending.signal,
    }),
  );
  const isWatched = async () => JSON.parse((await runCommand(['watches', '--json'], env)).stdout).watching;
  await expect.poll(isWatched, { timeout: 20_000, interval: 500 }).toBe(true);
  ending.abort();
  expect(await serving).toBe(0);
  expect(await isWatched()).toBe(false);
});

function countSights(folder: string): number {
  if (!existsSync(join(folder, 'store.sqlite'))) return 0;
  const db = new DatabaseSync(join(folder, 'store.sqlite'));
  try {
    return db.prepare('SELECT account FROM watch_sights').all().length;
  } finally {
    db.close();
  }
}

test.each([
  ['an unknown action', ['watches', 'ad'], 2],
  ['two tickers', ['watches', 'add', held, 'QNOON_GB_EQ', '--above', '5'], 2],
  ['a watch that does not exist', ['watches', 'remove', 'a'], 2],
  ['no id', ['watches', 'remove'], 2],
  ['no level', ['watches', 'add', held], 1],
  ['a level that is no number', ['watches', 'add', held, '--above', 'high'], 1],
  ['what is not held', ['watches', 'add', 'ZNOTHELD_US_EQ', '--above', '5'], 1],
])('%s is an error', async (_, argv, code) => {
  const run = await start();
  expect((await run(...argv)).code).toBe(code);
});
