/** Each test breaks something; the doctor names it with the right severity and fix, and finds nothing else. */
// @module-tag process
// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTlsFront } from '../../../checks/campaign/tls-proxy.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { keepStoreMark } from '../../../src/core/orders/halt/store-change.ts';
import type { Intent } from '../../../src/core/orders/intent/intent.ts';
import { openDatabase } from '../../../src/core/store/sqlite/binding.ts';
import { storeFile } from '../../../src/core/store/store-location.ts';
import { DeliveryError } from '../../../src/features/watches/notify/channel.ts';
import type { Level } from '../../../src/setup/doctor/context.ts';
import { skipTest } from '../../support/skip.ts';
import { demoAccount, demoVariables, examine, type Machine, machine, planted, withServer } from './support.ts';

interface Planted {
  readonly title: string;
  readonly isSlow?: true;
  readonly plant: (here: Machine) => unknown;
  readonly check: string;
  readonly level: Level;
  readonly says: RegExp;
  readonly fix: RegExp;
}

const config = (here: Machine, values: object, mode = 0o600) =>
  here.write('.config/brokerage-mcp/config.json', JSON.stringify(values), mode);
const offline = (here: Machine) => {
  here.flags.offline = 'true';
};
const used = async (here: Machine) => {
  offline(here);
  await withServer(here, ({ journal }) => journal.change((tx) => tx.set('used', true)));
};

