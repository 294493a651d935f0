/**
 * Determines what a response to an order means; no other file does. Only a refusal that was read completely proves
 * that an order was not accepted. Everything else that is not a clear acceptance is unknown.
 */
import Big from 'big.js';
import { describeHttpError } from '../../broker/response/http-errors.ts';
import type { PlaceResult } from '../../broker/types.ts';
import { endpoints, type Order } from '../../endpoints/index.ts';
import { getTicker } from '../../endpoints/instruments.ts';
import type { ErrorCode } from '../../errors.ts';
import { countOf } from '../../text/count-of.ts';
import { type OrderRequest, signedQuantity } from '../intent/order-request.ts';

export type Verdict =
  | { readonly event: 'failBeforeSending' | 'notWritten'; readonly reason: string }
  | { readonly event: 'limit'; readonly reason: string; readonly retryAfterSeconds: number | undefined }
  | { readonly event: 'accept'; readonly order: Order & { id: string }; readonly mismatch: readonly string[] }
  | {
      readonly event: 'reject';
      readonly code: ErrorCode;
      readonly reason: string;
      readonly brokerCode: string | undefined;
    }
  | { readonly event: 'lose'; readonly reason: string };

/** With another status, the text of a rate-limit refusal does not show whether the order was accepted. */
const limitStatuses = new Set([200, 400, 429]);

/** Returns the event for the result of a request, or undefined when the request was not committed. */
export function classify(result: PlaceResult, request: OrderRequest): Verdict | undefined {
  switch (result.kind) {
    case 'not_committed':
      return undefined;
    case 'not_written':
      return { event: 'notWritten', reason: result.reason };
    case 'not_connected':
      return { event: 'failBeforeSending', reason: result.reason };
    case 'rate_limited':
      return {
        event: 'failBeforeSending',
        reason: `The rate limit resets in ${countOf(result.retryAfterSeconds, 'second')}.`,
      };
    case 'lost':
      return { event: 'lose', reason: result.reason };
    case 'answered':
      return classifyResponse(result, request);
  }
}

function classifyResponse(result: PlaceResult & { kind: 'answered' }, request: OrderRequest): Verdict {
  if (result.tooManyRequests && limitStatuses.has(result.status)) {
    return {
      event: 'limit',
      reason: 'The broker refused the order because the rate limit is exceeded.',
      retryAfterSeconds: result.retryAfterSeconds,
    };
  }
  if (result.status >= 200 && result.status < 300) return classifyAcceptance(result.body, request);
  const { code, provesRefusal } = describeHttpError(result.status, result.isBlocked);
  if (provesRefusal) {
    const detail = result.error?.detail ?? result.error?.code;
    return {
      event: 'reject',
      code,
      brokerCode: result.error?.code,
      reason: `The broker rejected the order (${result.status}${detail ? `: ${detail}` : ''}).`,
    };
  }
  return {
    event: 'lose',
    reason: `The broker returned status ${result.status}, which does not show whether it accepted the order.`,
  };
}

function classifyAcceptance(body: unknown, request: OrderRequest): Verdict {
  const parsed = endpoints.getPendingOrder.response.safeParse(body);
  const order = parsed.success ? parsed.data : undefined;
  // An empty, truncated or unreadable 2xx response shows that something was accepted, but not what.
  if (!order) return { event: 'lose', reason: 'The broker accepted the request but its response could not be read.' };
  if (order.status === 'REJECTED')
    return {
      event: 'reject',
      code: 'rejected',
      brokerCode: undefined,
      reason: 'The broker returned the order with status REJECTED.',
    };
  const { id = '' } = order;
  if (!/^\d+$/.test(id)) return { event: 'lose', reason: 'The broker accepted the request but returned no order id.' };
  return { event: 'accept', order: { ...order, id }, mismatch: differences(order, request) };
}

/** The fields of the broker's response that are present and differ from the request. */
function differences(order: Order, request: OrderRequest): string[] {
  const expected: Record<string, string | undefined> = {
    ticker: request.ticker,
    type: request.type,
    timeInForce: request.timeValidity,
    quantity: signedQuantity(request),
    limitPrice: request.limitPrice,
    stopPrice: request.stopPrice,
  };
  const { type, timeInForce, quantity, limitPrice, stopPrice } = order;
  const ticker = getTicker(order);
  const echo: typeof expected = { ticker, type, timeInForce, quantity, limitPrice, stopPrice };
  const found = Object.entries(expected).flatMap(([field, wanted]) => {
    const value = echo[field];
    return wanted === undefined || value === undefined || same(field, value, wanted) ? [] : [field];
  });
  if (order.side !== undefined && order.side !== request.side) found.push('side');
  return found;
}

function same(field: string, echo: string, wanted: string): boolean {
  if (!numeric.has(field)) return echo === wanted;
  const [a, b] = [new Big(echo), new Big(wanted)];
  // spec: it is not documented whether the response to a sale keeps the sign; `side` gives the direction.
  return field === 'quantity' ? a.abs().eq(b.abs()) : a.eq(b);
}

const numeric = new Set(['quantity', 'limitPrice', 'stopPrice']);
