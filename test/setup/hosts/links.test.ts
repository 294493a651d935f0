import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../src/core/errors.ts';
import { isPublished, version } from '../../../src/core/process/version.ts';
import {
  cursorLink,
  cursorWebLink,
  resolveLaunchCommand,
  vscodeLink,
  vscodeWebLink,
} from '../../../src/setup/hosts/entry.ts';

const sandbox = { command: 'npx', args: ['-y', `brokerage-mcp@${version}`, '--env', 'sandbox'] };

test('the links contain what a host writes into its file', () => {
  expect(vscodeLink).toMatch(/^vscode:mcp\/install\?%7B/);
  expect(JSON.parse(decodeURIComponent(vscodeLink.split('?')[1] ?? ''))).toEqual({ name: 'brokerage', ...sandbox });
  const web = new URL(vscodeWebLink);
  expect([web.host, web.searchParams.get('name')]).toEqual(['insiders.vscode.dev', 'brokerage']);
  expect(JSON.parse(web.searchParams.get('config') ?? '')).toEqual(sandbox);
  for (const link of [cursorLink, cursorWebLink]) {
    const { searchParams } = new URL(link);
    expect(searchParams.get('name')).toBe('brokerage');
    expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())).toEqual(sandbox);
  }
  expect(cursorLink).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?/);
});

test('the example has an entry for each environment, and starts no name that anybody could register', () => {
  const program = '/path/to/brokerage-mcp/dist/brokerage-mcp.cjs';
  const { mcpServers } = JSON.parse(readFileSync('mcp.json.example', 'utf8'));
  expect(mcpServers['brokerage-sandbox']).toEqual({ command: 'node', args: [program, '--env', 'sandbox'] });
  expect(mcpServers['brokerage-demo']).toEqual({
    command: 'node',
    args: [program, '--env', 'demo'],
    env: {
      BROKER_DEMO_BASE_URL: 'https://demo.broker.example/api/v0',
      BROKER_API_KEY_FILE: '/path/to/demo-key',
      BROKER_API_SECRET_FILE: '/path/to/demo-secret',
    },
  });
  expect(mcpServers['brokerage-live'].args).toEqual([program, '--env', 'live', '--read-only']);
});

/** An installed package, and the link by which a shell starts it. */
function installPackage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'brokerage-mcp-launch-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dist = join(folder, 'node_modules/brokerage-mcp/dist');
  mkdirSync(dist, { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  const file = join(dist, 'brokerage-mcp.cjs');
  writeFileSync(file, '');
  const link = join(folder, 'node_modules/.bin/brokerage-mcp');
  symlinkSync('../brokerage-mcp/dist/brokerage-mcp.cjs', link);
  return { file, link };
}

const startOf = (file: string, isPublished: boolean, { flags = {}, platform = 'linux' } = {}) =>
  resolveLaunchCommand({ self: { command: '/usr/bin/node', args: [file] }, platform }, flags, isPublished);

test('until the package is published, an entry has the absolute path of the program, wherever that is', () => {
  const { file, link } = installPackage();
  expect(startOf(link, false)).toEqual({ command: '/usr/bin/node', args: [file] });
  expect(startOf('/checkout/dist/x.cjs', false)).toEqual({ command: '/usr/bin/node', args: ['/checkout/dist/x.cjs'] });
  const { private: isPrivate } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(isPublished).toBe(!isPrivate);
});

test('once it is published, an installed package is started by name with exactly its version', () => {
  const { link } = installPackage();
  const name = `brokerage-mcp@${version}`;
  expect(startOf(link, true)).toEqual({ command: 'npx', args: ['-y', name] });
  expect(startOf(link, true, { platform: 'win32' })).toEqual({ command: 'cmd', args: ['/c', 'npx', '-y', name] });
  expect(startOf('/checkout/dist/x.cjs', true)).toEqual({ command: '/usr/bin/node', args: ['/checkout/dist/x.cjs'] });
});

test('a program in the cache of npx is refused, because npm deletes it', () => {
  const cached = '/home/a/.npm/_npx/1f/node_modules/brokerage-mcp/dist/brokerage-mcp.cjs';
  expect(() => startOf(cached, false)).toThrow(UsageError);
  expect(startOf(cached, true).command).toBe('npx');
});

test('a command of the user replaces it', () => {
  const flags = { command: '["docker", "run", "-i", "an image"]' };
  expect(startOf('/checkout/dist/x.cjs', false, { flags })).toEqual({
    command: 'docker',
    args: ['run', '-i', 'an image'],
  });
});
