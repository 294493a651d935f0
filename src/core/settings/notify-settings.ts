/**
 * Where notifications go, how much they say, and when. An address or a password can be a secret, so no message repeats
 * one.
 */

import { isEncryptedOrLoopback, isLoopbackHost } from '../broker/service-url.ts';
import { UsageError } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';
import { didYouMean } from '../text/suggestions.ts';
import type { RuntimeEnvironment, Value, Values } from './runtime-environment.ts';
import { type CommandLine, parseCommand, readSecretFile } from './secrets.ts';
import type { SettingName } from './setting-definitions.ts';

/** What a URL receives: the publishing format of ntfy, that of Slack's incoming webhooks, or plain JSON. */
export const notifyStyles = ['ntfy', 'slack', 'json'] as const;
/** How much a notification says; `short` has no amount, ticker or name. */
export const notifyDetails = ['short', 'full'] as const;
/** TLS from the first byte, TLS after STARTTLS, or none, which only a server on this machine can have. */
export const mailEncryptions = ['tls', 'starttls', 'none'] as const;

export type NotifyDetail = (typeof notifyDetails)[number];

export interface NotifyUrl {
  /** May contain a user name and a password, or be a secret itself. */
  readonly address: string;
  readonly style: (typeof notifyStyles)[number];
}

export interface NotifyMail {
  /** A name or an address; an IPv6 address without brackets. */
  readonly server: string;
  readonly port: number;
  readonly encryption: (typeof mailEncryptions)[number];
  /** Undefined: the server asks for no login. */
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** Plain addresses without names. */
  readonly from: string;
  readonly to: readonly string[];
}

export interface NotifySettings {
  readonly command?: CommandLine | undefined;
  readonly url?: NotifyUrl | undefined;
  readonly mail?: NotifyMail | undefined;
  readonly detail: NotifyDetail;
  /** Times of day, `HH:MM` in the tax zone. `until` is exclusive, and may be of the next day. */
  readonly quietHours?: { readonly from: string; readonly until: string } | undefined;
  /** The time of day of the digest, `HH:MM` in the tax zone. Undefined: there is none. */
  readonly digestAt?: string | undefined;
}

/** Nothing is sent anywhere. */
export const noNotifications: NotifySettings = { detail: 'short' };

/** Throws a UsageError of one line for an invalid or incomplete setting. */
export function readNotifySettings(values: Values, outside: RuntimeEnvironment): NotifySettings {
  const { notifyCommand, quietHours, digestAt } = values;
  return {
    command: notifyCommand && parseCommand(notifyCommand.text, notifyCommand.from),
    url: readUrl(values, outside),
    mail: readMail(values, outside),
    detail: readChoice(values.notifyDetail, notifyDetails) ?? 'short',
    quietHours: quietHours && readQuietHours(quietHours),
    digestAt: digestAt && readTime(digestAt, digestAt.text),
  };
}

function readChoice<Choice extends string>(value: Value | undefined, choices: readonly Choice[]): Choice | undefined {
  if (!value) return undefined;
  const found = choices.find((choice) => choice === value.text);
  if (found) return found;
  throw new UsageError(`${value.from} is "${value.text}"`, { next: `${didYouMean(value.text, choices)}.` });
}

function readTime({ from }: Value, text: string): string {
  const time = text.trim();
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return time;
  throw new UsageError(`${from} has the time "${time}"`, { next: 'write hours and minutes, such as 08:00 or 22:30.' });
}

function readQuietHours(value: Value): NotifySettings['quietHours'] {
  const [from, until, ...more] = value.text.split('-');
  if (from === undefined || until === undefined || more.length > 0)
    throw new UsageError(`${value.from} is "${value.text}"`, { next: 'write two times, such as 22:00-07:00.' });
  const hours = { from: readTime(value, from), until: readTime(value, until) };
  if (hours.from === hours.until)
    throw new UsageError(`${value.from} begins and ends at ${hours.from}`, { next: 'write two different times.' });
  return hours;
}

/** A secret, and the setting that it is from. */
interface Found {
  readonly text: string;
  readonly source: Value;
}

/** The value wins over its file, but a variable that names the file wins over a value in config.json. */
function findSecret(value: Value | undefined, file: Value | undefined, outside: RuntimeEnvironment): Found | undefined {
  const isFileStronger = value?.isFromFile === true && file !== undefined && !file.isFromFile;
  if (value && !isFileStronger) return { text: value.text.trim(), source: value };
  const text = readSecretFile(file, outside);
  return file && text !== undefined ? { text, source: file } : undefined;
}

const maxUrlLength = 2_000;

function readUrl(values: Values, outside: RuntimeEnvironment): NotifyUrl | undefined {
  const found = findSecret(values.notifyUrl, values.notifyUrlFile, outside);
  if (!found) {
    requireNone(values, ['notifyStyle'], 'BROKER_NOTIFY_URL');
    return undefined;
  }
  const { text: address, source } = found;
  // The URL class drops line ends and tabs within an address.
  const url = address.length <= maxUrlLength && /^[!-~]+$/.test(address) ? parseUrl(address) : undefined;
  if (!url || !isEncryptedOrLoopback(url) || url.hash !== '')
    throw new UsageError(`${source.from} is not an address for notifications`, {
      next: 'it must start with https:// (http:// is allowed for this machine only) and have no fragment.',
    });
  const style = readChoice(values.notifyStyle, notifyStyles) ?? 'json';
  if (style === 'ntfy' && !/^\/[\w-]{1,64}$/.test(url.pathname))
    throw new UsageError(`${source.from} has no topic`, {
      next: 'for ntfy it must be the server and one topic, such as https://ntfy.example.com/my-topic.',
    });
  return { address: url.href, style };
}

