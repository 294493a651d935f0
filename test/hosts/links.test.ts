import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildEntry, type EntryOptions } from '../../src/hosts/entry.ts';
import { npxCommand, resolveLaunchCommand } from '../../src/hosts/launch.ts';
import { cursorLink, cursorWebLink, vscodeLink, vscodeWebLink } from '../../src/hosts/links.ts';

const sandbox = { command: 'npx', args: ['-y', 'brokerage-mcp', '--env', 'sandbox'] };

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

test('the example has the entries that print-config prints', () => {
  const keys = (name: string) =>
    ({ kind: 'files', key: `/path/to/${name}-key`, secret: `/path/to/${name}-secret` }) as const;
  const of = (choice: Omit<EntryOptions, 'flags'>, flags = {}) =>
    buildEntry({ ...choice, flags }, npxCommand('brokerage-mcp', 'linux'));
  expect(JSON.parse(readFileSync('mcp.json.example', 'utf8'))).toEqual({
    mcpServers: {
      'brokerage-sandbox': of({ environment: 'sandbox' }),
      'brokerage-demo': of({ environment: 'demo', baseUrl: 'https://demo.broker.example/api/v0', keys: keys('demo') }),
      'brokerage-live': of(
        { environment: 'live', baseUrl: 'https://live.broker.example/api/v0', keys: keys('live') },
        { 'read-only': 'true' },
      ),
    },
  });
});

test('a program in a package is started through npx, and one in a checkout by its paths', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dist = join(folder, 'node_modules/brokerage-mcp/dist');
  mkdirSync(dist, { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'));
  writeFileSync(join(dist, 'brokerage-mcp.cjs'), '');
  const link = join(folder, 'node_modules/.bin/brokerage-mcp');
  symlinkSync('../brokerage-mcp/dist/brokerage-mcp.cjs', link);
  const from = (file: string, flags = {}) =>
    resolveLaunchCommand({ self: { command: '/usr/bin/node', args: [file] }, platform: 'linux' }, flags);
  expect(from(link)).toEqual({ command: 'npx', args: ['-y', 'brokerage-mcp'] });
  expect(from('/checkout/dist/x.cjs')).toEqual({ command: '/usr/bin/node', args: ['/checkout/dist/x.cjs'] });
  const checkout = join(realpathSync(folder), 'brokerage-mcp.cjs');
  writeFileSync(checkout, '');
  const cached = join(folder, 'npx-cache-link');
  symlinkSync(checkout, cached);
  expect(from(cached)).toEqual({ command: '/usr/bin/node', args: [checkout] });
  expect(from(link, { command: '["docker", "run", "-i", "an image"]' })).toEqual({
    command: 'docker',
    args: ['run', '-i', 'an image'],
  });
});

test('Windows starts npx through its command interpreter', () => {
  expect(npxCommand('brokerage-mcp', 'win32')).toEqual({ command: 'cmd', args: ['/c', 'npx', '-y', 'brokerage-mcp'] });
});
