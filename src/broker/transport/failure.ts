export type FailureKind =
  /** The connection was never up. */
  | 'connect'
  /** The connection broke before the answer was complete. */
  | 'broken'
  | 'timeout'
  | 'too_large'
  /** The answer is not HTTP, or its encoding is not what it says. */
  | 'unreadable'
  /** The caller went away. */
  | 'cancelled';

/** Why the network failed, by its own code, and in words. */
export interface NetworkReason {
  readonly code: string | undefined;
  readonly message: string;
}

/** A request that brought no complete answer. Stays inside the broker, which turns it into a BrokerageError or a PlaceResult. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  readonly kind: FailureKind;
  /** False only when it is proven that no byte of the request left. */
  readonly sent: boolean;
  /** The headers of the answer, when it broke after them. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  /** The code of the network's error, when that is what happened. */
  readonly networkCode: string | undefined;

  constructor(
    kind: FailureKind,
    sent: boolean,
    reason: string | NetworkReason,
    headers?: Readonly<Record<string, string>>,
  ) {
    super(typeof reason === 'string' ? reason : reason.message);
    this.networkCode = typeof reason === 'string' ? undefined : reason.code;
    this.kind = kind;
    this.sent = sent;
    this.headers = headers;
  }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the other side closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 5 seconds',
};

/** From the code of the error alone: messages can hold addresses and more. */
export function describeNetworkError(error: unknown): NetworkReason {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorCode(error) ?? errorCode(inner);
  if (!code) return { code, message: 'the connection failed' };
  const sentence =
    words[code] ?? (/CERT|TLS|SSL/.test(code) ? 'the certificate or the TLS connection failed' : undefined);
  return { code, message: `${sentence ?? 'the connection failed'} (${code})` };
}

export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
