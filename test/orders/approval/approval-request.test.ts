/** What a ticket shows of an account. */
import { expect, test } from 'vitest';
import { ticketDetails } from '../../../src/approval/page/ticket-details.ts';
import { endpoints, type Order, type TradableInstrument } from '../../../src/catalogue/index.ts';
import { createTicket } from '../../../src/orders/approval/approval-request.ts';
import { approvalDigest } from '../../../src/orders/intent/digest.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', type: 'STOCK', currencyCode: 'GBP', isin: 'GB0000000001' },
]) as [TradableInstrument];

const request = { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '1', limitPrice: '10' } as const;

function ticketWith(count: number) {
  const rows = Array.from({ length: count }, (_, id) => ({
    id,
    ticker: 'A',
    side: 'BUY',
    type: 'MARKET',
    quantity: 1,
  }));
  const facts = {
    summary: endpoints.getAccountSummary.response.parse({ currency: 'GBP' }),
    positions: [],
    pending: endpoints.listPendingOrders.response.parse(rows) as Order[],
    fills: [],
    instrument,
    askedAt: 0,
    asOf: 0,
    serviceOffsetMs: undefined,
  };
  const asked = { id: 'i', environment: 'demo', request, limits: effectiveLimits('demo', {}, {}) } as const;
  return createTicket({ ...asked, repeatOf: undefined }, { facts, own: [], exchanges: [] }, 0);
}

const countRows = (count: number): number => (ticketDetails(ticketWith(count)).markup.match(/<tr>/g) ?? []).length;

test('a ticket lists 20 pending orders and counts the others', () => {
  const listed = [0, 20, 21, 5000].map((count) => {
    const { pendingOnTicker, morePending } = ticketWith(count);
    return [pendingOnTicker.length, morePending];
  });
  expect(listed).toEqual([
    [0, undefined],
    [20, undefined],
    [20, 1],
    [20, 4980],
  ]);
  // The page has one row more, the heading.
  expect([countRows(20), countRows(5000)]).toEqual([21, 21]);
  expect(ticketDetails(ticketWith(5000)).markup).toContain('20 of 5000 orders');
});

test('an approval is bound to the number of the orders that are not listed', () => {
  const digestOf = (count: number) =>
    approvalDigest(
      { id: 'i', environment: 'demo', accountKey: 'k', request, fingerprint: 'f' },
      { nonce: 'n', expiresAt: 1, ticket: ticketWith(count) },
    );
  expect(digestOf(21)).toBe(digestOf(21));
  expect(digestOf(21)).not.toBe(digestOf(22));
});
