/** What a ticket shows of an account. */
import { describe, expect, test } from 'vitest';
import { createApprovalRequest, createTicket } from '../../../src/core/approval/approval-request.ts';
import { ticketDetails } from '../../../src/core/approval/page/ticket-details.ts';
import { endpoints, type Order, type TradableInstrument } from '../../../src/core/endpoints/index.ts';
import type { OrderContext } from '../../../src/core/orders/account/account-snapshot.ts';
import { approvalDigest, type Intent } from '../../../src/core/orders/intent/intent.ts';
import type { OrderRequest } from '../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../src/core/orders/intent/risk-limits.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', name: 'Port of A', type: 'STOCK', currencyCode: 'GBP', isin: 'GB0000000001' },
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

test('a ticket names the instrument, the environment and what the order is expected to cost at which price', () => {
  const { intentId, environment, order, instrument: shown, estimate, isRepetition } = ticketWith(0);
  expect({ intentId, environment, order, isRepetition }).toEqual({
    ...{ intentId: 'i', environment: 'demo', order: request, isRepetition: false },
  });
  expect(shown).toEqual({ name: 'Port of A', isin: 'GB0000000001', type: 'STOCK', currency: 'GBP' });
  // With the margin of 2 %; the service reported no value of the account.
  const priced = { value: '10.00', worst: '10.20', currency: 'GBP', price: '10', priceFrom: 'limitPrice' };
  expect(estimate).toEqual(priced);
});

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
  expect(text).toContain('Estimated cost£10.00at an assumed price of £2.50');
  expect(text).toContain('Worst caseValue unknown');
  expect(text).toContain('not a market price');
  expect(ticketDetails(ticketWith(0, { order }), true).markup).not.toContain('assumed');
});

/** An account of 1,000.00 GBP with 3 shares, last traded at 100. */
const account = {
  summary: { currency: 'GBP', totalValue: '1000', cash: { availableToTrade: '700' } },
  positions: [{ instrument: { ticker: 'A', currency: 'GBP' }, quantity: '3', currentPrice: '100' }],
  pending: [],
  fills: [],
  instrument,
  askedAt: 0,
  asOf: 0,
  serviceOffsetMs: undefined,
} as unknown as OrderContext;
const asked = { id: 'i', environment: 'demo', limits: effectiveLimits('demo', {}, {}), repeatOf: undefined } as const;

/** The ticket of an order, with changes of the account or the intent. */
function ticketOf(order: OrderRequest, facts: object = {}, change: Partial<Intent> = {}) {
  const known = { facts: { ...account, ...facts } as OrderContext, own: [], exchanges: [] };
  return createTicket({ ...asked, request: order, ...change }, known, 0);
}

const buy: OrderRequest = { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '2', limitPrice: '100' };
const sell: OrderRequest = { ...buy, side: 'SELL', limitPrice: '90' };

describe('the worst case of a ticket, and its percentage of the account', () => {
  // A purchase has a margin of 2 %; a sale brings its estimate, whatever the limits count for it.
  test.each<[string, OrderRequest, object]>([
    ['a purchase', buy, { value: '200.00', worst: '204.00', percentOfAccount: '20.4' }],
    ['a sale below the last price', sell, { value: '180.00', worst: '180.00', percentOfAccount: '18.0' }],
    ['a sale above it', { ...sell, limitPrice: '110' }, { value: '220.00', worst: '220.00', percentOfAccount: '22.0' }],
  ])('of %s', (_, order, estimate) => {
    expect(ticketOf(order).estimate).toMatchObject(estimate);
  });

  test.each([undefined, '0', '-1'])('have no percentage when the account is worth %s', (totalValue) => {
    const { estimate } = ticketOf(buy, { summary: { ...account.summary, totalValue } });
    expect(estimate).toMatchObject({ worst: '204.00', percentOfAccount: undefined });
  });

  test('are unknown without a price', () => {
    const order: OrderRequest = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '1' };
    const unknown = { value: undefined, worst: undefined, percentOfAccount: undefined };
    expect(ticketOf(order, { positions: [] }).estimate).toMatchObject(unknown);
    expect(ticketOf({ ...order, side: 'SELL' }, { positions: [] }).estimate).toMatchObject(unknown);
  });
});

describe('the cash of a ticket', () => {
  test.each<[string, OrderRequest, object, object | undefined]>([
    ['after a purchase', buy, {}, { before: '700.00', after: '500.00' }],
    ['after a sale', sell, {}, { before: '700.00', after: '880.00' }],
    [
      'after an order of unknown value',
      { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '1' },
      { positions: [] },
      { before: '700.00', after: undefined },
    ],
    ['that the service did not report', buy, { summary: { currency: 'GBP', totalValue: '1000' } }, undefined],
  ])('%s', (_, order, facts, cash) => {
    expect(ticketOf(order, facts).cash).toEqual(cash);
  });
});

