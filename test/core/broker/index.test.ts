/** What a broker passes on of the requests that it sends. */
import { expect, test } from 'vitest';
import type { LimitState } from '../../../src/core/broker/rate-limit/limit-state.ts';
import { limitKey } from '../../../src/core/broker/rate-limit/limiter.ts';
import { joinedName } from '../../../src/core/broker/types.ts';
import { endpoints, reportFile } from '../../../src/core/endpoints/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { brokerFor, limitOrder, quickClock, serve } from './support.ts';

const commit = async () => ({ writeBy: Number.POSITIVE_INFINITY });

test('the observer sees the reads and the orders, and the waits of both', async () => {
  const service = await serve(() => ({ body: '{"id":1}' }));
  const seen: unknown[] = [];
  const broker = brokerFor(service.origin, {
    observer: {
      onRequest: ({ id }, status) => seen.push([id, status]),
      onLimitWait: ({ id }) => seen.push([id, 'waits']),
    },
  });
  // Each a second time within its period.
  for (let n = 0; n < 2; n++) {
    await broker.call(endpoints.getPendingOrder, { id: '1' }, broker.context({ notBefore: broker.clock.now() + n }));
    await broker.place(limitOrder(), commit, broker.context({ priority: 'place' }));
  }
  const read = (what: unknown) => ['getPendingOrder', what];
  const order = (what: unknown) => ['placeLimitOrder', what];
  expect(seen).toEqual([read(200), order(200), read('waits'), read(200), order('waits'), order(200)]);
});

test('a summary is passed on with the time of its response', async () => {
  let answering = Promise.resolve();
  const service = await serve(() => {
    answering = clock.advance(3_000);
    return { body: '{"id":7,"currency":"GBP"}', afterMs: 20 };
  });
  const clock = quickClock();
  const startAt = clock.now();
  const seen: unknown[] = [];
  const broker = brokerFor(service.origin, {
    clock,
    onSummary: async ({ id }, answeredAt) => void seen.push([id, answeredAt - startAt]),
  });
  await broker.call(endpoints.getAccountSummary, {}, broker.context());
  await answering;
  expect(seen).toEqual([['7', 3_000]]);
});

test('a response says how far the clock of the service is ahead', async () => {
  // Seven seconds after the time of the test.
  const service = await serve(() => ({ body: '[]', headers: { date: 'Thu, 15 Jan 2026 15:00:07 GMT' } }));
  const broker = brokerFor(service.origin);
  const read = () => broker.call(endpoints.listPositions, {}, broker.context());
  expect(await read()).toMatchObject({ shared: false, serviceOffsetMs: 7_000 });
  expect(await read()).toMatchObject({ shared: true, serviceOffsetMs: undefined });
});

test('the key is sent to no address that is refused, and a link needs no key', async () => {
  const service = await serve(() => ({ body: '[]' }));
  const refusal = new Error('This address must not have the key.');
  const broker = brokerFor(service.origin, { checkAddress: () => Promise.reject(refusal) });
  await expect(broker.call(endpoints.listPositions, {}, broker.context())).rejects.toBe(refusal);
  await expect(broker.call(endpoints.cancelOrder, { id: '7' }, broker.context())).rejects.toBe(refusal);
  await expect(broker.place(limitOrder(), commit, broker.context())).rejects.toBe(refusal);
  expect(service.seen).toEqual([]);
  expect((await broker.call(reportFile, { link: `${service.origin}/1.csv` }, broker.context())).data).toBe('[]');
});

test('each response that is a success is reported once, before its caller has it, and no other', async () => {
  const service = await serve((_, n) => (n === 1 ? { status: 400 } : { body: '[]' }));
  const seen: string[] = [];
  const broker = brokerFor(service.origin, { onResponse: async () => void seen.push('response') });
  await broker.call(endpoints.listPositions, {}, broker.context());
  seen.push('returned');
  await errorOf(broker.call(endpoints.cancelOrder, { id: '7' }, broker.context()));
  await broker.call(endpoints.listPositions, {}, broker.context());
  expect(seen).toEqual(['response', 'returned', 'response']);
});

test('only a summary identifies the account', async () => {
  const service = await serve(() => ({ body: '{"id":7}' }));
  const seen: unknown[] = [];
  const broker = brokerFor(service.origin, { onSummary: async ({ id }) => void seen.push(id) });
  await broker.call(endpoints.getPendingOrder, { id: '7' }, broker.context());
  expect(seen).toEqual([]);
});

test.each([
  [429, '', 5],
  [200, '{"code":"BusinessException","context":{"type":"TooManyRequests"}}', 5],
])(
  'a refusal for the rate (%i %s) is an error with the period of the limit, and no data',
  async (status, body, seconds) => {
    const service = await serve(() => ({ status, body }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(
      broker.call(endpoints.createPie, { body: { name: 'P', instrumentShares: {} } }, broker.context()),
    );
    expect(error).toMatchObject({ code: 'rate_limited', facts: { status, retryAfterSeconds: seconds } });
  },
);

test('the limits are those of the account into which the own one was merged', async () => {
  const service = await serve(() => ({ body: '[]' }));
  const broker = brokerFor(service.origin);
  await broker.records.update('desk', joinedName('account'), () => ({ state: 'main', result: undefined }));
  await broker.call(endpoints.listPositions, {}, broker.context());
  const slotsOf = async (account: string) =>
    (await broker.records.read<LimitState>('limit', limitKey(account, endpoints.listPositions)))?.slots.length;
  expect([await slotsOf('main'), await slotsOf('account')]).toEqual([1, undefined]);
});
