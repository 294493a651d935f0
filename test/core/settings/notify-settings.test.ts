/** Where notifications go: what is accepted, and the one line for everything else. */
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/core/settings/config.ts';

const read = (env: Record<string, string>, files: Record<string, string> = {}) =>
  readConfig(
    {},
    {
      argv: [],
      env: { HOME: '/nowhere', BROKER_CONFIG_DIR: '/config', ...env },
      platform: 'linux',
      readFile: (path) => files[path],
      hasFile: () => false,
      getFileMode: () => 0o600,
    },
  ).notify;

function lineOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

const inFile = (settings: object) => ({ '/config/config.json': JSON.stringify(settings) });

test('without a setting nothing is sent, and a notification would be short', () => {
  expect(read({})).toEqual({ detail: 'short' });
});

describe('the program', () => {
  test.each([
    ['a JSON list', '["notify-send","--app-name=broker ; rm -rf /"]', ['notify-send', '--app-name=broker ; rm -rf /']],
    ['a line', 'notify-send  -u low', ['notify-send', '-u', 'low']],
  ])('%s in the variable is a command and its arguments', (_, text, command) => {
    expect(read({ BROKER_NOTIFY_COMMAND: text }).command).toEqual(command);
  });

  test('a list in config.json keeps each of its texts, also with commas and quotes', () => {
    const command = ['say it', 'a,b', '"c"'];
    expect(read({}, inFile({ notifyCommand: command })).command).toEqual(command);
  });

  test.each([
    ['a pipe', 'cat | mail', 'is not run by a shell'],
    ['a list of something else', '[1]', 'is not a list of strings'],
    ['an empty list', '[]', 'BROKER_NOTIFY_COMMAND is empty'],
  ])('%s is refused', (_, text, line) => {
    expect(() => read({ BROKER_NOTIFY_COMMAND: text })).toThrow(line);
  });
});

describe('the address', () => {
  test.each([
    ['https://a.example/hook?x=1', {}, { address: 'https://a.example/hook?x=1', style: 'json' }],
    [
      'https://me:pass@a.example/topic',
      { STYLE: 'ntfy' },
      { address: 'https://me:pass@a.example/topic', style: 'ntfy' },
    ],
    ['http://127.0.0.1:8080/', { STYLE: 'slack' }, { address: 'http://127.0.0.1:8080/', style: 'slack' }],
    ['http://[::1]:8080/t', { STYLE: 'ntfy' }, { address: 'http://[::1]:8080/t', style: 'ntfy' }],
  ])('%s is accepted', (address, { STYLE }: { STYLE?: string }, url) => {
    expect(read({ BROKER_NOTIFY_URL: address, ...(STYLE && { BROKER_NOTIFY_STYLE: STYLE }) }).url).toEqual(url);
  });

  const notAccepted =
    'BROKER_NOTIFY_URL is not an address for notifications; it must start with https:// (http:// is allowed for this machine only) and have no fragment.';
  test.each([
    'http://a.example/secret',
    'http://10.0.0.1/secret',
    'http://localhost.a.example/secret',
    'ftp://a.example/secret',
    'secret',
    'https://a.example/secret#x',
    'https://a.example/se\ncret',
    'https://a.example/se cret',
  ])('%j is refused in one line that does not repeat it', (address) => {
    expect(lineOf(() => read({ BROKER_NOTIFY_URL: address }))).toBe(notAccepted);
  });

  test('an address of more than 2,000 characters is refused', () => {
    expect(lineOf(() => read({ BROKER_NOTIFY_URL: `https://a.example/${'a'.repeat(2_000)}` }))).toBe(notAccepted);
  });

  test.each(['https://a.example/', 'https://a.example/a/b', 'https://a.example/a%2Fb', 'https://a.example/t/'])(
    '%s has no topic for ntfy',
    (address) => {
      expect(() => read({ BROKER_NOTIFY_URL: address, BROKER_NOTIFY_STYLE: 'ntfy' })).toThrow(
        'BROKER_NOTIFY_URL has no topic',
      );
    },
  );

  test('an unknown style names the nearest one, and a style alone has no effect', () => {
    expect(() => read({ BROKER_NOTIFY_URL: 'https://a.example', BROKER_NOTIFY_STYLE: 'slak' })).toThrow(/slack/);
    expect(() => read({ BROKER_NOTIFY_STYLE: 'slack' })).toThrow(
      'BROKER_NOTIFY_STYLE is set without BROKER_NOTIFY_URL',
    );
  });

  test('a file has it, and a variable that names a file wins over an address in config.json', () => {
    const files = { ...inFile({ notifyUrl: 'https://old.example/' }), '/url': 'https://new.example/\n' };
    expect(read({ BROKER_NOTIFY_URL_FILE: '/url' }, files).url?.address).toBe('https://new.example/');
    expect(read({}, files).url?.address).toBe('https://old.example/');
  });
});

const mail = {
  BROKER_NOTIFY_MAIL_SERVER: 'smtp.example.com',
  BROKER_NOTIFY_MAIL_FROM: 'broker@example.com',
  BROKER_NOTIFY_MAIL_TO: 'me@example.com, you+x@example.org',
};