test('a ticket has the last known price beside that of the order', () => {
  expect(ticketOf(buy).estimate).toMatchObject({ price: '100', lastKnownPrice: '100' });
  expect(ticketOf(sell).estimate).toMatchObject({ price: '90', lastKnownPrice: '100' });
  expect(ticketOf(buy, { positions: [] }).estimate).toMatchObject({ price: '100', lastKnownPrice: undefined });
});

test('the warnings of a ticket end with each check that failed, and no other', () => {
  const { warnings: good } = ticketOf({ ...buy, limitPrice: '99' });
  expect(good.filter((text) => /^[a-zA-Z ]+: /.test(text))).toEqual([]);
  // 8 shares at 100 with the margin are 816.00; the cash is 700. The distance to the last price is fine.
  const { warnings: poor } = ticketOf({ ...buy, quantity: '8', limitPrice: '100' });
  expect(poor.filter((text) => /^[a-zA-Z ]+: /.test(text))).toEqual([expect.stringMatching(/^Cash: .*816\.00.*700/)]);
});

test.each([
  [undefined, false],
  ['j', true],
])('a ticket of an order that repeats %s is a repetition: %s', (repeatOf, isRepetition) => {
  expect(ticketOf(buy, {}, { repeatOf }).isRepetition).toBe(isRepetition);
});

// What the service reports of a pending order, and the side, type and quantity that the ticket shows of it.
test.each<[object, object]>([
  [
    { side: 'SELL', type: 'STOP_LIMIT', quantity: '-2', limitPrice: '90', stopPrice: '91' },
    { side: 'SELL', type: 'STOP_LIMIT', quantity: '2', limitPrice: '90', stopPrice: '91' },
  ],
  [
    { type: 'MARKET', quantity: '-2.50' },
    { side: 'SELL', type: 'MARKET', quantity: '2.5' },
  ],
  [
    { type: 'MARKET', quantity: '2' },
    { side: 'BUY', type: 'MARKET', quantity: '2' },
  ],
  [
    { side: 'BUY now', type: 'x', quantity: '2' },
    { side: 'BUY', type: 'UNKNOWN', quantity: '2' },
  ],
  // Made in the broker's app, for an amount of money.
  [
    { side: 'BUY', type: 'MARKET', value: '500', currency: 'GBP' },
    { side: 'BUY', type: 'MARKET', quantity: 'for 500 GBP' },
  ],
  [
    { side: 'SELL', type: 'MARKET', value: '-500', currency: 'pounds' },
    { side: 'SELL', type: 'MARKET', quantity: 'for 500' },
  ],
  [
    { side: 'BUY', type: 'MARKET', value: '500' },
    { side: 'BUY', type: 'MARKET', quantity: 'for 500' },
  ],
  [{}, { side: 'UNKNOWN', type: 'UNKNOWN', quantity: 'unknown' }],
])('of the pending order %j the ticket shows %j', (order, shown) => {
  const others = [{ ticker: 'B', side: 'BUY', type: 'MARKET', quantity: '7' }];
  const { pendingOnTicker } = ticketOf(buy, { pending: [...others, { ticker: 'A', ...order }] });
  expect(pendingOnTicker).toEqual([{ limitPrice: undefined, stopPrice: undefined, ...shown }]);
});

describe('a request for an approval', () => {
  const known = { facts: account, own: [], exchanges: [] };
  const intent = { ...asked, request: buy, accountKey: 'account', fingerprint: 'print' } as unknown as Intent;

  test('has two minutes, and is bound to the order and to all that is shown', () => {
    const { askedAt, expiresAt, nonce, ticket, digest } = createApprovalRequest(intent, known, 1_000);
    expect([askedAt, expiresAt]).toEqual([1_000, 121_000]);
    expect(digest).toBe(approvalDigest(intent, { nonce, expiresAt, ticket }));
    // As the store returns it.
    expect(ticket).toStrictEqual(JSON.parse(JSON.stringify(createTicket(intent, known, 1_000))));
  });

  test('has an address and a nonce that cannot be guessed, of 192 and 128 random bits', () => {
    const requests = Array.from({ length: 20 }, () => createApprovalRequest(intent, known, 0));
    for (const { handle, nonce } of requests)
      expect([handle, nonce]).toEqual([expect.stringMatching(/^[\w-]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(new Set(requests.flatMap(({ handle, nonce }) => [handle, nonce])).size).toBe(40);
  });
});
