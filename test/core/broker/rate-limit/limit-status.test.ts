import { expect, test } from 'vitest';
import { initialLimit, type LimitState } from '../../../../src/core/broker/rate-limit/limit-state.ts';
import { listRateLimits, nextRequestInMs, readLimit } from '../../../../src/core/broker/rate-limit/limit-status.ts';
import { limitKey } from '../../../../src/core/broker/rate-limit/limiter.ts';
import type { Endpoint } from '../../../../src/core/endpoints/index.ts';
import { endpoints } from '../../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const now = Date.UTC(2026, 0, 15, 15);

async function withLimit(endpoint: Endpoint, state?: Partial<LimitState>) {
  const records = createMemoryRecords();
  const limit = { ...initialLimit({ requests: 2, periodSeconds: 10 }), ...state };
  if (state) await records.update('limit', limitKey('account', endpoint), () => ({ state: limit, result: undefined }));
  return { records, clock: createManualClock({ startAt: now }) };
}
const slot = { id: 's', owner: 'own', takenAt: now - 4_000, lostAt: now + 26_000 };
const answered = { ...slot, answeredAt: now - 3_700 };
const row = async (deps: Awaited<ReturnType<typeof withLimit>>, endpoint: Endpoint) =>
  (await listRateLimits(deps, 'account')).find((each) => each.endpoint === `${endpoint.method} ${endpoint.path}`);

test('the status has a row for each endpoint, by the specification where no response has said more', async () => {
  const rows = await listRateLimits(await withLimit(endpoints.listPositions), 'account');
  expect(rows.map(({ endpoint }) => endpoint)).toEqual(
    Object.values<Endpoint>(endpoints).map(({ method, path }) => `${method} ${path}`),
  );
  // docs/interface.md: one request per second.
  expect(rows.find(({ endpoint }) => endpoint === 'GET /equity/positions')).toEqual({
    endpoint: 'GET /equity/positions',
    limit: 1,
    periodSeconds: 1,
    source: 'spec',
    free: 1,
    freeInSeconds: 0,
    cachedSecondsAgo: undefined,
  });
});

test('the status counts the requests of the last period, and rounds the wait up', async () => {
  const other = { ...answered, id: 'other', answeredAt: now - 3_000 };
  const deps = await withLimit(endpoints.listPositions, { slots: [answered, other], source: 'headers' });
  // The first of the two ends 10,050 ms after its response.
  expect(await row(deps, endpoints.listPositions)).toMatchObject({
    limit: 2,
    periodSeconds: 10,
    source: 'headers',
    free: 0,
    freeInSeconds: 7,
  });
});

test.each<[string, Endpoint, string, string | undefined, number | undefined]>([
  ['of a response', endpoints.listPositions, '/equity/positions', '1', 90],
  ['of the first page of a history', endpoints.listDividends, '/equity/history/dividends?limit=50', '1', 90],
  ['of no response: it was forgotten', endpoints.listPositions, '/equity/positions', undefined, undefined],
  ['of another page', endpoints.listDividends, '/equity/history/dividends?limit=20', '1', undefined],
  ['of no read: an order', endpoints.placeMarketOrder, '/equity/orders/market', '1', undefined],
])('the status has the age %s', async (_, endpoint, path, version, age) => {
  const deps = await withLimit(endpoint);
  const head = { state: { version, answeredAt: now - 90_400 }, result: undefined };
  await deps.records.update('read-head', `account ${path}`, () => head);
  expect((await row(deps, endpoint))?.cachedSecondsAgo).toBe(age);
});

test('a response of a clock that was ahead has no age below zero', async () => {
  const deps = await withLimit(endpoints.listPositions);
  const head = { state: { version: '1', answeredAt: now + 90_000 }, result: undefined };
  await deps.records.update('read-head', 'account /equity/positions', () => head);
  expect((await row(deps, endpoints.listPositions))?.cachedSecondsAgo).toBe(0);
});

test('the limit of an endpoint is what the service said, and before that the specification', async () => {
  const known = await withLimit(endpoints.listPositions, { slots: [answered, { ...answered, id: 'b' }] });
  expect(await readLimit(known, 'account', endpoints.listPositions)).toEqual({
    requests: 2,
    periodMs: 10_000,
    freeInMs: 10_050 - 3_700,
  });
  expect(await readLimit(await withLimit(endpoints.listReports), 'account', endpoints.listReports)).toEqual({
    requests: 1,
    periodMs: 60_000,
    freeInMs: 0,
  });
});

test.each<[string, Partial<LimitState> | undefined, number]>([
  ['at once when nothing was sent', undefined, 0],
  ['when the first slot ends', { requests: 1, slots: [answered] }, 10_050 - 3_700],
  ['at once while a request is in flight, because its response says more', { requests: 1, slots: [slot] }, 0],
  ['at once while one of two is in flight', { requests: 1, slots: [answered, { ...slot, id: 'b' }] }, 0],
])('the next request can be sent %s', async (_, state, ms) => {
  const deps = await withLimit(endpoints.listPositions, state);
  expect(await nextRequestInMs(deps, 'account', endpoints.listPositions)).toBe(ms);
});
