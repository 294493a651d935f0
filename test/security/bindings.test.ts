/**
 * What an approval is bound to; digests.test.ts has each field of it. The rows are altered in the file itself, after a
 * person approved on the page. An attacker who can write that file and compute a matching digest could also read the
 * API key: that is outside of what a server can stop. With less access no other order than the one shown may be sent.
 */
// @module-tag server
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import { press } from './page.ts';
import {
  type Attack,
  atEndOfFile,
  attack,
  expectNothingLeft,
  letItGoOn,
  marketOrder,
  order,
  ordersThatLeft,
  roomy,
  tamper,
  waitingOrder,
} from './support.ts';

type Change = (intent: Intent) => unknown;
const inRequest = (change: Partial<Intent['request']>): Change => {
  return (intent) => ({ ...intent, request: { ...intent.request, ...change } });
};
const inApproval = (change: (approval: NonNullable<Intent['approval']>) => object): Change => {
  return (intent) => ({ ...intent, approval: intent.approval && { ...intent.approval, ...change(intent.approval) } });
};

const alterations: [string, Change][] = [
  ['a larger quantity', inRequest({ quantity: '80' })],
  [
    'another ticker everywhere',
    (intent) => ({ ...intent, ticker: 'QDIVIl_EQ', request: { ...intent.request, ticker: 'QDIVIl_EQ' } }),
  ],
  ['another fingerprint', (intent) => ({ ...intent, fingerprint: 'f'.repeat(64) })],
  ['a later end', inApproval(({ expiresAt }) => ({ expiresAt: expiresAt + 3_600_000 }))],
  ['another nonce', inApproval(() => ({ nonce: 'f'.repeat(32) }))],
  ['a digest that is made up', inApproval(() => ({ digest: 'f'.repeat(64) }))],
  [
    'other amounts on the ticket',
    inApproval(({ ticket }) => ({ ticket: { ...ticket, estimate: { ...ticket.estimate, worst: '1' } } })),
  ],
  ['no moment of the approval', inApproval(() => ({ approvedAt: undefined }))],
  ['an approval that was used', inApproval(() => ({ usedAt: 1 }))],
  ['a form instead of the page', inApproval(() => ({ by: 'elicitation' }))],
];

const byHand: [string, Change][] = [
  ['the state APPROVED alone', (intent) => ({ ...intent, state: 'APPROVED' })],
  [
    'the state NOT_SENT, to be tried again',
    (intent) => ({ ...intent, state: 'NOT_SENT', retryUntil: Number.MAX_SAFE_INTEGER }),
  ],
  [
    'APPROVED with a moment and a digest of its own',
    (intent) => ({
      ...(inApproval(() => ({ approvedAt: 1, by: 'page', digest: 'f'.repeat(64) }))(intent) as Intent),
      state: 'APPROVED',
    }),
  ],
  [
    // The digest still matches the order, so only the altered order reveals it.
    'APPROVED with a moment, for a larger quantity',
    (intent) => ({
      ...(inApproval(() => ({ approvedAt: 1, by: 'page' }))(inRequest({ quantity: '80' })(intent) as Intent) as Intent),
      state: 'APPROVED',
    }),
  ],
];

describe('no order is sent', () => {
  const atEnd = atEndOfFile(afterAll);
  let attacked: Attack;
  let cents = 0;
  /** Another order each time, which no row before has altered. */
  const nextOrder = () => waitingOrder(attacked, { limitPrice: 11 + ++cents / 100 });
  beforeAll(async () => {
    attacked = await attack({ enrolled: { limits: roomy }, atEnd });
  });

  test.each(alterations)('that was approved, and then has %s in its row', async (_, change) => {
    const { address, intentId } = await nextOrder();
    expect((await press(address)).status).toBe(303);
    await tamper(attacked, intentId, change);
    await expectNothingLeft(attacked);
    expect((await attacked.intents()).find(({ id }) => id === intentId)?.state).toMatch(/^(REFUSED|EXPIRED)$/);
  });

  test.each(byHand)('that no person approved, with %s set by hand', async (_, change) => {
    const { intentId } = await nextOrder();
    await tamper(attacked, intentId, change);
    await expectNothingLeft(attacked);
  });
});

// The row stays as it is: no server takes it for its own, or for approved.
test.each<[string, Partial<Intent>]>([
  ['another environment', { environment: 'demo' }],
  ['another account', { accountKey: 'somebody-else' }],
  ['no approval and the method none', { approval: undefined, method: 'none' }],
])('approved, and then %s in the row: no order is sent', async (_, change) => {
  const attacked = await attack();
  const { address, intentId } = await waitingOrder(attacked);
  await press(address);
  await tamper(attacked, intentId, (intent) => ({ ...intent, ...change }));
  await expectNothingLeft(attacked);
});

test('the approval of one intent, copied into another, releases no second order', async () => {
  const attacked = await attack();
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { quantity: 50 })];
  await press(first.address);
  const approval = (await attacked.intents()).find(({ id }) => id === first.intentId)?.approval;
  await tamper(attacked, second.intentId, (intent) => ({
    ...intent,
    state: 'APPROVED',
    approval: approval && { ...approval, nonce: second.nonce, handle: second.handle },
  }));
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2 }]);
});

test('limits loosened in the row do not count, because the stricter ones win', async () => {
  const attacked = await attack();
  const { address, intentId } = await waitingOrder(attacked, { quantity: 50 });
  await press(address);
  await attacked.enrol({ approval: 'page', limits: { maxOrderValue: '100' } });
  await tamper(attacked, intentId, (intent) => ({ ...intent, limits: { ...intent.limits, maxOrderValue: '1000000' } }));
  await expectNothingLeft(attacked);
  expect((await attacked.intents())[0]).toMatchObject({ rule: 'max_order_value' });
});

test.each([
  ['up by 1.5 %', 12.18, 0],
  ['by half a percent (positive control)', 12.06, 1],
])('a market order whose price moved %s since the approval', async (_, price, leaves) => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked, marketOrder, 'place_market_order');
  await attacked.clock.advance(10_000);
  await press(address);
  attacked.simulator.inject.setPrice(order.ticker, price);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(leaves);
  if (leaves === 0) await expectNothingLeft(attacked);
});

test.each([
  [119_000, 120_500, 0],
  [119_000, 119_500, 1],
])('approved after %i ms and checked after %i ms: %i orders are sent', async (approvedAfter, lookedAfter, leaves) => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  // The account was read in the call; a free rate limit lets the commit follow immediately.
  await attacked.clock.advance(approvedAfter);
  expect((await press(address)).status).toBe(303);
  await attacked.clock.advance(lookedAfter - approvedAfter);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(leaves);
});

test('the order that was shown is sent even when the arguments of a later call differ', async () => {
  const attacked = await attack();
  const { address } = await waitingOrder(attacked);
  await Promise.all([press(address), attacked.call('place_limit_order', { ...order, quantity: 80 })]);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toMatchObject([{ quantity: 2, limitPrice: 11.5 }]);
});
