/** What a broker passes on of the requests that it sends. */
import { expect, test } from 'vitest';
import { endpoints } from '../../src/catalogue/index.ts';
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
