/** The log of the simulated service as requests of a record. */
import type { Request } from './record.ts';

export interface LogEntry {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** 0 when no response was sent. */
  readonly status: number;
  /** Whether it exceeded the rate limit. */
  readonly refused: boolean;
  readonly orderId?: string;
}

export function fromSimulator({ at, method, path, body, status, refused, orderId }: LogEntry): Request {
  return {
    ...{ kind: 'request', at, method, path },
    body: body === '' && method === 'POST' ? null : body,
    status: status === 0 ? null : status,
    ...(refused ? { response: 'TooManyRequests' } : {}),
    ...(orderId === undefined ? {} : { booked: orderId }),
  };
}