const mailParts = [
  'notifyMailPort',
  'notifyMailTls',
  'notifyMailUser',
  'notifyMailPassword',
  'notifyMailPasswordFile',
  'notifyMailFrom',
  'notifyMailTo',
] as const;

function readMail(values: Values, outside: RuntimeEnvironment): NotifyMail | undefined {
  const { notifyMailServer: server } = values;
  if (!server) {
    requireNone(values, mailParts, 'BROKER_NOTIFY_MAIL_SERVER');
    return undefined;
  }
  const host = server.text.trim().replace(/^\[(.*)\]$/, '$1');
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$|^[0-9A-Fa-f:.]{2,45}$/.test(host))
    throw new UsageError(`${server.from} is not the name of a server`, {
      next: 'write its name alone, such as smtp.example.com.',
    });
  const encryption = readEncryption(values, host);
  return {
    server: host,
    encryption,
    port: readPort(values.notifyMailPort) ?? defaultPorts[encryption],
    login: readLogin(values, outside),
    from: readAddress(requireWith(values.notifyMailFrom, 'BROKER_NOTIFY_MAIL_FROM', server)),
    to: readRecipients(requireWith(values.notifyMailTo, 'BROKER_NOTIFY_MAIL_TO', server)),
  };
}

/** The ports of RFC 8314 and RFC 6409; a server on this machine that needs no encryption takes mail for delivery. */
const defaultPorts = { tls: 465, starttls: 587, none: 25 } as const;

function readEncryption({ notifyMailTls, notifyMailPort }: Values, host: string): NotifyMail['encryption'] {
  const chosen = readChoice(notifyMailTls, mailEncryptions);
  const isHere = isLoopbackHost(host.includes(':') ? `[${host}]` : host.toLowerCase());
  if (chosen === 'none' && !isHere)
    throw new UsageError(`${notifyMailTls?.from} is "none"`, {
      next: 'mail to another machine needs tls or starttls.',
    });
  const isStartTls = notifyMailPort !== undefined && readPort(notifyMailPort) !== defaultPorts.tls;
  return chosen ?? (isStartTls ? 'starttls' : 'tls');
}

function readPort(value: Value | undefined): number | undefined {
  if (!value) return undefined;
  const port = /^\d{1,5}$/.test(value.text.trim()) ? Number(value.text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`${value.from} is "${value.text}"`, { next: 'it must be a port of 1 to 65535.' });
}

function readLogin(values: Values, outside: RuntimeEnvironment): NotifyMail['login'] {
  const { notifyMailUser } = values;
  const password = findSecret(values.notifyMailPassword, values.notifyMailPasswordFile, outside);
  if (!notifyMailUser && !password) return undefined;
  if (!notifyMailUser)
    throw new UsageError(`${password?.source.from} is set without BROKER_NOTIFY_MAIL_USER`, {
      next: 'set both, or neither.',
    });
  if (!password)
    throw new UsageError(`${notifyMailUser.from} is set without a password`, {
      next: 'set BROKER_NOTIFY_MAIL_PASSWORD_FILE or BROKER_NOTIFY_MAIL_PASSWORD.',
    });
  const user = notifyMailUser.text.trim();
  if (hasControl(user)) throw controlError(notifyMailUser);
  if (hasControl(password.text)) throw controlError(password.source);
  return { user, password: password.text };
}

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);

const controlError = ({ from }: Value) =>
  new UsageError(`${from} has a character that cannot be typed`, { next: 'write it on one line, without tabs.' });

const maxRecipients = 5;

function readRecipients(value: Value): readonly string[] {
  const addresses = value.text.split(',').map((text) => readAddress({ ...value, text }));
  if (addresses.length <= maxRecipients) return addresses;
  throw new UsageError(`${value.from} has more than ${maxRecipients} addresses`, {
    next: 'write a mailing list instead.',
  });
}

/** Plain ASCII without quotes, blanks, brackets and line ends: nothing of it can begin another field of a mail. */
function readAddress({ text, from }: Value): string {
  const address = text.trim();
  if (address.length <= 254 && /^[\w.+=~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(address))
    return address;
  throw new UsageError(`${from} is not an address of mail`, {
    next: 'write it without a name and brackets, such as me@example.com.',
  });
}

function requireWith(value: Value | undefined, variable: string, { from }: Value): Value {
  if (value) return value;
  throw new UsageError(`${from} is set without ${variable}`, { next: 'set both, or neither.' });
}

/** A part without its main setting would have no effect, and its owner would wait for notifications. */
function requireNone(values: Values, names: readonly SettingName[], variable: string): void {
  const value = names.map((name) => values[name]).find((found) => found !== undefined);
  if (value) throw new UsageError(`${value.from} is set without ${variable}`, { next: 'set both, or neither.' });
}
