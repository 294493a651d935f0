/** The Dockerfile as text: there is no container engine where the tests run. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readHttpSettings } from '../../src/core/settings/http-settings.ts';
import { settings } from '../../src/core/settings/setting-definitions.ts';

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** Continued lines are joined; comments are left out. */
const instructions: readonly Instruction[] = readFileSync('Dockerfile', 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));
const all = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest);
const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
const [image = ''] = all('FROM');
const variables = Object.fromEntries(
  [
    ...all('ENV')
      .join(' ')
      .matchAll(/(\w+)=(\S+)/g),
  ].map(([, k, v]) => [k, v]),
);

test('every stage uses one exact version of the image, with glibc', () => {
  expect(all('FROM').map((from) => from.replace(/ AS \w+$/, ''))).toEqual([
    image.split(' ')[0],
    image.split(' ')[0],
    image.split(' ')[0],
  ]);
  expect(image).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim /);
});

test('it does not run as root, and signals reach the program itself', () => {
  const last = instructions.findLastIndex(({ word }) => word === 'FROM');
  expect(instructions.slice(last).filter(({ word }) => word === 'USER')).toEqual([{ word: 'USER', rest: 'node' }]);
  expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual(['node', '/app/dist/brokerage-mcp.cjs']);
  expect(JSON.parse(all('CMD')[0] ?? '')).toEqual(['--http', '0.0.0.0:7070']);
});

test('no layer holds a secret: only names of places are set, and the build receives none', () => {
  const names = Object.values(settings).map(({ variable }) => variable as string);
  for (const name of Object.keys(variables)) expect(names).toContain(name);
  expect(Object.keys(variables).sort()).toEqual(['BROKER_CONFIG_DIR', 'BROKER_HTTP_TOKEN_FILE', 'BROKER_STATE_DIR']);
  expect(all('ARG')).toEqual([]);
});

test('the state is kept in a volume', () => {
  expect(all('VOLUME')).toEqual([variables.BROKER_STATE_DIR]);
});

test('its command reads the token from the named file, and its health check uses its own port', () => {
  const [, http = ''] = JSON.parse(all('CMD')[0] ?? '');
  const token = 't'.repeat(64);
  const read = readHttpSettings(
    { http },
    {
      argv: [],
      env: { HOME: '/nowhere', ...variables },
      platform: 'linux',
      readFile: (path) => (path === '/run/secrets/http-token' ? `${token}\n` : undefined),
      getFileMode: () => 0o600,
    },
  );
  expect(read).toMatchObject({ host: '0.0.0.0', port: 7070, token, hosts: [] });
  expect(all('EXPOSE')).toEqual(['7070']);
  expect(all('HEALTHCHECK')[0]).toContain('http://127.0.0.1:7070/health');
});

test('what .dockerignore does not name stays out, and what is copied is named', () => {
  expect(ignored[0]).toBe('*');
  const kept = ignored.slice(1).map((line) => line.replace(/^!/, ''));
  expect(ignored.slice(1)).toEqual(kept.map((name) => `!${name}`));
  for (const name of ['.git', 'dist', 'node_modules', 'test']) expect(kept).not.toContain(name);
  const copied = all('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));
  for (const name of copied.filter((one) => one !== '.')) expect(kept).toContain(name);
});
