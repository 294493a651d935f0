/** What every way to send a notification has in common: the message, the channel, and why a delivery failed. */

import { ExpectedError } from '../../../core/errors.ts';
import { removeUnseen, sanitizeText } from '../../../core/text/sanitize-text.ts';

export type Urgency = 'low' | 'normal' | 'high';

/** Plain text for a person. */
export interface Message {
  /** One line. */
  readonly title: string;
  /** One line or several. */
  readonly text: string;
  readonly urgency: Urgency;
}

/** The names are public. */
export type ChannelName = 'command' | 'url' | 'mail';

export interface Channel {
  readonly name: ChannelName;
  /**
   * Sends one message once. Throws a DeliveryError when it was not delivered, or when that is not known; a message can
   * have arrived then too. `signal` ends the attempt.
   */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>;
}

interface FailureRow {
  /** Whether the message can have arrived all the same; the status of a response can tell. */
  readonly arrived: 'no' | 'maybe' | 'by status';
  /** What the program, address or server did. */
  readonly did: string;
  readonly next: string;
}

const later = 'The notification is sent again later.';
const howToTest = 'Check the settings of notifications.';

/** Every way in which a delivery can fail. The codes are public. */
const failures = {
  timeout: { arrived: 'maybe', did: 'did not finish in time', next: later },
  unreachable: { arrived: 'no', did: 'cannot be reached', next: later },
  unavailable: { arrived: 'by status', did: 'cannot take notifications now', next: later },
  broken_response: { arrived: 'maybe', did: 'sent no complete response', next: later },
  failed: { arrived: 'no', did: 'ended with an error', next: 'Run it in a terminal to see its output.' },
  busy: { arrived: 'no', did: 'has too many notifications that wait', next: later },
  cancelled: { arrived: 'maybe', did: 'was not waited for, because this process ends', next: later },
  not_found: { arrived: 'no', did: 'was not found or cannot be run', next: 'Check the setting notifyCommand.' },
  refused: { arrived: 'no', did: 'refused the notification', next: howToTest },
  unauthorized: { arrived: 'no', did: 'refused the login', next: 'Check the user name, password or token.' },
  redirected: { arrived: 'no', did: 'redirects to another address', next: 'Set notifyUrl to the final address.' },
  internal_address: {
    arrived: 'no',
    did: 'is in an internal network',
    next: 'For a server of your own network, write its IP address instead of a name.',
  },
  unsafe_connection: {
    arrived: 'no',
    did: 'has no encryption that can be trusted',
    next: 'Check its certificate, and the setting notifyMailTls for mail.',
  },
} as const satisfies Record<string, FailureRow>;

export type DeliveryCode = keyof typeof failures;

export const isDeliveryCode = (code: string): code is DeliveryCode => Object.hasOwn(failures, code);

/**
 * Whether other settings alone can end the failure. A certificate, the addresses of a name and a redirect change on the
 * way too, for example where a network asks its guests to log in.
 */
const isOfSettings = (channel: ChannelName, code: DeliveryCode, status: number | undefined): boolean =>
  code === 'not_found' || code === 'unauthorized' || (channel === 'url' && (status === 404 || status === 410));

/** Whether the code of a network error says that the other side has no valid certificate, or no TLS at all. */
export const isUntrusted = (code: string): boolean => /CERT|ERR_TLS|UNABLE_TO|WRONG_VERSION/.test(code);

const unconnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EDNS',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the code of a network error says that no connection was made. After any other, a message may have arrived. */
export const isUnconnected = (code: string): boolean => unconnected.has(code);

const subjects: Record<ChannelName, string> = {
  command: 'The program for notifications',
  url: 'The address for notifications',
  mail: 'The mail server',
};

export interface DeliveryFacts {
  /** Of the HTTP or SMTP response, or the exit code of the program. */
  readonly status?: number | undefined;
  /** How long the receiver asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A message was not delivered. No text of it repeats an address, a password, a response or the output of a program. */
export class DeliveryError extends ExpectedError {
  override readonly name = 'DeliveryError';
  readonly code: DeliveryCode;
  readonly channel: ChannelName;
  /** Whether other settings alone can end the failure. */
  readonly needsSettings: boolean;
  /** Whether the message may have arrived all the same. */
  readonly mayHaveArrived: boolean;
  readonly next: string;
  readonly facts: DeliveryFacts;

  constructor(channel: ChannelName, code: DeliveryCode, facts: DeliveryFacts = {}) {
    const { arrived, did, next } = failures[code];
    super(`${subjects[channel]} ${did}${facts.status === undefined ? '' : ` (${facts.status})`}.`);
    this.code = code;
    this.channel = channel;
    this.needsSettings = isOfSettings(channel, code, facts.status);
    this.mayHaveArrived = arrived === 'maybe' || (arrived === 'by status' && isOwnFailure(facts.status));
    this.next = next;
    this.facts = facts;
  }
}

/** A gateway can lose the response of a server that took the message, and a server can fail after it took it. */
const isOwnFailure = (status: number | undefined): boolean =>
  status !== undefined && status !== 503 && (status < 400 || status >= 500);

const maxTitle = 120;
const maxLines = 60;
/** An ntfy server makes an attachment of a message of more than 4,096 bytes. */
const maxTextBytes = 3_000;

/** Every character that some program takes for the end of a line. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Returns the message without secrets, invisible characters and line ends in the title, and within the bounds of every
 * receiver. Neither text begins with `-`, which a program could read as an option. `hide` replaces secrets.
 */
export function cleanMessage({ title, text, urgency }: Message, hide: (text: string) => string): Message {
  const lines = hide(text)
    .slice(0, maxTextBytes * 2)
    .split(lineEnds)
    .slice(0, maxLines)
    .map((line) => removeUnseen(line).trimEnd());
  return {
    title: withoutDash(sanitizeText(hide(title), maxTitle) ?? ''),
    text: withoutDash(cutBytes(lines.join('\n').trim())),
    urgency,
  };
}

const withoutDash = (text: string): string => text.replace(/^[\s\p{Pd}]+/u, '') || 'Notification';

function cutBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxTextBytes) return text;
  // A character that was cut in half becomes the replacement character.
  return `${bytes
    .subarray(0, maxTextBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}…`;
}
