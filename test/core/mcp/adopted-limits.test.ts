/** A wait follows the limit in the service's headers, not the specification. */
// @module-tag server
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { setup } from '../../support/setup.ts';
import { brokerFor, serve } from '../broker/support.ts';

const range = { timeFrom: '2025-01-01', timeTo: '2025-02-01', include: ['transactions'] };

/** The service's limits have periods that are `limitScale` times those of the specification. */
async function requested(limitScale: number, quirks = {}) {
  const made = await setup({ limitScale, quirks });
  const { body } = await made.call('request_export', range);
  // The headers of a read say the limit.
  await made.call('list_exports', {});
  return { ...made, reportId: String(body.reportId) };
}

const looks = ({ simulator }: Awaited<ReturnType<typeof requested>>) =>
  simulator.log.filter(({ endpoint }) => endpoint === 'listReports');

test('a report is polled as often as a looser limit allows, and found when it is ready', async () => {
  const made = await requested(0.1);
  const { body } = await made.call('list_exports', { reportId: made.reportId, waitSeconds: 50 });
  expect(body.rows[0][body.columns.indexOf('status')]).toBe('Finished');
  expect(looks(made).filter(({ refused }) => refused)).toEqual([]);
});

test('an unfinished report is polled several times within the wait under a looser limit', async () => {
  const made = await requested(0.1, { reportOutcome: 'never' });
  const { body } = await made.call('list_exports', { reportId: made.reportId, waitSeconds: 40 });
  expect(body.retryAfterSeconds).toBeLessThanOrEqual(6);
  expect(body.note).toBe('The service allows one request per 6 s.');
  expect(looks(made).length).toBeGreaterThanOrEqual(4);
  expect(looks(made).filter(({ refused }) => refused)).toEqual([]);
});

test.each([
  [0.1, 6],
  [1, 60],
  [3, 180],
])('a result says when the next poll is allowed: periods × %d, %d s', async (limitScale, seconds) => {
  const made = await setup({ limitScale, quirks: { reportOutcome: 'never' } });
  const { body: asked } = await made.call('request_export', range);
  const { body } = await made.call('list_exports', {});
  expect([body.retryAfterSeconds, body.note]).toEqual([seconds, `The service allows one request per ${seconds} s.`]);
  const { isError, body: early } = await made.call('download_export', { reportId: asked.reportId });
  expect([isError, early.code, early.next]).toEqual([
    true,
    'not_found',
    `Check again with list_exports in ${early.retryAfterSeconds} s.`,
  ]);
  await made.clock.advance(early.retryAfterSeconds * 1000);
  await made.call('list_exports', {});
  expect(made.simulator.log.filter(({ endpoint }) => endpoint === 'listReports').map(({ status }) => status)).toEqual([
    200, 200,
  ]);
});

test('a pending order is returned, not an error, when the limit allows no further poll within the wait', async () => {
  const made = await setup({ limitScale: 60 });
  const { body: placed } = await made.call('place_limit_order', {
    ticker: 'QNOON_GB_EQ',
    side: 'BUY',
    quantity: 1,
    limitPrice: 10,
    timeValidity: 'GOOD_TILL_CANCEL',
  });
  expect(placed.outcome).toBe('placed');
  const { isError, body } = await made.call('get_order', { orderId: placed.orderId, waitSeconds: 40 });
  expect([isError, body.final, body.foundIn]).toEqual([false, false, 'pending']);
  expect(made.simulator.log.filter(({ endpoint }) => endpoint === 'getPendingOrder').length).toBe(1);
});

test('a refusal without headers is waited out for the period of earlier headers', async () => {
  const limit = { 'x-ratelimit-limit': '1', 'x-ratelimit-period': '600', 'x-ratelimit-remaining': '0' };
  const service = await serve((_, n) => (n === 0 ? { body: '[]', headers: limit } : { status: 429 }));
  const broker = brokerFor(service.origin);
  await broker.call(endpoints.listReports, {}, broker.context());
  await broker.clock.sleep(601_000);
  const error = await errorOf(broker.call(endpoints.listReports, {}, broker.context()));
  expect(error).toMatchObject({ code: 'rate_limited', facts: { retryAfterSeconds: 600 } });
});
