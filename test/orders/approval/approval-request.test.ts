/** What a ticket shows of an account. */
import { expect, test } from 'vitest';
import { ticketDetails } from '../../../src/approval/page/ticket-details.ts';
import { endpoints, type Order, type TradableInstrument } from '../../../src/catalogue/index.ts';
import { createTicket } from '../../../src/orders/approval/approval-request.ts';
import { approvalDigest } from '../../../src/orders/intent/digest.ts';
import type { OrderRequest } from '../../../src/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', type: 'STOCK', currencyCode: 'GBP', isin: 'GB0000000001' },
]) as [TradableInstrument];

const request = { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '1', limitPrice: '10' } as const;

function ticketWith(
  count: number,
  { order = request, assumedPrice }: { readonly order?: OrderRequest; readonly assumedPrice?: string | undefined } = {},
) {
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
  const asked = { id: 'i', environment: 'demo', request: order, limits: effectiveLimits('demo', {}, {}) } as const;
  return createTicket({ ...asked, repeatOf: undefined }, { facts, own: [], exchanges: [] }, 0, assumedPrice);
}

const countRows = (count: number): number =>
  (ticketDetails(ticketWith(count), true).markup.match(/<tr>/g) ?? []).length;

test('a ticket lists 20 pending orders and counts the others', () => {
  const listed = [0, 20, 21, 45].map((count) => {
    const { pendingOnTicker, morePending } = ticketWith(count);
    return [pendingOnTicker.length, morePending];
  });
  expect(listed).toEqual([
    [0, undefined],
    [20, undefined],
    [20, 1],
    [20, 25],
  ]);
  // The page has one row more, the heading.
  expect([countRows(20), countRows(45)]).toEqual([21, 21]);
  expect(ticketDetails(ticketWith(45), true).markup).toContain('20 of 45 orders');
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

test('a value at an assumed price is shown as that, and the worst case stays unknown', () => {
  const order: OrderRequest = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '4' };
  const ticket = ticketWith(0, { order, assumedPrice: '2.5' });
  const assumed = { price: '2.5', value: '10.00' };
  expect(ticket.estimate).toMatchObject({ value: undefined, worst: undefined, percentOfAccount: undefined, assumed });
  const text = ticketDetails(ticket, true).markup.replace(/<[^>]+>/g, '');
  expect(text).toContain('10.00 GBP at an assumed price of 2.50 GBP');
  expect(text).toContain('Worst caseValue unknown');
  expect(text).toContain('not a market price');
  expect(ticketDetails(ticketWith(0, { order }), true).markup).not.toContain('assumed');
});