const inConfiguration: Planted[] = [
  {
    title: 'a file of reportable income with a missing column',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.write('.config/brokerage-mcp/eri.csv', 'isin,period_end,currency\n', 0o600);
    },
    check: 'configuration',
    level: 'fault',
    says: /eri\.csv, line 1: the column amount_per_share is missing/,
    fix: /until then summarize_realised_gains and tax-pack cannot be used/,
  },
  {
    title: 'a benchmark whose dates go backwards',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.write('.config/brokerage-mcp/benchmark.csv', 'date,value\n2026-01-05,1\n2026-01-02,1\n', 0o600);
    },
    check: 'configuration',
    level: 'fault',
    says: /benchmark\.csv, line 3: date is 2026-01-02 and must be after 2026-01-05/,
    fix: /until then calculate_returns cannot be used/,
  },
  {
    title: 'a list of a fund whose weights are over 100',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.write('.config/brokerage-mcp/funds/IE00B3XXRP09.csv', 'name,weight\nA,60\nB,60\n', 0o600);
    },
    check: 'configuration',
    level: 'fault',
    says: /funds\/IE00B3XXRP09\.csv, line 3: weight brings the sum to 120, which is over 100/,
    fix: /until then analyze_portfolio by company, country or sector cannot be used/,
  },
  {
    title: 'a Node that is too old',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.terminal = { machine: { node: '20.9.9', arch: 'x64', uid: process.geteuid?.() } };
    },
    check: 'node',
    level: 'fault',
    says: /Node 20\.9\.9.* too old/,
    fix: /Install a newer Node/,
  },
  {
    title: 'a Node whose inspector is open',
    plant: (here) => {
      offline(here);
      here.env.NODE_OPTIONS = '--no-warnings --inspect=127.0.0.1:9229';
    },
    check: 'node',
    level: 'warning',
    says: /NODE_OPTIONS has --inspect, which shows keys/,
    fix: /Unset NODE_OPTIONS/,
  },
  {
    title: 'a Node that writes its environment to a file',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.env.NODE_OPTIONS = '--report-on-signal';
    },
    check: 'node',
    level: 'warning',
    says: /NODE_OPTIONS has --report-on-signal/,
    fix: /Unset NODE_OPTIONS/,
  },
  {
    title: 'a config.json that is no JSON',
    plant: (here) => here.write('.config/brokerage-mcp/config.json', '{\n  "environment": "demo",\n}'),
    check: 'configuration',
    level: 'fault',
    says: /config\.json is not valid JSON/,
    fix: /^Correct it or remove it\. The error is in line 3\./,
  },
  {
    title: 'an unknown setting in config.json',
    plant: (here) => config(here, { enviroment: 'demo' }),
    check: 'configuration',
    level: 'fault',
    says: /unknown setting "enviroment"/,
    fix: /closest one is "environment"/,
  },
  {
    title: 'a misspelt variable',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.env.BROKER_MAX_ORDERVALUE = '10';
    },
    check: 'configuration',
    level: 'warning',
    says: /BROKER_MAX_ORDERVALUE is not a setting.*BROKER_MAX_ORDER_VALUE/,
    fix: /Rename the variable/,
  },
  {
    title: 'a key without an environment',
    plant: (here) => Object.assign(here.env, { BROKER_API_KEY: planted.key, BROKER_API_SECRET: planted.secret }),
    check: 'configuration',
    level: 'fault',
    says: /BROKER_API_KEY is set but no environment is/,
    fix: /Set BROKER_ENV to demo or live/,
  },
  {
    title: 'plain http to another machine',
    isSlow: true,
    plant: (here) => Object.assign(here.env, demoVariables('http://broker.example')),
    check: 'configuration',
    level: 'fault',
    says: /BROKER_DEMO_BASE_URL must start with https/,
    fix: /Correct it/,
  },
  {
    title: 'an environment without a key',
    isSlow: true,
    plant: (here) => Object.assign(here.env, { BROKER_ENV: 'demo', BROKER_DEMO_BASE_URL: 'https://broker.example' }),
    check: 'configuration',
    level: 'fault',
    says: /demo environment has no key:/,
    fix: /BROKER_API_KEY_FILE, BROKER_API_SECRET_FILE \(if the key has a secret\)/,
  },
  {
    title: 'a demo address that is the live one',
    isSlow: true,
    plant: (here) => {
      offline(here);
      Object.assign(here.env, demoVariables('https://broker.example'));
      here.env.BROKER_LIVE_BASE_URL = 'https://broker.example/api/v0';
    },
    check: 'configuration',
    level: 'fault',
    says: /demo and the live base URL are the same/,
    fix: /Correct BROKER_DEMO_BASE_URL/,
  },
  {
    title: 'certificates that nobody looks at',
    plant: (here) => {
      offline(here);
      Object.assign(here.env, demoVariables('https://broker.example'), { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    },
    check: 'configuration',
    level: 'fault',
    says: /NODE_TLS_REJECT_UNAUTHORIZED=0/,
    fix: /NODE_EXTRA_CA_CERTS/,
  },
  {
    title: 'a key file that others can read',
    plant: (here) => {
      const file = here.write('key', planted.key, 0o644);
      Object.assign(here.env, demoVariables('https://broker.example'), { BROKER_API_KEY_FILE: file });
      delete here.env.BROKER_API_KEY;
    },
    check: 'configuration',
    level: 'fault',
    says: /other users can read .*key/,
    fix: /Run: chmod 600 .*key/,
  },
  {
    title: 'a variable that is stronger than the key file',
    isSlow: true,
    plant: (here) => {
      offline(here);
      Object.assign(here.env, demoVariables('https://broker.example'), {
        BROKER_API_KEY_FILE: here.write('key', planted.key),
      });
    },
    check: 'configuration',
    level: 'warning',
    says: /BROKER_API_KEY and BROKER_API_KEY_FILE are both set, so the file is ignored/,
    fix: /Remove BROKER_API_KEY/,
  },
];

const inFiles: Planted[] = [
  {
    title: 'a state folder that others can read',
    plant: async (here) => {
      await used(here);
      chmodSync(here.stateDir, 0o755);
    },
    check: 'modes',
    level: 'warning',
    says: /state folder .* can be read by others \(mode 755\)/,
    fix: /^chmod 700 '.*brokerage-mcp'$/,
  },
  {
    title: 'a store that others can read',
    isSlow: true,
    plant: async (here) => {
      await used(here);
      chmodSync(storeFile(here.stateDir), 0o644);
    },
    check: 'modes',
    level: 'warning',
    says: /store .*store\.sqlite can be read by others \(mode 644\)/,
    fix: /^chmod 600 '.*store\.sqlite'$/,
  },
  {
    title: 'a key in a config.json that others can read',
    isSlow: true,
    plant: (here) => {
      offline(here);
      const { BROKER_DEMO_BASE_URL: demoBaseUrl } = demoVariables('https://broker.example');
      config(here, { environment: 'demo', demoBaseUrl, apiKey: planted.key, apiSecret: planted.secret }, 0o640);
    },
    check: 'modes',
    level: 'warning',
    says: /config\.json can be read by others \(mode 640\)/,
    fix: /^chmod 600 '.*config\.json'$/,
  },
  {
    title: 'a state folder that is a link to another place',
    plant: async (here) => {
      await used(here);
      const elsewhere = join(here.home, 'elsewhere');
      renameSync(here.stateDir, elsewhere);
      symlinkSync(elsewhere, here.stateDir);
    },
    check: 'modes',
    level: 'warning',
    says: /is a link to .*elsewhere/,
    fix: /rm '.*' && mv '.*elsewhere' /,
  },
  {
    title: 'a state folder in a folder that is copied to other machines',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.env.BROKER_STATE_DIR = join(here.home, 'OneDrive - Work', 'state');
      mkdirSync(here.env.BROKER_STATE_DIR, { recursive: true, mode: 0o700 });
    },
    check: 'state folder',
    level: 'warning',
    says: /is in OneDrive - Work/,
    fix: /--state-dir or BROKER_STATE_DIR/,
  },
  {
    title: 'a store that is no database',
    plant: async (here) => {
      await used(here);
      writeFileSync(storeFile(here.stateDir), 'this was a database once. '.repeat(400));
    },
    check: 'store',
    level: 'fault',
    says: /its file is not a database\. Orders are refused/,
    fix: /mv '.*store\.sqlite' '.*store\.sqlite\.damaged'/,
  },
  {
    title: 'a store with a damaged page',
    isSlow: true,
    plant: async (here) => {
      await used(here);
      await damagePage(storeFile(here.stateDir));
    },
    check: 'store file',
    level: 'fault',
    says: /store\.sqlite is damaged/,
    fix: /\.recover/,
  },
  {
    title: 'a store with a record that cannot be read',
    plant: async (here) => {
      await used(here);
      await changeStore(here, `UPDATE records SET value = '{' WHERE name = 'used'`);
    },
    check: 'store file',
    level: 'fault',
    says: /rows that cannot be read: 1 of the 1 rows of records that were read/,
    fix: /halt restored before a server starts/,
  },
  {
    title: 'a store that was emptied',
    isSlow: true,
    plant: async (here) => {
      await demoAccount(here);
      offline(here);
      await withServer(here, async ({ journal, settings }) => {
        if (settings.witness) await keepStoreMark(journal, settings.witness);
      });
      rmSync(storeFile(here.stateDir));
      writeFileSync(storeFile(here.stateDir), '', { mode: 0o600 });
    },
    check: 'store',
    level: 'warning',
    says: /^The store is a new one, and the one that was used at this place before is gone/,
    fix: /brokerage-mcp resume in a terminal/,
  },
  {
    title: 'a store without a table',
    isSlow: true,
    plant: async (here) => {
      await used(here);
      await changeStore(here, 'DROP TABLE submission_legs');
    },
    check: 'store file',
    level: 'fault',
    says: /^The store lacks submission_legs\.$/,
    fix: /halt restored before a server starts/,
  },
  {
    title: 'a store of a newer version',
    isSlow: true,
    plant: async (here) => {
      await used(here);
      await changeStore(here, 'PRAGMA user_version = 999');
    },
    check: 'store',
    level: 'fault',
    says: /written by a newer version/,
    fix: /Update brokerage-mcp/,
  },
  {
    title: 'a state folder that is a file',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.env.BROKER_STATE_DIR = here.write('a-file', '');
    },
    check: 'store',
    level: 'fault',
    says: /folder cannot be used/,
    fix: /Choose another folder with BROKER_STATE_DIR/,
  },
  {
    title: 'an audit trail that another hand has changed',
    plant: async (here) => {
      offline(here);
      await withServer(here, ({ journal }) =>
        journal.change(async (tx) => {
          for (const kind of ['one', 'two', 'three']) await tx.note('all', kind, {});
        }),
      );
      await changeStore(
        here,
        `DROP TRIGGER audit_is_not_changed; UPDATE audit SET data = '{"x":1}' WHERE seq = 2;
         CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT 1; END`,
      );
    },
    check: 'audit trail',
    level: 'fault',
    says: /broken at record 2/,
    fix: /cp '.*store\.sqlite' .*brokerage-mcp status/,
  },
];

