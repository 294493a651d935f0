/** The settings of Streamable HTTP. Only `serve` reads them, so an error in them affects no other command. */

import { isEncryptedOrLoopback } from '../broker/service-url.ts';
import { UsageError } from '../errors.ts';
import { countOf } from '../text/count-of.ts';
import { parseUrl } from '../text/parse-url.ts';
import { loadSettings } from './load-settings.ts';
import { type RuntimeEnvironment, readFlag, type Value, type Values } from './runtime-environment.ts';
import { readSecretFile } from './secrets.ts';

/** Where the HTTP server listens, and the token that clients must send. */
export interface HttpSettings {
  /** As written in the setting: a name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  readonly token: string;
  /** Other names by which clients reach the server: `host` or `host:port`, in lower case. */
  readonly hosts: readonly string[];
  /** The origin by which clients of the web reach the server. Undefined: they cannot connect. */
  readonly publicUrl: string | undefined;
  /** Whether the server also watches the account. */
  readonly watch: boolean;
}

/** An attacker with a year of attempts could guess a shorter token. */
const minTokenLength = 32;
const howToMakeOne = 'create a token with: openssl rand -hex 32';

/** Returns undefined when standard input and output is used. Throws a UsageError for an invalid value. */
export function readHttpSettings(
  flags: Readonly<Record<string, string>>,
  outside: RuntimeEnvironment,
): HttpSettings | undefined {
  const values = loadSettings(flags, outside);
  const { http } = values;
  if (!http) return undefined;
  const address = parseAddress(http.text.trim());
  if (!address)
    throw new UsageError(`${http.from} is "${http.text}"`, {
      next: 'it must be HOST:PORT, such as 127.0.0.1:7070 or [::1]:7070.',
    });
  const publicUrl = readPublicUrl(values.httpPublicUrl);
  // A client of the web names the public host, also through a proxy.
  const hosts = [...readHosts(values), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
  return { ...address, token: readToken(values, outside), hosts, publicUrl, watch: readFlag(values.watch) };
}

function parseAddress(text: string): Pick<HttpSettings, 'host' | 'port'> | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) return undefined;
  try {
    // The URL class returns the spelling that clients send in the Host header.
    return { host: new URL(`http://${match[1]}`).hostname, port };
  } catch {
    // The text is no host name.
    return undefined;
  }
}

function readToken(values: Values, outside: RuntimeEnvironment): string {
  const { http, httpToken, httpTokenFile } = values;
  const token = httpToken?.text.trim() ?? readSecretFile(httpTokenFile, outside);
  if (token === undefined)
    throw new UsageError(
      `${http?.from} needs BROKER_HTTP_TOKEN or BROKER_HTTP_TOKEN_FILE, a token of at least ${minTokenLength} characters`,
      { next: howToMakeOne },
    );
  // Names the source, never the token, because this message ends up in a log.
  const from = httpToken?.from ?? httpTokenFile?.from;
  if (token.length < minTokenLength)
    throw new UsageError(
      `${from} has a token of ${countOf(token.length, 'character')}; the minimum is ${minTokenLength}`,
      { next: howToMakeOne },
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(`${from} has a token with characters that are not allowed in a header`, {
      next: howToMakeOne,
    });
  return token;
}

/** Returns the public origin, without a slash at its end. Throws a UsageError for anything but an origin. */
export function readPublicUrl(value: Value | undefined): string | undefined {
  if (!value) return undefined;
  const url = parseUrl(value.text.trim());
  const isPlain = url && [url.origin, `${url.origin}/`].includes(url.href) && !/[?#@]/.test(value.text);
  if (!isPlain || !isEncryptedOrLoopback(url))
    // The text can contain a password.
    throw new UsageError(`${value.from} is not a public address`, {
      next: 'it must be https:// and a host, such as https://broker.example.com, without a path (http:// is allowed for localhost only).',
    });
  return url.origin;
}

function readHosts({ httpHosts }: Values): readonly string[] {
  const hosts = (httpHosts?.text ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host))
      throw new UsageError(`${httpHosts?.from} has "${host}"`, {
        next: 'each entry is a name with its port, such as broker.example.com or localhost:8080.',
      });
  }
  return hosts;
}
