import { expect, test } from 'vitest';
import { createRateLimiter, knownPeriodMs } from '../../../../src/core/broker/rate-limit/limiter.ts';
import type { CallContext, Priority } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints } from '../../../../src/core/endpoints/index.ts';
import { reportFile } from '../../../../src/core/endpoints/reports.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
/** One request per second. */
const endpoint: Endpoint = endpoints.listPositions;

function account() {
  const records = createMemoryRecords();
  const clock = createManualClock({ startAt, auto: true });
  const limiter = (owner: string, change: Partial<Parameters<typeof createRateLimiter>[0]> = {}) =>
    createRateLimiter({ records, resolveAccount: async (key) => key, clock, owner, ...change });
  const context = (priority: Priority = 'read') => ({ priority, deadlineAt: startAt + 600_000 }) as CallContext;
  return { records, clock, limiter, context };
}

test('the request of a process that has died holds its slot for one period from when that was seen', async () => {
  const { clock, limiter, context } = account();
  await limiter('other').take('account', endpoint, context(), 15_000);
  const asked: string[] = [];
  const isAlive = (owner: string) => asked.push(owner) < 0;
  await limiter('own', { isAlive }).take('account', endpoint, context(), 15_000);
  expect(clock.now() - startAt).toBe(1_050);
  expect(asked[0]).toBe('other');
});

test.each<[string, Partial<Parameters<typeof createRateLimiter>[0]>]>([
  ['a process that lives', { isAlive: () => true }],
  ['a process of which nobody knows', {}],
])('%s holds its slot until its response', async (_, deps) => {
  const { clock, limiter, context } = account();
  const theirs = await limiter('other').take('account', endpoint, context(), 15_000);
  const mine = limiter('own', deps).take('account', endpoint, context(), 15_000);
  void clock.sleep(5_500).then(() => theirs.complete({}, false));
  await mine;
  expect(clock.now() - startAt).toBeGreaterThanOrEqual(5_500 + 1_050);
});

test('the request of a process that never answers holds its slot for twice its longest time, and one period', async () => {
  const { clock, limiter, context } = account();
  await limiter('other').take('account', endpoint, context(), 1_000);
  await limiter('own').take('account', endpoint, context(), 1_000);
  expect(clock.now() - startAt).toBe(2_000 + 1_050);
});

test.each<[string, Partial<CallContext>]>([
  ['its own wait ends', { waitUntil: startAt + 1_049, deadlineAt: startAt + 600_000 }],
  ['its deadline is over, however long it would wait', { waitUntil: startAt + 600_000, deadlineAt: startAt + 1_049 }],
])('a request that would get its slot only after %s is refused at once', async (_, bounds) => {
  const { clock, limiter, context } = account();
  const limits = limiter('own');
  await (await limits.take('account', endpoint, context(), 15_000)).complete({}, false);
  // The slot is free after a period of one second and a margin.
  await expect(limits.take('account', endpoint, { ...context(), ...bounds }, 15_000)).rejects.toMatchObject({
    code: 'rate_limited',
  });
  expect(clock.now()).toBe(startAt);
  const enough = { waitUntil: startAt + 1_050, deadlineAt: startAt + 1_050 };
  await limits.take('account', endpoint, { ...context(), ...enough }, 15_000);
  expect(clock.now()).toBe(startAt + 1_050);
});

test('the period is that of the specification until a response says another', async () => {
  const { limiter, context } = account();
  const limits = limiter('own');
  expect(await limits.periodMs('account', endpoint)).toBe(1_000);
  const permit = await limits.take('account', endpoint, context(), 15_000);
  await permit.complete({ 'x-ratelimit-period': '7' }, false);
  expect(await limits.periodMs('account', endpoint)).toBe(7_000);
  const failing = { ...limits, periodMs: () => Promise.reject(new Error('no store')) };
  expect(await knownPeriodMs(failing, 'account', endpoint)).toBe(1_000);
  expect(takeLog()).toMatchObject([{ event: 'fault', task: 'read a rate limit' }]);
});

test.each<[Priority, boolean | undefined, number]>([
  ['sync', true, 1],
  ['sync', false, 0],
  ['sync', undefined, 0],
  ['read', true, 0],
])(
  'of six slots, a request of priority %s, where one is to be kept (%s), leaves %i',
  async (priority, keepOneFree, left) => {
    const { limiter, context } = account();
    const limits = limiter('own', keepOneFree === undefined ? {} : { keepOneFree: () => keepOneFree });
    const dividends: Endpoint = endpoints.listDividends;
    const seen: number[] = [];
    // Six per minute.
    for (let n = 0; n < 6; n++) {
      const asked = { ...context(priority), onWait: ({ waitMs }: { waitMs: number }) => seen.push(waitMs) };
      await (await limits.take('account', dividends, asked, 15_000)).complete({}, false);
    }
    expect(seen).toEqual(Array(left).fill(60_050));
  },
);

test('the file behind a link, whose limit is unknown, can be read 60 times a minute', async () => {
  const { clock, limiter, context } = account();
  const limits = limiter('own');
  for (let n = 0; n < 60; n++) await (await limits.take('account', reportFile, context(), 15_000)).complete({}, false);
  expect(clock.now()).toBe(startAt);
  await limits.take('account', reportFile, context(), 15_000);
  expect(clock.now() - startAt).toBe(60_050);
});

test('a wait that outlasts the caller is refused with the seconds, rounded up', async () => {
  const { limiter, context } = account();
  const limits = limiter('own');
  await (await limits.take('account', endpoint, context(), 15_000)).complete({}, false);
  // The slot is free again in 1,050 ms.
  await expect(
    limits.take('account', endpoint, { ...context(), waitUntil: startAt + 1_049 }, 15_000),
  ).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining(' resets in 2 s, '),
    next: 'Call again in 2 s.',
    facts: { retryAfterSeconds: 2 },
  });
});
