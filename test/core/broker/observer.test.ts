import { expect, test } from 'vitest';
import {
  type BrokerObserver,
  instrumentLimits,
  instrumentTransport,
  logRequests,
} from '../../../src/core/broker/observer.ts';
import type { RateLimiter } from '../../../src/core/broker/rate-limit/limiter.ts';
import { TransportFailure } from '../../../src/core/broker/transport/failure.ts';
import type { Transport } from '../../../src/core/broker/transport/transport.ts';
import type { HttpResponse, PreparedRequest } from '../../../src/core/broker/types.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { log } from '../../../src/core/log.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const endpoint = endpoints.getPendingOrder;
const request: PreparedRequest = {
  endpoint,
  context: { priority: 'read', deadlineAt: startAt + 10_000 },
  accountKey: 'account',
  path: '/equity/orders/77',
  slotWaitMs: 1_234,
};
const response = (change: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: {},
  text: '{}',
  isRateLimited: false,
  isBlocked: false,
  askedAt: startAt,
  answeredAt: startAt,
  ...change,
});
const transportOf = (send: () => Promise<HttpResponse>): Transport => ({
  send,
  prepare: async () => ({ connection: {} as Awaited<ReturnType<Transport['prepare']>>['connection'], send }),
});

/** Calls in the order in which they came. */
function observer() {
  const seen: unknown[] = [];
  const observed: BrokerObserver = {
    onRequest: ({ id }, status, isRateLimited) => seen.push([id, status, isRateLimited]),
    onLimitWait: ({ id }, waitMs) => seen.push([id, waitMs]),
  };
  return { seen, observed };
}

test.each<[string, Partial<HttpResponse>, [number, boolean]]>([
  ['its status', { status: 404 }, [404, false]],
  ['a refusal for the rate', { status: 400, isRateLimited: true }, [400, true]],
  ['a block of the address, which is none for the rate', { status: 403, isBlocked: true }, [403, false]],
])('the observer of a request sees %s, of an order too', async (_, change, [status, isRateLimited]) => {
  const { seen, observed } = observer();
  const transport = instrumentTransport(
    transportOf(async () => response(change)),
    observed,
  );
  await transport.send(request);
  await (await transport.prepare(request)).send();
  const one = ['getPendingOrder', status, isRateLimited];
  expect(seen).toEqual([one, one]);
});

test('the observer of a request sees no status without a response', async () => {
  const { seen, observed } = observer();
  const failure = new TransportFailure('timeout', true, 'late');
  const transport = instrumentTransport(
    transportOf(() => Promise.reject(failure)),
    observed,
  );
  await expect(transport.send(request)).rejects.toBe(failure);
  expect(seen).toEqual([['getPendingOrder', undefined, false]]);
});

test('the log has the time of a request and the time that it waited before', async () => {
  log.setLevel('debug');
  const clock = createManualClock({ startAt });
  const transport = logRequests(
    transportOf(async () => {
      await clock.advance(250);
      return response({ status: 503 });
    }),
    clock,
  );
  await transport.send(request);
  expect(takeLog()).toMatchObject([
    { event: 'request', method: 'GET', path: '/equity/orders/{id}', status: 503, ms: 250, slotWaitMs: 1_234 },
  ]);
});

test('the observer and the caller both see the wait for a limit', async () => {
  const { seen, observed } = observer();
  const limits: RateLimiter = {
    periodMs: async () => 1_000,
    take: async (_account, _endpoint, context) => {
      context.onWait?.({ waitMs: 4_500 });
      return { giveBack: async () => undefined, complete: async () => undefined };
    },
  };
  const onWait = ({ waitMs }: { waitMs: number }) => seen.push(waitMs);
  await instrumentLimits(limits, observed).take('account', endpoint, { ...request.context, onWait }, 1);
  expect(seen).toEqual([['getPendingOrder', 4_500], 4_500]);
});
