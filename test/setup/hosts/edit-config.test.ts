/** Our entry in any file of any host: added, removed, and nothing else changed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSnippet, readEntry, withEntry, withoutEntry } from '../../../src/setup/hosts/edit-config.ts';
import type { Entry, HostDefinition } from '../../../src/setup/hosts/host.ts';
import { hosts } from '../../../src/setup/hosts/hosts.ts';
import { readJsonText, toValue } from '../../../src/setup/hosts/jsonc-parse.ts';
import { runs } from '../../support/runs.ts';
import { documents, entry, sandbox } from './documents.ts';

const hostOf = (id: string) => hosts.find((host) => host.id === id) as HostDefinition;
/** One for each shape; hosts of the same shape have the same text. */
const shapes = ['cursor', 'vscode', 'zed', 'copilot-cli', 'opencode'].map(hostOf);
/** The entry as the host's documents write it. */
const written = (host: HostDefinition, { command, args, env }: Entry) => ({
  ...host.extra,
  ...host.switches,
  ...(host.id === 'opencode'
    ? { command: [command, ...args], ...(env ? { environment: env } : {}) }
    : { command, args, ...(env ? { env } : {}) }),
});
const meaning = (text: string) => {
  const root = readJsonText(text);
  return root && (toValue(root) as Record<string, Record<string, unknown>>);
};

describe.each(shapes.map((host) => [host.name, host] as const))('%s', (_, host) => {
  const container = host.container;

  test('adding the entry keeps the meaning of the rest, and removing it restores the same bytes', () => {
    fc.assert(
      fc.property(documents(container), ({ text, value }) => {
        const put = withEntry(host, text, entry);
        const { [container]: servers = {}, ...others } = meaning(put.text) ?? {};
        const { brokerage, ...otherServers } = servers;
        const { [container]: serversBefore = {}, ...othersBefore } = value as Record<string, object>;
        expect(brokerage).toEqual(written(host, entry));
        expect(others).toEqual(othersBefore);
        expect(otherServers).toEqual(serversBefore);
        expect(withoutEntry(host, put.text, put.traces).text).toBe(text);
      }),
      { numRuns: runs(200) },
    );
  });

  test('adding it again changes nothing, and another choice changes only the entry', () => {
    fc.assert(
      fc.property(documents(container), ({ text }) => {
        const put = withEntry(host, text, entry);
        const again = withEntry(host, put.text, entry);
        expect(again.text).toBe(put.text);
        expect(again.traces).toBeUndefined();
        const changed = withEntry(host, put.text, sandbox);
        expect(readEntry(host, changed.text)).toEqual(written(host, sandbox));
        expect(withoutEntry(host, changed.text, put.traces).text).toBe(text);
      }),
      { numRuns: runs(80) },
    );
  });
});

test('comments and layout around the entry stay in place', () => {
  const text =
    '{\n\t// theme\n\t"theme": "dark", // at night\n\t"context_servers": {\n\t\t"other": {}, // mine\n\t},\n}\n';
  const put = withEntry(hostOf('zed'), text, sandbox);
  expect(put.text).toBe(
    '{\n\t// theme\n\t"theme": "dark", // at night\n\t"context_servers": {\n\t\t"other": {}, // mine\n' +
      '\t\t"brokerage": {\n\t\t\t"source": "custom",\n\t\t\t"command": "npx",\n' +
      '\t\t\t"args": ["-y", "brokerage-mcp", "--env", "sandbox"]\n\t\t},\n\t},\n}\n',
  );
});

test('a file in one line stays in one line', () => {
  const put = withEntry(hostOf('cursor'), '{"mcpServers":{"other":{"command":"x"}}}', sandbox);
  expect(put.text).toBe(
    '{"mcpServers":{"other":{"command":"x"}, "brokerage": { "command": "npx", "args": ["-y", "brokerage-mcp", "--env", "sandbox"] }}}',
  );
});

test('an existing empty object stays, and one that was added is removed', () => {
  const host = hostOf('cursor');
  for (const text of [
    '{}',
    '{\n}',
    '{ }\n',
    '{"mcpServers": {}}',
    '{"mcpServers": {\n}}',
    '',
    '\n',
    '{ /* mine */ }',
  ]) {
    const put = withEntry(host, text, sandbox);
    expect(withoutEntry(host, put.text, put.traces).text).toBe(text);
  }
  // Without the record only the entry is removed.
  expect(withoutEntry(host, withEntry(host, '{}', sandbox).text).text).toBe('{\n  "mcpServers": {}\n}');
});