const secrets: Planted[] = [
  {
    title: 'a key that git tracks',
    isSlow: true,
    plant: (here) => {
      offline(here);
      Object.assign(here.env, demoVariables('https://broker.example'));
      track(here, 'notes/setup.md', `my key is\n${planted.key}\n`);
    },
    check: 'secrets',
    level: 'fault',
    says: /A file tracked by git contains a key that is in use: .*setup\.md, line 2/,
    fix: /create a new key/,
  },
  {
    title: 'a key file that git tracks, in another folder than this one',
    isSlow: true,
    plant: (here) => {
      offline(here);
      const file = join(here.home, 'dotfiles', 'key');
      track(here, 'key', planted.key, 'dotfiles');
      Object.assign(here.env, demoVariables('https://broker.example'), { BROKER_API_KEY_FILE: file });
      delete here.env.BROKER_API_KEY;
    },
    check: 'secrets',
    level: 'fault',
    says: /A file tracked by git contains a key that is in use: .*dotfiles\/key, line 1/,
    fix: /Remove it from the file/,
  },
  {
    title: 'a secret in plain text in a project’s host file that git tracks',
    plant: (here) => {
      offline(here);
      track(
        here,
        '.mcp.json',
        '{"mcpServers":{"brokerage-mcp":{"env":{\n"BROKER_API_SECRET": "PLANTED-other-77aa"}}}}',
      );
    },
    check: 'secrets',
    level: 'warning',
    says: /A file tracked by git contains BROKER_API_SECRET in plain text: .*\.mcp\.json, line 2/,
    fix: /Remove it from the file/,
  },
  {
    title: 'a key in plain text in a host’s own file',
    isSlow: true,
    plant: (here) => {
      offline(here);
      here.write('.codex/config.toml', '[mcp_servers.brokerage-mcp.env]\nBROKER_API_KEY = "PLANTED-other-77aa"\n');
    },
    check: 'secrets',
    level: 'warning',
    says: /Codex keeps BROKER_API_KEY in plain text: .*config\.toml, line 2/,
    fix: /chmod 600.*BROKER_API_KEY_FILE/,
  },
  ...(
    [
      ['Claude Code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
      ['Gemini CLI', 'GEMINI_CLI_HOME', '.gemini/settings.json'],
      ['VS Code', 'VSCODE_PORTABLE', 'user-data/User/mcp.json'],
      ['VS Code', 'VSCODE_APPDATA', 'Code/User/mcp.json'],
      ['Zed', 'FLATPAK_XDG_CONFIG_HOME', 'zed/settings.json'],
      ['Codex', 'CODEX_HOME', 'config.toml'],
    ] as const
  ).map(
    ([host, variable, file]): Planted => ({
      title: `a key in the file that ${variable} moves`,
      plant: (here) => {
        offline(here);
        here.env[variable] = join(here.home, 'moved');
        here.write(`moved/${file}`, '{"brokerage-mcp": {"env": {\n"BROKER_API_KEY": "PLANTED-other-77aa"}}}');
      },
      check: 'secrets',
      level: 'warning',
      says: new RegExp(`${host} keeps BROKER_API_KEY in plain text: .*moved.*, line 2`),
      fix: /chmod 600.*BROKER_API_KEY_FILE/,
    }),
  ),
  {
    title: 'a host’s file that is no JSON',
    plant: (here) => {
      offline(here);
      here.write('.cursor/mcp.json', '{"mcpServers": {"brokerage-mcp": {},}}');
    },
    check: 'hosts',
    level: 'warning',
    says: /mcp\.json is not valid JSON, so Cursor cannot start the servers/,
    fix: /Correct the file/,
  },
];

const upstream: Planted[] = [
  {
    title: 'a key that the service does not know',
    plant: async (here) => {
      await demoAccount(here);
      here.env.BROKER_API_SECRET = 'PLANTED-wrong-0000';
    },
    check: 'request',
    level: 'fault',
    says: /does not accept the key.*\(status 401\)/,
    fix: /to the demo environment \(BROKER_ENV\)/,
  },
  {
    title: 'a key without its secret that the service does not know',
    isSlow: true,
    plant: async (here) => {
      await demoAccount(here);
      here.env.BROKER_API_KEY = 'PLANTED-wrong-0000';
      delete here.env.BROKER_API_SECRET;
    },
    check: 'request',
    level: 'fault',
    says: /does not accept the key.*\(status 401\)/,
    fix: /if it was created with a secret, also set BROKER_API_SECRET_FILE/,
  },
  {
    title: 'a key without the permission',
    isSlow: true,
    plant: async (here) => {
      const { faults } = await demoAccount(here);
      faults.push({ endpoint: 'getAccountSummary', kind: 'status', status: 403, times: 9 });
    },
    check: 'request',
    level: 'fault',
    says: /does not allow this.*\(status 403\)/,
    fix: /the permission to read the account/,
  },
  {
    title: 'a service that is gone',
    plant: async (here) => {
      const simulator = await demoAccount(here);
      await simulator.close();
    },
    check: 'request',
    level: 'fault',
    says: /refused \(ECONNREFUSED\)/,
    fix: /host and the port of the base URL/,
  },
  {
    title: 'a host name that nobody knows',
    isSlow: true,
    plant: (here) => Object.assign(here.env, demoVariables('https://no-such-host.invalid')),
    check: 'request',
    level: 'fault',
    says: /could not be reached: the host name .* \((ENOTFOUND|EAI_AGAIN)\)/,
    fix: /spelling of no-such-host\.invalid|DNS is not available/,
  },
  {
    title: 'a service that answers for another one',
    isSlow: true,
    plant: async (here) => {
      const { origin } = await service(200, {});
      Object.assign(here.env, demoVariables(origin));
    },
    check: 'request',
    level: 'fault',
    says: /has a format that this program does not support/,
    fix: /BROKER_DEMO_BASE_URL/,
  },
  {
    title: 'an account whose limit is used up elsewhere',
    isSlow: true,
    plant: async (here) => {
      const reset = String(Math.floor(Date.now() / 1_000) + 40);
      const { origin } = await service(429, { 'x-ratelimit-period': '60', 'x-ratelimit-reset': reset });
      Object.assign(here.env, demoVariables(origin));
    },
    check: 'request',
    level: 'warning',
    says: /refused the request because the rate limit is exceeded.*\(status 429\)/,
    fix: /^Wait \d+ s and run doctor again/,
  },
  {
    title: 'a clock that is five minutes off',
    plant: (here) => demoAccount(here, { clock: { ...systemClock, now: () => Date.now() + 300_000 } }),
    check: 'clock',
    level: 'fault',
    says: /clock is (299|300|301) s behind the service’s/,
    fix: /Synchronise the clock with the network/,
  },
  {
    title: 'a clock that is half a minute off',
    isSlow: true,
    plant: (here) => demoAccount(here, { clock: { ...systemClock, now: () => Date.now() - 30_000 } }),
    check: 'clock',
    level: 'warning',
    says: /clock is (29|30|31) s ahead of the service’s/,
    fix: /Synchronise the clock with the network/,
  },
];

const order = (more: Partial<Intent>) =>
  ({
    id: 'c0ffee00c0ffee00c0ffee00c0ffee00',
    kind: 'order',
    environment: 'sandbox',
    accountKey: 'a',
    fingerprint: 'f',
    ticker: 'QNOON_GB_EQ',
    request: { side: 'BUY', quantity: '2', ticker: 'QNOON_GB_EQ', type: 'LIMIT' },
    createdAt: Date.now(),
    changedAt: Date.now(),
    ...more,
  }) as Intent;

const live = (here: Machine) => {
  offline(here);
  const { BROKER_API_KEY, BROKER_API_SECRET } = demoVariables('');
  Object.assign(here.env, { BROKER_ENV: 'live', BROKER_API_KEY, BROKER_API_SECRET });
  Object.assign(here.env, { BROKER_LIVE_BASE_URL: 'https://broker.example', BROKER_LIVE_TRADING: 'true' });
};
const enrolled = async (here: Machine, more: object = {}) => {
  live(here);
  await withServer(here, async ({ security, journal }) => {
    await security.enrol({ passphrase: 'PLANTED-passphrase', approval: 'page', limits: {} });
    await journal.change(async (tx) => tx.set('security', { ...(await tx.get<object>('security')), ...more }));
  });
};

const trading: Planted[] = [
  {
    title: 'live trading without a passphrase',
    plant: live,
    check: 'approval',
    level: 'fault',
    says: /needs a human’s approval \(page\), but no passphrase is enrolled/,
    fix: /brokerage-mcp enroll/,
  },
  {
    title: 'an approval page that wrong passphrases have locked',
    isSlow: true,
    // A form, so that the test does not depend on this machine.
    plant: (here) => enrolled(here, { approval: 'elicitation', lockedAt: 1, failures: 5 }),
    check: 'approval',
    level: 'warning',
    says: /locked after five wrong passphrases/,
    fix: /brokerage-mcp resume/,
  },
  {
    title: 'a public approval page without a passkey',
    isSlow: true,
    plant: async (here) => {
      await enrolled(here, { approval: 'elicitation' });
      here.env.BROKER_APPROVAL_PUBLIC_URL = 'https://approve.example';
      here.env.BROKER_APPROVAL_PORT = '8443';
    },
    check: 'approval',
    level: 'warning',
    says: /^Under https:\/\/approve\.example the approval page takes the passphrase: no passkey is enrolled\.$/,
    fix: /brokerage-mcp passkey add NAME$/,
  },
  {
    title: 'a public address without a passphrase',
    plant: (here) => {
      here.env.BROKER_HTTP_PUBLIC_URL = 'https://broker.example';
    },
    check: 'web clients',
    level: 'fault',
    says: /^Clients of the web cannot log in at https:\/\/broker\.example: no passphrase is enrolled\.$/,
    fix: /brokerage-mcp enroll/,
  },
  {
    title: 'a public address that is none',
    plant: (here) => {
      here.env.BROKER_HTTP_PUBLIC_URL = 'http://broker.example';
    },
    check: 'web clients',
    level: 'fault',
    says: /^BROKER_HTTP_PUBLIC_URL is not a public address: the HTTP server does not start\.$/,
    fix: /it must be https:\/\/ and a host/,
  },
  {
    title: 'a login page on the web that wrong passphrases have locked',
    plant: async (here) => {
      // A form, so that the test does not depend on this machine.
      await enrolled(here, { approval: 'elicitation', web: { failures: 5, lastFailureAt: 1, lockedAt: 1 } });
      here.env.BROKER_HTTP_PUBLIC_URL = 'https://broker.example';
    },
    check: 'web clients',
    level: 'warning',
    says: /^The login page on the web is locked after five wrong passphrases/,
    fix: /brokerage-mcp resume/,
  },
  {
    title: 'a live address that is called demo',
    isSlow: true,
    plant: async (here) => {
      await enrolled(here);
      Object.assign(here.env, demoVariables('https://broker.example'));
      delete here.env.BROKER_LIVE_BASE_URL;
    },
    check: 'approval',
    level: 'fault',
    says: /has recorded this base URL, account or key as live/,
    fix: /Correct BROKER_DEMO_BASE_URL/,
  },
  {
    title: 'an approval page in a container',
    isSlow: true,
    plant: async (here) => {
      await enrolled(here);
      here.env.container = 'podman';
    },
    check: 'approval',
    level: 'warning',
    says: /no browser can reach it in this container/,
    fix: /docker exec -it NAME brokerage-mcp approve/,
  },
  {
    title: 'a halt by command',
    plant: async (here) => {
      offline(here);
      const halt = { at: Date.now(), by: 'command', reason: 'on holiday.' };
      await withServer(here, ({ journal }) => journal.change((tx) => tx.set('halt', halt)));
    },
    check: 'trading',
    level: 'warning',
    says: /halted since .* by a command: on holiday/,
    fix: /brokerage-mcp resume/,
  },
  {
    title: 'a halt by file',
    plant: (here) => {
      offline(here);
      here.write('.local/state/brokerage-mcp/halt', '');
      chmodSync(here.stateDir, 0o700);
    },
    check: 'trading',
    level: 'warning',
    says: /The file .*halt halts new orders/,
    fix: /brokerage-mcp resume/,
  },
  {
    title: 'an order of which nobody knows what became of it',
    plant: async (here) => {
      offline(here);
      await withServer(here, ({ journal }) => journal.change((tx) => tx.insert(order({ state: 'UNKNOWN' }))));
    },
    check: 'trading',
    level: 'warning',
    says: /BUY 2 QNOON_GB_EQ \(sandbox, c0ffee.*\) is UNKNOWN .*may be live/,
    fix: /Do not place it again/,
  },
];

/** A failure that a process that watches has kept. */
const notifying: Planted[] = [
  {
    title: 'a mail server that refuses the login',
    plant: async (here) => {
      offline(here);
      await withServer(here, async ({ watching }) => {
        const { delivery } = watching.connect([], async () => ({ isError: true, text: '', body: {} }));
        await delivery.failed.block(new DeliveryError('mail', 'unauthorized', { status: 535 }));
      });
    },
    check: 'notify',
    level: 'fault',
    says: /^The mail server refused the login \(535\)\. It was last tried /,
    fix: /^Check the user name, password or token\. Then start the watch again\.$/,
  },
];

const all = [...inConfiguration, ...inFiles, ...secrets, ...upstream, ...trading, ...notifying];

async function expectFound({ plant, check, level, says, fix }: Planted): Promise<void> {
  const here = machine();
  await plant(here);
  const lines = await examine(here);
  const bad = lines.filter((line) => line.level === 'warning' || line.level === 'fault');
  expect(bad).toEqual([{ check, level, says: expect.stringMatching(says), fix: expect.stringMatching(fix) }]);
  expect(JSON.stringify(lines)).not.toContain('PLANTED');
}

test.each(all.filter(({ isSlow }) => !isSlow))('$title', expectFound);
test.each(all.filter(({ isSlow }) => isSlow))('$title', { tags: ['slow'] }, expectFound);

test('a key without a secret is reported as such, and works', async () => {
  const here = machine();
  await demoAccount(here);
  delete here.env.BROKER_API_SECRET;
  config(here, { apiSecret: 'PLANTED-other-1234' });
  const lines = await examine(here);
  const about = (check: string, level: string) => lines.filter((line) => line.check === check && line.level === level);
  expect(about('configuration', 'ok')).toContainEqual(
    expect.objectContaining({ says: expect.stringMatching(/key has no secret: it is sent alone/) }),
  );
  expect(about('configuration', 'note')).toMatchObject([
    { says: expect.stringMatching(/"apiSecret" in .* is ignored/) },
  ]);
  expect(about('request', 'ok')[0]?.says).toMatch(/The summary was read/);
  expect(lines.filter(({ level }) => level === 'fault')).toEqual([]);
  expect(JSON.stringify(lines)).not.toContain('PLANTED');
});

test('an untrusted certificate, and a port that speaks no TLS', { tags: ['slow'] }, async ({ skip }) => {
  const here = machine();
  const simulator = await demoAccount(here);
  const front = await startTlsFront(simulator.origin);
  if (!front) return skip('no openssl to make a certificate with');
  onTestFinished(() => front.close());
  here.env.BROKER_DEMO_BASE_URL = front.origin;
  front.manner = 'stranger';
  const request = async () => (await examine(here)).find(({ check }) => check === 'request');
  expect(await request()).toMatchObject({
    level: 'fault',
    says: expect.stringMatching(/the certificate or the TLS connection failed \(.*CERT/),
    fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
  front.manner = 'plain';
  expect(await request()).toMatchObject({ level: 'fault', fix: expect.stringContaining('does not use TLS') });
});

test('a missing shared store is reported without its password', async () => {
  const here = machine();
  await demoAccount(here);
  here.env.BROKER_STATE_URL = 'postgres://owner:PLANTED-password@127.0.0.1:9/accounts';
  const lines = await examine(here);
  expect(lines.find(({ check, level }) => check === 'store' && level === 'fault')).toMatchObject({
    says: expect.stringContaining('its address refuses the connection'),
    fix: expect.stringContaining("psql 'postgres://127.0.0.1:9/accounts'"),
  });
  expect(JSON.stringify(lines)).not.toContain('PLANTED');
});

/** A service with the same response to every request. */
async function service(status: number, headers: Record<string, string>): Promise<{ origin: string }> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('["hello"]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function track(here: Machine, path: string, text: string, folder = 'work'): void {
  here.write(join(folder, path), text);
  if (spawnSync('git', ['--version']).status !== 0) skipTest('no git on this machine');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(here.home, folder), ...args], { env: here.env, stdio: 'ignore' });
  git('init');
  git('add', path);
}

async function changeStore(here: Machine, sql: string): Promise<void> {
  const db = await openDatabase(storeFile(here.stateDir));
  db.exec(sql);
  db.close();
}

/** Makes a table of many pages and overwrites one of them. */
async function damagePage(path: string): Promise<void> {
  const db = await openDatabase(path);
  db.exec(`WITH RECURSIVE days(day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < 200)
           INSERT INTO snapshots SELECT 'a', day, hex(randomblob(400)) FROM days`);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const [row] = db
    .prepare("SELECT pageno FROM dbstat WHERE name = 'snapshots' AND pagetype = 'leaf' LIMIT 1")
    .all() as { pageno: number }[];
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4_096, 0xee), 0, 4_096, ((row?.pageno ?? 2) - 1) * 4_096);
}
