/** Several accounts: which are configured, and which settings and key each of them has. */
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/core/errors.ts';
import { readConfig, readConfigs } from '../../../src/core/settings/config.ts';
import type { RuntimeEnvironment } from '../../../src/core/settings/runtime-environment.ts';

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: object;
  readonly flags?: Readonly<Record<string, string>>;
}

const outside = ({ env = {}, file }: Given): RuntimeEnvironment => ({
  argv: [],
  env: { HOME: '/home/owner', ...env },
  platform: 'linux',
  readFile: (path) =>
    path.endsWith('config.json')
      ? file && JSON.stringify(file)
      : path.startsWith('/keys/')
        ? `text-of-${path}`
        : undefined,
  hasFile: () => false,
  getFileMode: () => 0o600,
});

const read = (given: Given) => readConfigs(given.flags ?? {}, outside(given));
const demo = { environment: 'demo', demoBaseUrl: 'https://demo.example.com' };
const two = {
  ...demo,
  maxOrderValue: 900,
  accounts: [
    { name: 'invest', kind: 'invest', apiKeyFile: '/keys/invest' },
    { name: 'isa', kind: 'isa', apiKeyCommand: ['print-key', 'the isa'], maxOrderValue: 50 },
  ],
};
const briefly = (given: Given) =>
  read(given).map(({ account, credentials, limits }) => [
    account?.name,
    account?.kind,
    credentials?.key,
    limits.maxOrderValue,
  ]);

test('Without accounts there is one configuration without a name', () => {
  const configs = read({ file: { ...demo, apiKeyFile: '/keys/one' } });
  expect(configs).toHaveLength(1);
  expect('account' in configs[0]).toBe(false);
  expect('isaAllowance' in configs[0]).toBe(false);
});

test('Each account of config.json has its key, its kind and its limits; what it does not set is that of all', () => {
  expect(briefly({ file: two })).toEqual([
    ['invest', 'invest', 'text-of-/keys/invest', '900'],
    ['isa', 'isa', { command: ['print-key', 'the isa'], from: expect.stringContaining('apiKeyCommand') }, '50'],
  ]);
});

test('Variables name the accounts, their kinds and their keys', () => {
  const env = {
    BROKER_ENV: 'demo',
    BROKER_ACCOUNTS: 'main:invest, isa',
    BROKER_API_KEY_MAIN: 'key-of-main',
    BROKER_API_SECRET_MAIN: 'secret-of-main',
    BROKER_API_KEY_FILE_ISA: '/keys/isa',
  };
  expect(briefly({ env })).toEqual([
    ['main', 'invest', 'key-of-main', undefined],
    ['isa', 'isa', 'text-of-/keys/isa', undefined],
  ]);
  const [main, isa] = read({ env });
  expect([main.credentials?.secret, isa?.credentials?.secret]).toEqual(['secret-of-main', undefined]);
  expect(main.warnings).toEqual([]);
});

test('A variable with names chooses among the entries of config.json, and a key of a variable wins over the file', () => {
  expect(briefly({ file: two, env: { BROKER_ACCOUNTS: 'isa', BROKER_API_KEY_ISA: 'typed' } })).toEqual([
    ['isa', 'isa', 'typed', '50'],
  ]);
});

test('BROKER_ACCOUNT and --account leave one account, which is still one of several', () => {
  for (const given of [{ env: { BROKER_ACCOUNT: 'isa' } }, { flags: { account: 'isa' } }]) {
    const [isa, ...others] = read({ file: two, ...given });
    expect(others).toEqual([]);
    expect(isa.account).toEqual({ name: 'isa', kind: 'isa', isOneOfSeveral: true });
  }
});

test('The only account takes the plain key', () => {
  const file = { ...demo, accounts: [{ name: 'isa', kind: 'isa' }] };
  const [isa] = read({ file, env: { BROKER_API_KEY: 'plain' } });
  expect([isa.credentials?.key, isa.account?.isOneOfSeveral]).toEqual(['plain', false]);
});

test('The sandbox has the accounts that are asked for, without keys', () => {
  expect(briefly({ env: { BROKER_ACCOUNTS: 'invest,isa' } })).toEqual([
    ['invest', 'invest', undefined, undefined],
    ['isa', 'isa', undefined, undefined],
  ]);
});

test.each<[string, Given]>([
  ['a key of an account without an environment', { env: { BROKER_ACCOUNTS: 'invest,isa', BROKER_API_KEY_ISA: 'k' } }],
  ['a key of no account', { file: two, env: { BROKER_API_KEY: 'plain' } }],
  ['a key at the top of config.json', { file: { ...two, apiKeyFile: '/keys/one' } }],
  ['one key for two accounts', { file: two, env: { BROKER_API_KEY_ISA: 'k', BROKER_API_KEY_INVEST: 'k' } }],
  ['a name twice', { env: { BROKER_ACCOUNTS: 'isa,isa' } }],
  ['the name all', { env: { BROKER_ACCOUNTS: 'isa,all:invest' } }],
  ['a name with a hyphen', { env: { BROKER_ACCOUNTS: 'isa,my-own:invest' } }],
  ['an unknown kind', { env: { BROKER_ACCOUNTS: 'isa,pension' } }],
  ['an account that is not configured', { file: two, flags: { account: 'ias' } }],
  ['an account where none is configured', { flags: { account: 'isa' } }],
  [
    'an unknown setting of an entry',
    { file: { ...demo, accounts: [{ name: 'isa', kind: 'isa', liveTrading: true }] } },
  ],
  ['an entry that is no object', { file: { ...demo, accounts: [{ name: 'isa' }, 'invest'] } }],
  ['an entry with a nested value', { file: { ...demo, accounts: [{ name: 'isa', apiKey: { a: 1 } }] } }],
  ['a misspelt allowance', { env: { BROKER_ISA_ALLOWANCE: '20,000' } }],
])('%s is refused', (_, given) => {
  expect(() => read(given)).toThrow(UsageError);
});

test('A command that needs one account is refused where several are configured', () => {
  expect(() => readConfig({}, outside({ file: two }))).toThrow(UsageError);
  expect(readConfig({ account: 'isa' }, outside({ file: two })).account?.name).toBe('isa');
});
