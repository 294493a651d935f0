import { ExpectedError } from '../../errors.ts';

export type FailureKind =
  /** The connection was never established. */
  | 'connect'
  /** The connection broke before the response was complete. */
  | 'broken'
  | 'timeout'
  | 'too_large'
  /** The response is not HTTP, or its encoding is not what it claims. */
  | 'unreadable'
  /** The caller cancelled. */
  | 'cancelled';

/** The error code of the network and a description. */
export interface NetworkReason {
  readonly code: string | undefined;
  readonly message: string;
}

/**
 * A request without a complete response. It stays inside the broker, which converts it to a BrokerageError or a
 * PlaceResult.
 */
export class TransportFailure extends ExpectedError {
  override readonly name = 'TransportFailure';
  readonly kind: FailureKind;
  /** False only when it is proven that no byte of the request was sent. */
  readonly sent: boolean;
  /** The headers of the response, if it broke after them. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  /** The error code of the network; undefined for other failures. */
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

/** Describes an error by its code only, because messages can contain addresses and more. */
export function describeNetworkError(error: unknown): NetworkReason {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorCode(error) ?? errorCode(inner);
  if (!code) return { code, message: 'the connection failed' };
  const sentence =
    words[code] ?? (/CERT|TLS|SSL/.test(code) ? 'the certificate or the TLS connection failed' : undefined);
  return { code, message: `${sentence ?? 'the connection failed'} (${code})` };
}

/** The code that Node or the HTTP client gave the error; undefined when it has none. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
