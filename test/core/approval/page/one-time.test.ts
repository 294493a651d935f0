/** The address that the browser is opened with: other programs can read it, so it leads to the ticket only once. */
import { expect, onTestFinished, test } from 'vitest';
import { findOrders } from '../../../../src/core/approval/page/order-page.ts';
import { startApprovalPage } from '../../../../src/core/approval/page/serve-page.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { handle, limitBuy, memoryApprovals, sendTo, startAt, viewOf } from './support.ts';

async function setup() {
  const clock = createManualClock({ startAt });
  const page = await startApprovalPage({ subjects: [findOrders(memoryApprovals(viewOf(limitBuy)))], clock });
  onTestFinished(() => page.close());
  const address = page.createOneTimeUrl(handle);
  const open = (headers: Record<string, string> = {}, method = 'GET') => sendTo(address, { headers, method });
  return { clock, page, address, open };
}

test('the first GET leads to the ticket, and a second one by another program gets 404', async () => {
  const { page, address, open } = await setup();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{32}$/);
  expect(address).not.toContain(handle);
  const first = await open();
  expect([first.status, first.headers.location]).toEqual([303, `/approve/${handle}`]);
  expect((await sendTo(page.origin + first.headers.location, {})).text).toContain('QBRAMl_EQ');
  const second = await open();
  expect([second.status, second.headers.location]).toEqual([410, undefined]);
  expect(second.text).not.toMatch(/QBRAMl|h4ndle/);
  expect(second.text).toContain('or run “brokerage-mcp approve” in a terminal.');
});

test('the first browser may come again', async () => {
  const { open } = await setup();
  const [cookie = ''] = (await open()).headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^approval-\d+-open=[\w-]{32}; Path=\/open\/[\w-]{32}; HttpOnly; SameSite=Strict$/);
  expect((await open({ cookie: cookie.split(';')[0] ?? '' })).status).toBe(303);
  expect((await open({ cookie: cookie.replace(/=[^;]*/, '=made-up') })).status).toBe(410);
});

test.each<[string, Record<string, string>, string, number]>([
  ['a fetch ahead', { 'sec-purpose': 'prefetch;prerender' }, 'GET', 503],
  ['a fetch ahead of an older browser', { purpose: 'prefetch' }, 'GET', 503],
  ['a fetch ahead that names both', { 'sec-purpose': 'prefetch', purpose: 'other' }, 'GET', 503],
  ['a HEAD', {}, 'HEAD', 405],
  ['a POST', {}, 'POST', 405],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
])('%s does not use the address up', async (_, headers, method, status) => {
  const { open } = await setup();
  expect((await open(headers, method)).status).toBe(status);
  expect((await open()).status).toBe(303);
});

test('an address that is first opened after its order expired gets 410', async () => {
  const { clock, open } = await setup();
  await clock.advance(120_000);
  expect((await open()).status).toBe(410);
});

test('each ticket has an address of its own, and an invented one gets 410', async () => {
  const { page, address, open } = await setup();
  expect(page.createOneTimeUrl(handle)).not.toBe(address);
  expect((await sendTo(`${page.origin}/open/${'A'.repeat(32)}`, {})).status).toBe(410);
  expect((await open()).status).toBe(303);
});

test('of more than a hundred addresses the oldest is dropped', async () => {
  const { page, open } = await setup();
  const later = Array.from({ length: 100 }, () => page.createOneTimeUrl(handle));
  expect((await open()).status).toBe(410);
  const [first = '', last = ''] = [later[0], later.at(-1)];
  expect([(await sendTo(first, {})).status, (await sendTo(last, {})).status]).toEqual([303, 303]);
});
