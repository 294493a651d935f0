/** Accounts that `init` adds to config.json. */
// @module-tag server
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigs } from '../../../src/core/settings/config.ts';
import { runCommand, testTerminal } from '../../support/command.ts';
import { makeStateFolder } from '../../support/state-folder.ts';

async function setup() {
  const home = await makeStateFolder('brokerage-mcp-added-');
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const env = { HOME: home };
  const keyFile = (name: string) => {
    const path = join(home, name);
    writeFileSync(path, `key-of-${name}`, { mode: 0o600 });
    return path;
  };
  const init = (...argv: string[]) =>
    runCommand(
      [
        'init',
        '--client',
        'cursor',
        '--yes',
        '--no-doctor',
        '--env',
        'demo',
        '--base-url',
        'https://demo.example.com',
        ...argv,
      ],
      env,
      { platform: 'linux' },
    );
  const config = () => JSON.parse(readFileSync(join(home, '.config/brokerage-mcp/config.json'), 'utf8'));
  const entry = () => JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers.brokerage;
  return { env, keyFile, init, config, entry };
}

test('init adds an account with its key, and the key that was there becomes that of invest', async () => {
  const { env, keyFile, init, config, entry } = await setup();
  expect((await init('--key-file', keyFile('one'))).code).toBe(0);
  const added = await init('--add-account', 'isa', '--key-file', keyFile('two'));
  expect(added.code).toBe(0);
  // A person sees which account is added.
  expect(added.stdout).toContain(`{ "name": "isa", "kind": "isa", "apiKeyFile": "${keyFile('two')}" }`);
  expect(config().accounts).toEqual([
    { name: 'invest', kind: 'invest', apiKeyFile: join(env.HOME, 'one') },
    { name: 'isa', kind: 'isa', apiKeyFile: join(env.HOME, 'two') },
  ]);
  expect('apiKeyFile' in config()).toBe(false);
  expect(Object.keys(entry().env)).toEqual(['BROKER_DEMO_BASE_URL']);
  const started = readConfigs({}, testTerminal({ env: { ...env, ...entry().env }, platform: 'linux' }));
  expect(started.map(({ account, credentials }) => [account?.name, credentials?.key])).toEqual([
    ['invest', 'key-of-one'],
    ['isa', 'key-of-two'],
  ]);
});

test('init replaces the key of an account that is there, and keeps the others', async () => {
  const { keyFile, init, config } = await setup();
  await init('--add-account', 'main:invest', '--key-file', keyFile('one'));
  await init('--add-account', 'isa', '--key-file', keyFile('two'));
  await init('--add-account', 'isa', '--key-file', keyFile('three'));
  expect(
    config().accounts.map(({ name, kind, apiKeyFile }: Record<string, string>) => [
      name,
      kind,
      apiKeyFile?.split('/').at(-1),
    ]),
  ).toEqual([
    ['main', 'invest', 'one'],
    ['isa', 'isa', 'three'],
  ]);
});

test.each([
  ['an account without a key', ['--add-account', 'isa']],
  ['an unknown kind', ['--add-account', 'pension', '--key-file', '/nowhere']],
  ['the name all', ['--add-account', 'all:isa', '--key-file', '/nowhere']],
])('init refuses %s', async (_, argv) => {
  const { init } = await setup();
  expect((await init(...argv)).code).toBe(2);
});
