/**
 * Where each host keeps its file, on each platform; the expectations come from the makers' documents, not from our
 * code.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Platform } from '../../../src/setup/hosts/host.ts';
import { findHosts, getHostPath, hosts, isInstalled } from '../../../src/setup/hosts/hosts.ts';

const linux: Platform = { platform: 'linux', env: {}, home: '/home/ann' };
const mac: Platform = { platform: 'darwin', env: {}, home: '/Users/ann' };
const windows: Platform = {
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
  home: 'C:\\Users\\ann',
};
const file = (id: string, place: Platform) => findHosts(id, hosts)[0]?.files(place).at(-1);

test.each([
  [
    'claude-desktop',
    '/home/ann/.config/Claude/claude_desktop_config.json',
    '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  ['claude-code', '/home/ann/.claude.json', '/Users/ann/.claude.json', 'C:\\Users\\ann\\.claude.json'],
  ['cursor', '/home/ann/.cursor/mcp.json', '/Users/ann/.cursor/mcp.json', 'C:\\Users\\ann\\.cursor\\mcp.json'],
  [
    'vscode',
    '/home/ann/.config/Code/User/mcp.json',
    '/Users/ann/Library/Application Support/Code/User/mcp.json',
    'C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\mcp.json',
  ],
  [
    'windsurf',
    '/home/ann/.codeium/windsurf/mcp_config.json',
    '/Users/ann/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json',
  ],
  [
    'zed',
    '/home/ann/.config/zed/settings.json',
    '/Users/ann/.config/zed/settings.json',
    'C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json',
  ],
  ['codex', '/home/ann/.codex/config.toml', '/Users/ann/.codex/config.toml', 'C:\\Users\\ann\\.codex\\config.toml'],
  [
    'gemini-cli',
    '/home/ann/.gemini/settings.json',
    '/Users/ann/.gemini/settings.json',
    'C:\\Users\\ann\\.gemini\\settings.json',
  ],
  [
    'copilot-cli',
    '/home/ann/.copilot/mcp-config.json',
    '/Users/ann/.copilot/mcp-config.json',
    'C:\\Users\\ann\\.copilot\\mcp-config.json',
  ],
  [
    'qwen-code',
    '/home/ann/.qwen/settings.json',
    '/Users/ann/.qwen/settings.json',
    'C:\\Users\\ann\\.qwen\\settings.json',
  ],
  [
    'cline',
    '/home/ann/.cline/data/settings/cline_mcp_settings.json',
    '/Users/ann/.cline/data/settings/cline_mcp_settings.json',
    'C:\\Users\\ann\\.cline\\data\\settings\\cline_mcp_settings.json',
  ],
  [
    'continue',
    '/home/ann/.continue/mcpServers/brokerage.json',
    '/Users/ann/.continue/mcpServers/brokerage.json',
    'C:\\Users\\ann\\.continue\\mcpServers\\brokerage.json',
  ],
  [
    'opencode',
    '/home/ann/.config/opencode/opencode.json',
    '/Users/ann/.config/opencode/opencode.json',
    'C:\\Users\\ann\\.config\\opencode\\opencode.json',
  ],
])('%s', (id, onLinux, onMac, onWindows) => {
  expect([linux, mac, windows].map((place) => file(id, place))).toEqual([onLinux, onMac, onWindows]);
});

test.each([
  ['claude-desktop', 'XDG_CONFIG_HOME', '/x/Claude/claude_desktop_config.json'],
  ['vscode', 'XDG_CONFIG_HOME', '/x/Code/User/mcp.json'],
  ['vscode', 'VSCODE_APPDATA', '/x/Code/User/mcp.json'],
  ['vscode', 'VSCODE_PORTABLE', '/x/user-data/User/mcp.json'],
  ['zed', 'XDG_CONFIG_HOME', '/x/zed/settings.json'],
  ['zed', 'FLATPAK_XDG_CONFIG_HOME', '/x/zed/settings.json'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', '/x/.claude.json'],
  ['codex', 'CODEX_HOME', '/x/config.toml'],
  ['gemini-cli', 'GEMINI_CLI_HOME', '/x/.gemini/settings.json'],
  ['copilot-cli', 'COPILOT_HOME', '/x/mcp-config.json'],
  ['qwen-code', 'QWEN_HOME', '/x/settings.json'],
  ['cline', 'CLINE_DATA_DIR', '/x/settings/cline_mcp_settings.json'],
  ['cline', 'CLINE_MCP_SETTINGS_PATH', '/x'],
  ['continue', 'CONTINUE_GLOBAL_DIR', '/x/mcpServers/brokerage.json'],
  ['opencode', 'XDG_CONFIG_HOME', '/x/opencode/opencode.json'],
])('%s is moved by %s', (id, variable, path) => {
  expect(file(id, { ...linux, env: { [variable]: '/x' } })).toBe(path);
});

test('Zed on macOS does not follow XDG_CONFIG_HOME', () => {
  expect(file('zed', { ...mac, env: { XDG_CONFIG_HOME: '/x' } })).toBe('/Users/ann/.config/zed/settings.json');
});

test('opencode keeps one file: the one with comments where it exists', () => {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  expect(file('opencode', { ...linux, home })).toBe(join(folder, 'opencode.json'));
  writeFileSync(join(folder, 'opencode.jsonc'), '{}');
  expect(file('opencode', { ...linux, home })).toBe(join(folder, 'opencode.jsonc'));
});

test('every host of the list is in the tables above', () => {
  expect(hosts.map(({ id }) => id).sort()).toEqual([
    'claude-code',
    'claude-desktop',
    'cline',
    'codex',
    'continue',
    'copilot-cli',
    'cursor',
    'gemini-cli',
    'opencode',
    'qwen-code',
    'vscode',
    'windsurf',
    'zed',
  ]);
});

test('a host is installed when its folder exists', () => {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const place = { ...linux, home };
  expect(hosts.filter((host) => isInstalled(host, place))).toEqual([]);
  for (const folder of ['.config/Claude', '.claude', '.cursor', '.codex'])
    mkdirSync(join(home, folder), { recursive: true });
  const found = hosts.filter((host) => isInstalled(host, place)).map(({ id }) => id);
  expect(found).toEqual(['claude-desktop', 'claude-code', 'cursor', 'codex']);
});

test('the packaged Claude Desktop of Windows is found at its own place', () => {
  const [host] = findHosts('claude-desktop', hosts);
  const [packaged, documented] = host?.files(windows) ?? [];
  expect(packaged).toBe(
    'C:\\Users\\ann\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
  );
  // None of it exists here, so the documented place is used.
  expect(host && getHostPath(host, windows)).toBe(documented);
});

test('a host is installed when its file is there, though its folder is not', () => {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-hosts-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const found = () => hosts.filter((host) => isInstalled(host, { ...linux, home })).map(({ id }) => id);
  expect(found()).toEqual([]);
  writeFileSync(join(home, '.claude.json'), '{}');
  expect(found()).toEqual(['claude-code']);
});

test('a host has the name that its users type too', () => {
  expect(findHosts('gemini,copilot,qwen', hosts).map(({ id }) => id)).toEqual([
    'gemini-cli',
    'copilot-cli',
    'qwen-code',
  ]);
});

test('an unknown host gets the nearest name as a suggestion', () => {
  expect(() => findHosts('cursr', hosts)).toThrow('the closest one is cursor');
  expect(findHosts('zed, codex', hosts).map(({ id }) => id)).toEqual(['zed', 'codex']);
});
