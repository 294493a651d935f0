/** The manifest of the MCPB bundle: what version 0.3 of the format accepts, and what a host makes of it. */
// @module-tag process
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildManifest } from '../../scripts/mcpb-manifest.ts';
import { buildToolListing } from '../../src/app/build-tool-listing.ts';
import { connectStdio } from '../../src/cli/stdio-client.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { prompts } from '../../src/features/guides/prompts.ts';

const manifest = buildManifest('docs/icon.png');
const { env, args, command } = manifest.server.mcp_config;
const fields = Object.entries(manifest.user_config);

test('it has version 0.3, for every platform, and starts its entry with node', () => {
  expect(manifest).toMatchObject({
    manifest_version: '0.3',
    server: { type: 'node', entry_point: 'dist/brokerage-mcp.cjs' },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.18.1' } },
  });
  expect([command, ...args]).toEqual(['node', `\${__dirname}/dist/brokerage-mcp.cjs`]);
});

test('every field of its form is passed on, and nothing else is', () => {
  expect(Object.values(env).sort()).toEqual(fields.map(([name]) => `\${user_config.${name}}`).sort());
  expect(env).toMatchObject({
    BROKER_ENV: `\${user_config.environment}`,
    BROKER_API_KEY: `\${user_config.api_key}`,
    BROKER_API_SECRET: `\${user_config.api_secret}`,
    BROKER_READ_ONLY: `\${user_config.read_only}`,
  });
  expect(fields.filter(([, field]) => field.required)).toEqual([]);
});

test('the key and its secret are stored as secrets, and no text has a default', () => {
  expect(fields.filter(([, field]) => field.sensitive).map(([name]) => name)).toEqual(['api_key', 'api_secret']);
  expect(fields.filter(([, field]) => field.default !== undefined).map(([name]) => name)).toEqual(['read_only']);
});

test('it lists every tool and every prompt, and prompts name only arguments in their text', () => {
  expect(manifest.tools).toEqual(buildToolListing().map(({ name, description }) => ({ name, description })));
  expect(manifest.prompts.map(({ name }) => name)).toEqual(prompts.map(({ name }) => name));
  for (const prompt of manifest.prompts) {
    const inText = [...prompt.text.matchAll(/\$\{arguments\.(\w+)\}/g)].map(([, name]) => name);
    expect([...new Set(inText)].sort()).toEqual([...prompt.arguments].sort());
    expect(prompt.text).not.toContain('undefined');
  }
});

/** The form filled in by a host; a field left empty is passed on as `unset` says. */
async function start(form: Readonly<Record<string, string>>, unset: (placeholder: string) => string) {
  const home = await mkdtemp(join(tmpdir(), 'brokerage-mcp-mcpb-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const given = Object.entries(env).map(([name, placeholder]) => [name, form[name] ?? unset(placeholder)]);
  const client = await connectStdio(process.execPath, ['dist/brokerage-mcp.cjs'], {
    PATH: process.env.PATH,
    HOME: home,
    ...Object.fromEntries(given),
  });
  onTestFinished(() => client.close());
  return client;
}

async function expectSandbox(unset: (placeholder: string) => string): Promise<void> {
  const client = await start({ BROKER_READ_ONLY: 'false' }, unset);
  const { body } = await client.call('get_account_summary', {});
  expect(body).toMatchObject({ env: 'sandbox', simulated: true });
  expect(await client.listTools()).toHaveLength(manifest.tools.length);
}

test('an empty form starts the sandbox with hosts that pass on the placeholder itself', { tags: ['slow'] }, () =>
  expectSandbox((placeholder) => placeholder),
);

test('so it does with hosts that pass on nothing', { tags: ['slow'] }, () => expectSandbox(() => ''));

test('keys without an environment still stop the start', { tags: ['slow'] }, async () => {
  const form = { BROKER_API_KEY: 'key', BROKER_API_SECRET: 'secret' };
  await expect(start(form, (placeholder) => placeholder)).rejects.toThrow(/no environment is/);
});

test('an empty folder field means the default folder, and none is named after its placeholder', () => {
  const env = {
    HOME: '/home/you',
    BROKER_STATE_DIR: `\${user_config.state_dir}`,
    BROKER_CONFIG_DIR: `\${user_config.x}`,
  };
  const looked: string[] = [];
  const readFile = (path: string) => void looked.push(path);
  const { stateDir } = readConfig({}, { argv: [], env, platform: 'linux', readFile, getFileMode: () => undefined });
  expect(stateDir).toBe('/home/you/.local/state/brokerage-mcp');
  expect(looked).toEqual(['/home/you/.config/brokerage-mcp/config.json']);
});

test('any other unfilled placeholder is an error, not an empty field', { tags: ['slow'] }, async () => {
  await expect(start({ BROKER_ENV: `\${input:env}` }, () => '')).rejects.toThrow(/sandbox, demo and live/);
});