test('an object that was added for our entry stays when it holds other servers', () => {
  const host = hostOf('cursor');
  const put = withEntry(host, '{}', sandbox);
  const more = put.text.replace('"mcpServers": {', '"mcpServers": {\n    "other": {},');
  expect(meaning(withoutEntry(host, more, put.traces).text)).toEqual({ mcpServers: { other: {} } });
});

test('settings that a host or a person added to the entry stay', () => {
  const existing = {
    command: 'node',
    args: ['/old'],
    disabled: true,
    env: { BROKER_MAX_ORDER_VALUE: '50', BROKER_API_KEY: 'plain', BROKER_DEMO_BASE_URL: 'https://old.example' },
  };
  const text = JSON.stringify({ mcpServers: { brokerage: existing } }, null, 2);
  expect(readEntry(hostOf('cursor'), withEntry(hostOf('cursor'), text, entry).text)).toEqual({
    ...entry,
    disabled: true,
    env: { ...entry.env, BROKER_MAX_ORDER_VALUE: '50' },
  });
});

test('what a person added to an entry of opencode stays, and its old account does not', () => {
  const host = hostOf('opencode');
  const existing = {
    type: 'local',
    command: ['node', '/old'],
    enabled: false,
    timeout: 30_000,
    environment: { BROKER_MAX_ORDER_VALUE: '50', BROKER_API_KEY: 'plain' },
  };
  const text = JSON.stringify({ mcp: { brokerage: existing } }, null, 2);
  expect(readEntry(host, withEntry(host, text, entry).text)).toEqual({
    type: 'local',
    command: ['npx', '-y', 'brokerage-mcp', '--env', 'demo'],
    enabled: false,
    timeout: 30_000,
    environment: { ...entry.env, BROKER_MAX_ORDER_VALUE: '50' },
  });
});

test('an entry of opencode for a server elsewhere is replaced', () => {
  const host = hostOf('opencode');
  const text = JSON.stringify({ mcp: { brokerage: { type: 'remote', url: 'https://old.example/mcp' } } });
  expect(readEntry(host, withEntry(host, text, sandbox).text)).toEqual(written(host, sandbox));
});

test('trading that was enabled for another environment does not become live trading', () => {
  const host = hostOf('cursor');
  const live: Entry = {
    command: 'npx',
    args: ['-y', 'brokerage-mcp', '--env', 'live'],
    env: { BROKER_API_KEY_FILE: '/k' },
  };
  const on = (env: string) =>
    JSON.stringify({
      mcpServers: { brokerage: { command: 'npx', args: ['--env', env], env: { BROKER_LIVE_TRADING: 'true' } } },
    });
  expect(readEntry(host, withEntry(host, on('demo'), live).text)).toEqual(live);
  expect(readEntry(host, withEntry(host, on('live'), live).text)).toEqual({
    ...live,
    env: { ...live.env, BROKER_LIVE_TRADING: 'true' },
  });
});

test.each([
  ['[]', /no.*object|something else where it should be an object/],
  ['"text"', /something else where it should be an object/],
  ['{"mcpServers": []}', /something else where "mcpServers" should be an object/],
  ['{"mcpServers": {}, "mcpServers": {}}', /has "mcpServers" twice/],
  ['{"mcpServers": {"brokerage": {}, "brokerage": {}}}', /has "brokerage" twice/],
  ['{"mcpServers": {', /unexpected end/],
])('%s is not edited', (text, why) => {
  expect(() => withEntry(hostOf('cursor'), text, entry)).toThrow(why);
  expect(() => withoutEntry(hostOf('cursor'), text)).toThrow(why);
});

test('an entry that is not an object is replaced', () => {
  const put = withEntry(hostOf('cursor'), '{"mcpServers": {"brokerage": "x", "b": 1}}', sandbox);
  expect(meaning(put.text)).toEqual({ mcpServers: { brokerage: sandbox, b: 1 } });
});

test.each(hosts.map((host) => [host.name, host] as const))('what %s is shown is what an empty file gets', (_, host) => {
  expect(readEntry(host, formatSnippet(host, entry))).toEqual(written(host, entry));
  expect(withEntry(host, '', entry).text.trim()).toBe(formatSnippet(host, entry));
});