describe('mail', () => {
  test('a server, a sender and recipients are enough: TLS from the start', () => {
    expect(read(mail).mail).toEqual({
      server: 'smtp.example.com',
      port: 465,
      encryption: 'tls',
      login: undefined,
      from: 'broker@example.com',
      to: ['me@example.com', 'you+x@example.org'],
    });
  });

  test.each([
    [{ PORT: '465' }, [465, 'tls']],
    [{ PORT: '2525' }, [2525, 'starttls']],
    [{ TLS: 'starttls' }, [587, 'starttls']],
    [{ PORT: '2465', TLS: 'tls' }, [2465, 'tls']],
    [{ TLS: 'none', SERVER: 'localhost' }, [25, 'none']],
    [{ TLS: 'none', SERVER: '[::1]', PORT: '1025' }, [1025, 'none']],
  ])('%j has the port and the encryption %j', (parts, expected) => {
    const changes = Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [`BROKER_NOTIFY_MAIL_${name}`, text]),
    );
    const found = read({ ...mail, ...changes }).mail;
    expect([found?.port, found?.encryption]).toEqual(expected);
  });

  test('a login has a user and a password, also from a file', () => {
    const login = { ...mail, BROKER_NOTIFY_MAIL_USER: 'me', BROKER_NOTIFY_MAIL_PASSWORD_FILE: '/password' };
    expect(read(login, { '/password': 'correct horse\n' }).mail?.login).toEqual({
      user: 'me',
      password: 'correct horse',
    });
  });

  test.each([
    ['no sender', { BROKER_NOTIFY_MAIL_FROM: '' }, 'is set without BROKER_NOTIFY_MAIL_FROM'],
    ['no recipient', { BROKER_NOTIFY_MAIL_TO: '' }, 'is set without BROKER_NOTIFY_MAIL_TO'],
    ['no server', { BROKER_NOTIFY_MAIL_SERVER: '' }, 'is set without BROKER_NOTIFY_MAIL_SERVER'],
    ['no encryption to another machine', { BROKER_NOTIFY_MAIL_TLS: 'none' }, 'needs tls or starttls'],
    ['no password', { BROKER_NOTIFY_MAIL_USER: 'me' }, 'is set without a password'],
    ['no user', { BROKER_NOTIFY_MAIL_PASSWORD: 'p' }, 'is set without BROKER_NOTIFY_MAIL_USER'],
    ['a port that is none', { BROKER_NOTIFY_MAIL_PORT: '0' }, 'must be a port of 1 to 65535'],
    ['a server with a path', { BROKER_NOTIFY_MAIL_SERVER: 'smtp.example.com/x' }, 'is not the name of a server'],
    ['a name before the sender', { BROKER_NOTIFY_MAIL_FROM: 'B <b@example.com>' }, 'is not an address of mail'],
    ['a line end in the sender', { BROKER_NOTIFY_MAIL_FROM: 'b@example.com\r\nBcc: x@y.example' }, 'is not an address'],
    ['a bracket in a recipient', { BROKER_NOTIFY_MAIL_TO: 'a@b.example>' }, 'is not an address of mail'],
    ['six recipients', { BROKER_NOTIFY_MAIL_TO: Array(6).fill('a@b.example').join() }, 'has more than 5 addresses'],
    [
      'a line end in the user',
      { BROKER_NOTIFY_MAIL_USER: 'a\nb', BROKER_NOTIFY_MAIL_PASSWORD: 'p' },
      'cannot be typed',
    ],
  ])('%s is refused', (_, changes, line) => {
    expect(() => read({ ...mail, ...(changes as unknown as Record<string, string>) })).toThrow(line);
  });

  test('a password with a line end is refused, and not repeated', () => {
    const login = { ...mail, BROKER_NOTIFY_MAIL_USER: 'me', BROKER_NOTIFY_MAIL_PASSWORD: 'hidden\rhidden' };
    expect(lineOf(() => read(login))).toBe(
      'BROKER_NOTIFY_MAIL_PASSWORD has a character that cannot be typed; write it on one line, without tabs.',
    );
  });
});

describe('when and how much', () => {
  test('quiet hours can pass midnight, and the digest has a time', () => {
    const found = read({
      BROKER_QUIET_HOURS: '22:00 - 07:00',
      BROKER_DIGEST_AT: '08:00',
      BROKER_NOTIFY_DETAIL: 'full',
    });
    expect(found).toEqual({ detail: 'full', quietHours: { from: '22:00', until: '07:00' }, digestAt: '08:00' });
  });

  test.each([
    ['QUIET_HOURS', '22:00', 'write two times, such as 22:00-07:00.'],
    ['QUIET_HOURS', '22:00-07:00-08:00', 'write two times'],
    ['QUIET_HOURS', '24:00-07:00', 'has the time "24:00"'],
    ['QUIET_HOURS', '07:00-07:00', 'begins and ends at 07:00'],
    ['DIGEST_AT', '8:00', 'write hours and minutes, such as 08:00 or 22:30.'],
    ['DIGEST_AT', '08:60', 'has the time "08:60"'],
    ['NOTIFY_DETAIL', 'ful', 'full'],
  ])('%s "%s" is refused', (name, text, line) => {
    expect(() => read({ [`BROKER_${name}`]: text })).toThrow(line);
  });
});
