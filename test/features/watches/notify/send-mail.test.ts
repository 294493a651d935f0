/** Mail by a real SMTP server on loopback: what it receives, and the code of each failure. */
// @module-tag server
import { beforeAll, describe, expect, test } from 'vitest';
import type { NotifyMail } from '../../../../src/core/settings/notify-settings.ts';
import type { Message } from '../../../../src/features/watches/notify/channel.ts';
import { createMailChannel, type MailReach } from '../../../../src/features/watches/notify/send-mail.ts';
import { type Certificate, makeCertificate } from '../../../support/certificate.ts';
import { type SmtpBehaviour, startSmtpReceiver } from '../../../support/smtp-receiver.ts';
import { failureOf } from './failure-of.ts';

let own: Certificate;
let other: Certificate;
beforeAll(() => {
  own = makeCertificate('DNS:localhost', 'IP:127.0.0.1');
  other = makeCertificate('DNS:other.example');
});

const message: Message = { title: 'Order filled', text: 'A buy order was filled.', urgency: 'normal' };
const login = { user: 'me', password: 'correct horse' };
const never = new AbortController().signal;

const mailTo = (port: number, changes: Partial<NotifyMail> = {}): NotifyMail => ({
  server: '127.0.0.1',
  port,
  encryption: 'none',
  login: undefined,
  from: 'broker@example.com',
  to: ['me@example.com'],
  ...changes,
});

async function failAt(behaviour: SmtpBehaviour, changes: Partial<NotifyMail> = {}, reach: MailReach = {}) {
  const receiver = await startSmtpReceiver(behaviour);
  const channel = createMailChannel(mailTo(receiver.port, changes), { timeoutMs: 5_000, ...reach });
  const { code, mayHaveArrived, status } = await failureOf(channel.send(message, never));
  return { failure: [code, mayHaveArrived, status], receiver };
}

const headersOf = (data: string) => data.slice(0, data.indexOf('\r\n\r\n')).split('\r\n');
const bodyOf = (data: string) => data.slice(data.indexOf('\r\n\r\n') + 4);

describe('a mail', () => {
  test('goes from the sender to all recipients, as plain text, and names neither machine nor program', async () => {
    const { port, received, commands } = await startSmtpReceiver();
    const to = ['me@example.com', 'you@example.org'];
    await createMailChannel(mailTo(port, { to })).send(message, never);
    expect(received).toMatchObject([{ from: 'broker@example.com', to, isEncrypted: false, login: undefined }]);
    const headers = headersOf(received[0]?.data ?? '').filter((line) => !/^(Date|Message-ID):/.test(line));
    expect(headers.toSorted()).toEqual([
      'Auto-Submitted: auto-generated',
      'Content-Transfer-Encoding: 7bit',
      'Content-Type: text/plain; charset=utf-8',
      'From: broker@example.com',
      'MIME-Version: 1.0',
      'Subject: Order filled',
      'To: me@example.com, you@example.org',
    ]);
    expect(bodyOf(received[0]?.data ?? '').trimEnd()).toBe('A buy order was filled.');
    expect(commands[0]).toBe('EHLO [127.0.0.1]');
  });

  test('keeps letters of every script and lines that begin with a dot', async () => {
    const { port, received } = await startSmtpReceiver();
    await createMailChannel(mailTo(port)).send({ ...message, title: 'Größe £5', text: '.\n.quit\n“Größe”' }, never);
    const data = received[0]?.data ?? '';
    expect(headersOf(data).find((line) => line.startsWith('Subject'))).toMatch(
      /^Subject: =\?UTF-8\?[QB]\?[\w=+/?]+\?=$/,
    );
    const plain = bodyOf(data)
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    expect(Buffer.from(plain, 'latin1').toString('utf8').trimEnd()).toBe('.\r\n.quit\r\n“Größe”');
  });

  test.each(['tls', 'starttls'] as const)('with %s is encrypted before the login', async (mode) => {
    const { port, received, commands } = await startSmtpReceiver({ tls: { ...own, mode }, asksLogin: true });
    await createMailChannel(mailTo(port, { encryption: mode, login }), { ca: own.cert }).send(message, never);
    expect(received).toMatchObject([{ isEncrypted: true, login: 'me:correct horse' }]);
    expect(commands.findIndex((line) => line.startsWith('AUTH'))).toBeGreaterThan(commands.indexOf('STARTTLS'));
  });

  test('a recipient that is refused does not keep the mail from the others', async () => {
    const respond: SmtpBehaviour['respond'] = (_, line) => (line.includes('you@') ? '550 unknown' : undefined);
    const { port, received } = await startSmtpReceiver({ respond });
    await createMailChannel(mailTo(port, { to: ['me@example.com', 'you@example.org'] })).send(message, never);
    expect(received.map(({ to }) => to)).toEqual([['me@example.com']]);
  });
});

