/**
 * Sends each notification as a mail of plain text. Sender and recipients are those of the settings; of the message, only
 * the title is a header, as one encoded line.
 */

import { errorCode } from '../../../core/broker/transport/failure.ts';
import { log } from '../../../core/log.ts';
import type { NotifyMail } from '../../../core/settings/notify-settings.ts';
import { type Channel, type DeliveryCode, DeliveryError, isUnconnected, isUntrusted, type Message } from './channel.ts';

/** How the server is reached; tests replace the parts. */
export interface MailReach {
  /** For the complete delivery (ms). */
  readonly timeoutMs?: number | undefined;
  /** Certificates to trust instead of those of Node (PEM). */
  readonly ca?: string | undefined;
}

const defaultTimeoutMs = 30_000;
/** Of one response of the server. */
const maxResponseBytes = 16 * 1024;

export function createMailChannel(mail: NotifyMail, { timeoutMs = defaultTimeoutMs, ca }: MailReach = {}): Channel {
  const send = async (message: Message, signal: AbortSignal): Promise<void> => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ ...connectionOf(mail, timeoutMs, ca) });
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const { rejected } = await transport.sendMail({
        ...contentOf(mail, message),
        signal: AbortSignal.any([signal, deadline]),
      });
      // Another attempt would send it again to those who have it.
      if (rejected.length > 0) log.warn('mail_recipients_refused', { count: rejected.length });
    } catch (error) {
      throw toDeliveryError(error, signal, deadline);
    } finally {
      transport.close();
    }
  };
  return { name: 'mail', send };
}

/** Encryption is required, and its certificate is checked, except without TLS on this machine. */
function connectionOf({ server, port, encryption, login }: NotifyMail, timeoutMs: number, ca: string | undefined) {
  return {
    host: server,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    tls: { minVersion: 'TLSv1.2' as const, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    // Its default is the name of this machine.
    name: '[127.0.0.1]',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    maxResponseSize: maxResponseBytes,
    logger: false,
  };
}

const contentOf = ({ from, to }: NotifyMail, { title, text, urgency }: Message) => ({
  // As objects, so that no address is parsed out of a text.
  from: { name: '', address: from },
  to: to.map((address) => ({ name: '', address })),
  subject: title,
  text,
  textEncoding: 'quoted-printable' as const,
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...(urgency === 'high' && { priority: 'high' as const }),
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
});

function toDeliveryError(error: unknown, signal: AbortSignal, deadline: AbortSignal): unknown {
  if (signal.aborted) return new DeliveryError('mail', 'cancelled');
  if (deadline.aborted) return new DeliveryError('mail', 'timeout');
  const code = errorCode(error);
  // An error without a code is a fault of the program, which the log reports.
  if (code === undefined) return error;
  const { responseCode, originalCode } = error as Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const found = codeOfStatus(code, status) ?? codeOfNetwork([code, String(originalCode)]);
  return new DeliveryError('mail', found, { status });
}

/** By RFC 5321, 4yz is a temporary refusal and 5yz a permanent one. */
function codeOfStatus(code: string, status: number | undefined): DeliveryCode | undefined {
  if (code === 'ETLS') return 'unsafe_connection';
  if (status === undefined) return undefined;
  if (status >= 400 && status < 500) return 'unavailable';
  if (status >= 500 && status < 600) return code === 'EAUTH' ? 'unauthorized' : 'refused';
  return 'broken_response';
}

/** `codes`: that of the mailer, and that of the system. */
function codeOfNetwork(codes: readonly string[]): DeliveryCode {
  if (codes.some(isUntrusted)) return 'unsafe_connection';
  if (codes.some(isUnconnected)) return 'unreachable';
  if (codes.some((code) => /^E(?:NO)?AUTH/.test(code))) return 'unauthorized';
  return codes.includes('ETIMEDOUT') ? 'timeout' : 'broken_response';
}
