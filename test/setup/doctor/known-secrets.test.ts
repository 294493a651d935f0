/** Which values of notifications the report of `doctor` hides, and which files it checks. */
import { expect, test } from 'vitest';
import { listKeyFiles, listSecrets } from '../../../src/setup/doctor/known-secrets.ts';
import { testTerminal } from '../../support/command.ts';

const contextOf = (env: Record<string, string>, files: Record<string, string>) =>
  testTerminal({
    env: { HOME: '/nowhere', BROKER_CONFIG_DIR: '/config', ...env },
    readFile: (path) => files[path],
    hasFile: () => false,
    getFileMode: () => 0o600,
  });

test('the address of a webhook and the password of the mail server are secrets, in config.json too', () => {
  const settings = { notifyUrl: 'https://a.example/hook-1', notifyMailPassword: 'horse-battery' };
  const secrets = listSecrets({}, contextOf({}, { '/config/config.json': JSON.stringify(settings) }));
  expect(secrets).toEqual(['https://a.example/hook-1', 'horse-battery']);
});

test('so are those in files, which only their owner may read', () => {
  const env = { BROKER_NOTIFY_URL_FILE: '/url', BROKER_NOTIFY_MAIL_PASSWORD_FILE: '/password' };
  const context = contextOf(env, { '/url': 'https://a.example/hook-2\n', '/password': 'battery-staple\n' });
  expect(listSecrets({}, context)).toEqual(['https://a.example/hook-2', 'battery-staple']);
  expect(listKeyFiles({}, context)).toEqual(['/url', '/password']);
});

test('a password within an address is a secret of its own', () => {
  const context = contextOf({ BROKER_NOTIFY_URL: 'https://me:staple-correct@a.example/' }, {});
  expect(listSecrets({}, context)).toEqual(['https://me:staple-correct@a.example/', 'staple-correct']);
});