describe('a failure has a code', () => {
  const at = (verb: string, line: string): SmtpBehaviour => ({ respond: (said) => (said === verb ? line : undefined) });

  test.each<[string, SmtpBehaviour, readonly unknown[]]>([
    ['a greeting that refuses', at('GREETING', '554 no'), ['refused', false, 554]],
    ['a server that ends', at('GREETING', '421 later'), ['unavailable', false, 421]],
    ['a sender that is refused', at('MAIL', '550 no'), ['refused', false, 550]],
    ['a recipient that is unknown', at('RCPT', '550 no'), ['refused', false, 550]],
    ['greylisting', at('RCPT', '450 later'), ['unavailable', false, 450]],
    ['a full disk', at('DATA', '452 full'), ['unavailable', false, 452]],
    ['a content that is refused', at('END', '554 spam'), ['refused', false, 554]],
    ['a temporary refusal of the content', at('END', '451 later'), ['unavailable', false, 451]],
    ['a greeting that is no SMTP', at('GREETING', 'HTTP/1.1 200 OK'), ['broken_response', true, undefined]],
  ])('%s', async (_, behaviour, failure) => {
    const { failure: found, receiver } = await failAt(behaviour);
    expect([found, receiver.received]).toEqual([failure, []]);
  });

  test.each<[string, string, readonly unknown[]]>([
    ['a wrong password', '535 no', ['unauthorized', false, 535]],
    ['a login that cannot be checked now', '454 later', ['unavailable', false, 454]],
  ])('%s', async (_, line, failure) => {
    const found = await failAt({ asksLogin: true, ...at('AUTH', line) }, { login });
    expect(found.failure).toEqual(failure);
  });

  test('a server without a listener', async () => {
    const { port } = await startSmtpReceiver();
    const closed = mailTo(port === 1 ? 2 : 1);
    expect(await failureOf(createMailChannel(closed).send(message, never))).toMatchObject({
      code: 'unreachable',
      mayHaveArrived: false,
    });
  });

  test('a connection that the server breaks', async () => {
    const respond: SmtpBehaviour['respond'] = (verb, _line, socket) => {
      if (verb === 'DATA') socket.destroy();
      return undefined;
    };
    expect((await failAt({ respond })).failure).toEqual(['broken_response', true, undefined]);
  });

  test.each(['GREETING', 'EHLO', 'MAIL', 'END'])('no response to %s in time', async (verb) => {
    expect((await failAt(at(verb, ''), {}, { timeoutMs: 300 })).failure).toEqual(['timeout', true, undefined]);
  });

  test('a response without an end', async () => {
    const respond: SmtpBehaviour['respond'] = (verb, _line, socket) => {
      if (verb === 'GREETING') socket.write('2'.repeat(200_000));
      return verb === 'GREETING' ? '' : undefined;
    };
    expect((await failAt({ respond })).failure).toEqual(['broken_response', true, undefined]);
  });

  test('an end of the process while the server responds to nothing', async () => {
    const { port } = await startSmtpReceiver(at('MAIL', ''));
    const ending = new AbortController();
    const sending = failureOf(createMailChannel(mailTo(port)).send(message, ending.signal));
    setTimeout(() => ending.abort(), 200);
    expect(await sending).toMatchObject({ code: 'cancelled', mayHaveArrived: true });
  });
});

describe('encryption', () => {
  test('a server that does not offer STARTTLS receives neither login nor mail', async () => {
    const { failure, receiver } = await failAt({ asksLogin: true }, { encryption: 'starttls', login });
    expect(failure.slice(0, 2)).toEqual(['unsafe_connection', false]);
    expect(receiver.commands.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });

  test.each(['tls', 'starttls'] as const)(
    'with %s a certificate that is not trusted ends the delivery',
    async (mode) => {
      const { failure, receiver } = await failAt(
        { tls: { ...own, mode }, asksLogin: true },
        { encryption: mode, login },
      );
      expect([failure, receiver.received]).toEqual([['unsafe_connection', false, undefined], []]);
      expect(receiver.commands.filter((line) => line.startsWith('AUTH'))).toEqual([]);
    },
  );

  test('a certificate of another name ends the delivery', async () => {
    const { failure } = await failAt({ tls: { ...other, mode: 'tls' } }, { encryption: 'tls' }, { ca: other.cert });
    expect(failure).toEqual(['unsafe_connection', false, undefined]);
  });

  test('a response that was sent before the encryption is not read after it', async () => {
    const tls = { ...own, mode: 'starttls' } as const;
    const respond: SmtpBehaviour['respond'] = (verb) =>
      verb === 'STARTTLS' ? '220 go\r\n250-localhost\r\n250 AUTH XOAUTH2' : undefined;
    const { port, received, commands } = await startSmtpReceiver({ tls, asksLogin: true, respond });
    await createMailChannel(mailTo(port, { encryption: 'starttls', login }), { ca: own.cert }).send(message, never);
    expect(received).toMatchObject([{ isEncrypted: true, login: 'me:correct horse' }]);
    expect(commands.filter((line) => line.startsWith('EHLO'))).toHaveLength(2);
  });
});
