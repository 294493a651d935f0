/** server.json against the requirements of the registry's schema of 2025-12-11, written down from its text. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { settings } from '../../src/core/settings/setting-definitions.ts';

const document = JSON.parse(readFileSync('server.json', 'utf8'));
const [npm] = document.packages;

test('it names its schema, and has the fields of a server', () => {
  expect(document.$schema).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  expect(Object.keys(document).sort()).toEqual(['$schema', 'description', 'name', 'packages', 'title', 'version']);
  for (const [field, most] of Object.entries({ title: 100, description: 100, version: 255, name: 200 })) {
    expect(document[field].length).toBeGreaterThan(0);
    expect(document[field].length).toBeLessThanOrEqual(most);
  }
});

test('its name is the one that the npm package claims, in reverse DNS with one slash', () => {
  expect(document.name).toBe(packageFile.mcpName);
  expect(document.name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+\/[a-zA-Z0-9._-]+$/);
});

test('the npm package has this exact version, and uses standard input and output', () => {
  expect(document.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(npm).toMatchObject({
    registryType: 'npm',
    identifier: packageFile.name,
    version: packageFile.version,
    transport: { type: 'stdio' },
  });
  expect([document.version, document.packages.length]).toEqual([packageFile.version, 1]);
});

test('every variable except those of HTTP is listed once, in the terms of the schema', () => {
  const names = npm.environmentVariables.map(({ name }: { name: string }) => name);
  const expected = Object.values(settings).map(({ variable }) => variable as string);
  expect(names).toEqual(expected.filter((name) => !name.startsWith('BROKER_HTTP')));
  const fields = ['name', 'description', 'format', 'choices', 'isSecret'];
  for (const variable of npm.environmentVariables) {
    expect(fields).toEqual(expect.arrayContaining(Object.keys(variable)));
    expect(['string', 'number', 'boolean', 'filepath']).toContain(variable.format);
    expect(variable.description).toMatch(/^[^`]+$/);
  }
});

test('the key, its secret, passwords and the addresses that may contain one are secrets, and nothing else is', () => {
  const secret = npm.environmentVariables.filter(({ isSecret }: { isSecret?: boolean }) => isSecret);
  expect(secret.map(({ name }: { name: string }) => name)).toEqual([
    'BROKER_API_KEY',
    'BROKER_API_SECRET',
    'BROKER_STATE_URL',
    'BROKER_NOTIFY_URL',
    'BROKER_NOTIFY_MAIL_PASSWORD',
  ]);
});

test('variables with fixed values list their choices', () => {
  const choicesOf = (wanted: string) =>
    npm.environmentVariables.find(({ name }: { name: string }) => name === wanted).choices;
  expect(choicesOf('BROKER_ENV')).toEqual(['sandbox', 'demo', 'live']);
  expect(choicesOf('BROKER_APPROVAL')).toEqual(['page', 'terminal', 'elicitation', 'none']);
  expect(choicesOf('BROKER_NOTIFY_STYLE')).toEqual(['ntfy', 'slack', 'json']);
  expect(choicesOf('BROKER_NOTIFY_MAIL_TLS')).toEqual(['tls', 'starttls', 'none']);
  expect(choicesOf('BROKER_NOTIFY_DETAIL')).toEqual(['short', 'full']);
  expect(choicesOf('BROKER_READ_ONLY')).toEqual(['true', 'false']);
});
