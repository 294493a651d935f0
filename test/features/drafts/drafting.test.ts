/** The tools of drafts through a client: what they keep, what they show, and that they send nothing. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { order, type Setup, setup } from '../../support/setup.ts';

const buy = { type: 'LIMIT', ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'DAY' };

const rows = (body: { columns: string[]; rows: unknown[][] }) =>
  body.rows.map((row) => Object.fromEntries(body.columns.map((name, at) => [name, row[at]])));

/** A position of the account, with the numbers that the simulator's books have. */
function holding({ simulator }: Setup) {
  const held = simulator.groundTruth().positions.find(({ quantity }) => new Big(quantity).gte(1));
  if (!held) throw new Error('The simulated account holds nothing.');
  return held;
}

test('a saved draft is listed with its version, and nothing was sent', async () => {
  const made = await setup();
  const saved = await made.call('save_draft', { name: 'Two legs', legs: [buy, { ...buy, limitPrice: 9 }] });
  expect(saved.isError).toBe(false);
  expect(saved.body).toMatchObject({ version: 1, legs: 2, sent: false, env: 'demo' });
  expect(Date.parse(saved.body.expiresAt) - made.clock.now()).toBeLessThanOrEqual(7 * 86_400_000);
  const listed = await made.call('list_drafts');
  expect(rows(listed.body)).toEqual([
    {
      draftId: saved.body.draftId,
      name: 'Two legs',
      version: 1,
      state: 'open',
      legs: 2,
      source: 'save_draft',
      lastChange: 'tool',
      changedAt: expect.any(String),
      expiresAt: saved.body.expiresAt,
    },
  ]);
  expect(made.requests().filter((id) => id.startsWith('place'))).toEqual([]);
});

test('one draft shows the estimate and the checks of each leg, and the totals', async () => {
  const made = await setup();
  const held = holding(made);
  const legs = [{ type: 'MARKET', ticker: held.ticker, side: 'SELL', quantity: '1' }, buy];
  const { body: saved } = await made.call('save_draft', { legs });
  const { body } = await made.call('list_drafts', { draftId: saved.draftId });
  expect(body).toMatchObject({ draftId: saved.draftId, version: 1, state: 'open', complete: true });
  const [sell, second] = rows(body);
  expect(sell).toMatchObject({ leg: 1, side: 'SELL', quantity: '1', ticker: held.ticker, rule: null });
  expect(second).toMatchObject({ leg: 2, value: '20.00', limitPrice: '10', dependsOnSells: false });
  expect(body.totals).toMatchObject({ bought: '20.00', sold: sell?.value, unknownValues: 0, isFunded: true });
  const cash = made.simulator.groundTruth().cash.available;
  expect(new Big(body.totals.cash).eq(cash)).toBe(true);
});

test('a warning of several legs is said once, with their numbers', { tags: ['slow'] }, async () => {
  // A Saturday.
  const made = await setup({ startAt: Date.UTC(2026, 0, 17, 12) });
  const market = { type: 'MARKET', side: 'BUY', quantity: '1' };
  const legs = ['ZBONDl_EQ', 'QBRAMl_EQ', 'QVELT_US_EQ'].map((ticker) => ({ ...market, ticker }));
  const { body: saved } = await made.call('save_draft', { legs });
  const { body } = await made.call('list_drafts', { draftId: saved.draftId });
  const closed = (texts: readonly string[] | null) => (texts ?? []).filter((text) => text.includes('is closed')).length;
  // London has two of them.
  expect(body.notes).toEqual([expect.stringMatching(/^Orders 1 and 2: The market is closed\./)]);
  expect(rows(body).map(({ warnings }) => closed(warnings as string[] | null))).toEqual([0, 0, 1]);
  const text = await made.call('plan_orders', {
    goal: 'invest',
    amount: 2000,
    targets: ['QBRAMl_EQ', 'QVELT_US_EQ'].map((ticker) => ({ ticker, weightPercent: 50 })),
  });
  expect(text.body.notes.filter((note: string) => note.includes('is closed'))).toHaveLength(2);
});

test('a saved draft names the tickers of which no position shows a price, each once', async () => {
  const made = await setup();
  const { ticker } = holding(made);
  const positions = new Set(made.simulator.groundTruth().positions.map((position) => position.ticker));
  const other = ['QLORV_US_EQ', 'ZPELD_US_EQ', 'QDAWN_US_EQ', 'XCLOS_US_EQ'].find((name) => !positions.has(name));
  const legs = [
    { type: 'MARKET', ticker, side: 'SELL', quantity: '1' },
    { ...buy, ticker: other },
    { ...buy, ticker: other, limitPrice: 9 },
  ];
  const { body } = await made.call('save_draft', { legs });
  expect([body.legs, body.unpriced]).toEqual([3, [other]]);
  expect(body.message).toContain(other);
  const { body: priced } = await made.call('save_draft', { legs: legs.slice(0, 1) });
  expect(priced.unpriced).toBeUndefined();
});

test('a leg that breaks a rule is shown with the rule and the largest quantity', async () => {
  const { call } = await setup({ config: { limits: { maxOrderQuantity: '3' } } });
  const { body: saved } = await call('save_draft', { legs: [{ ...buy, quantity: 5 }] });
  const { body } = await call('list_drafts', { draftId: saved.draftId });
  expect(rows(body)[0]).toMatchObject({ rule: 'max_order_quantity', largestQuantity: '3' });
});

test('a buy that the cash does not cover depends on the sells of its draft', async () => {
  const made = await setup();
  const cash = new Big(made.simulator.groundTruth().cash.available);
  const limits = { maxOrderValue: '1000000', maxDayValue: '10000000', maxOrderQuantity: '1000000' };
  const other = await setup({ beside: made, config: { limits } });
  const held = holding(made);
  // Less than the cash, but more with the margin of 2 %; the sale pays for the difference.
  const quantity = cash.times('0.99').div(10).round(0, Big.roundDown).toFixed();
  const legs = [
    {
      type: 'MARKET',
      ticker: held.ticker,
      side: 'SELL',
      quantity: new Big(held.quantity).round(0, Big.roundDown).toFixed(),
    },
    { ...buy, quantity },
  ];
  const { body: saved } = await other.call('save_draft', { legs });
  const { body } = await other.call('list_drafts', { draftId: saved.draftId });
  expect(rows(body)[1]).toMatchObject({ dependsOnSells: true, rule: null });
});

test('a draft without a known account is shown without estimates, and says so', async () => {
  const made = await setup();
  const { body: saved } = await made.call('save_draft', { legs: [buy] });
  await made.simulator.close();
  await made.clock.advance(60_000);
  const { isError, body } = await made.call('list_drafts', { draftId: saved.draftId });
  expect(isError).toBe(false);
  expect(body).toMatchObject({ complete: false, totals: { unknownValues: 1 } });
  expect(rows(body)[0]).toMatchObject({ quantity: '2', value: null });
  expect(body.next).toContain('list_drafts');
});

test.each([
  ['a leg without its price', { legs: [{ ...buy, limitPrice: undefined }] }, 'invalid_argument'],
  ['a price that a market order does not take', { legs: [{ ...buy, type: 'MARKET' }] }, 'invalid_argument'],
  ['a negative quantity', { legs: [{ ...buy, quantity: -2 }] }, 'invalid_argument'],
  ['an unknown ticker', { legs: [{ ...buy, ticker: 'NO_SUCH_EQ' }] }, 'unknown_ticker'],
  ['no legs', { legs: [] }, 'invalid_argument'],
  ['31 legs', { legs: Array.from({ length: 31 }, (_, at) => ({ ...buy, limitPrice: at + 1 })) }, 'invalid_argument'],
  ['two equal legs', { legs: [buy, buy] }, 'invalid_argument'],
  ['a draft id without its version', { draftId: '0123456789abcdef', legs: [buy] }, 'invalid_argument'],
  ['an unknown draft', { draftId: '0123456789abcdef', version: 1, legs: [buy] }, 'not_found'],
])('%s is refused with its code, and nothing is kept', async (_, args, code) => {
  const { call } = await setup();
  const { isError, body } = await call('save_draft', JSON.parse(JSON.stringify(args)));
  expect([isError, body.code]).toEqual([true, code]);
  expect(body.next).toMatch(/\.$/);
  expect((await call('list_drafts')).body.drafts).toBe(0);
});

test('an old version is refused, and an equal save returns the present version', async () => {
  const { call } = await setup();
  const { body: first } = await call('save_draft', { legs: [buy] });
  const { draftId } = first;
  const next = [{ ...buy, quantity: 1 }];
  expect((await call('save_draft', { draftId, version: 1, legs: next })).body).toMatchObject({ draftId, version: 2 });
  expect((await call('save_draft', { draftId, version: 1, legs: next })).body).toMatchObject({ draftId, version: 2 });
  const late = await call('save_draft', { draftId, version: 1, legs: [{ ...buy, quantity: 7 }] });
  expect(late.body).toMatchObject({ code: 'draft_changed', version: 2 });
  expect((await call('save_draft', { legs: [buy] })).body.draftId).not.toBe(draftId);
});

test('a discarded draft is closed for every tool', async () => {
  const { call } = await setup();
  const { body: saved } = await call('save_draft', { legs: [buy] });
  const { draftId } = saved;
  expect((await call('discard_draft', { draftId })).body).toMatchObject({ draftId, state: 'discarded' });
  expect((await call('discard_draft', { draftId })).body).toMatchObject({ draftId, state: 'discarded' });
  expect((await call('list_drafts')).body.drafts).toBe(0);
  const closed = await call('list_drafts', { draftId });
  expect(closed.body).toMatchObject({
    state: 'discarded',
    name: '1 buy',
    next: expect.stringContaining('plan_orders'),
  });
  const again = await call('save_draft', { draftId, version: 1, legs: [{ ...buy, quantity: 1 }] });
  expect(again.body.code).toBe('draft_closed');
});

test('a read-only server keeps drafts, and another server of the account lists them', async () => {
  const made = await setup({ config: { readOnly: true } });
  const { body } = await made.call('save_draft', { legs: [buy] });
  const other = await setup({ beside: made });
  expect(rows((await other.call('list_drafts')).body).map(({ draftId }) => draftId)).toEqual([body.draftId]);
});

test('a draft is a resource with the content of list_drafts', async () => {
  const { call, client } = await setup();
  const { body: saved } = await call('save_draft', { legs: [buy] });
  const shown = await call('list_drafts', { draftId: saved.draftId });
  const [content] = (await client.readResource({ uri: `draft://${saved.draftId}` })).contents as { text: string }[];
  expect(JSON.parse(content?.text ?? '')).toMatchObject({ draftId: saved.draftId, rows: shown.body.rows });
});

test('a plan and its draft count on the same cash, also right after an order', { tags: ['slow'] }, async () => {
  const { call } = await setup({ limitScale: 0.001 });
  const { body: before } = await call('get_account_summary');
  const { body: placed } = await call('place_limit_order', { ...order, quantity: 10 });
  await call('cancel_order', { orderId: placed.orderId });
  const { body: plan } = await call('plan_orders', { goal: 'invest', amount: 500 });
  const { body: draft } = await call('list_drafts', { draftId: plan.draftId });
  // The plan reads the history after the account, and the draft reads the account again after that.
  expect(draft.asOf >= plan.asOf).toBe(true);
  expect(Number(draft.totals.cash)).toBe(Number(plan.cash.before));
  // The broker may still hold the money of an order whose end was not read: 10 × 10 GBP with a margin of 2 %.
  expect(Number(before.cash.availableToTrade) - Number(draft.totals.cash)).toBeCloseTo(102, 2);
});
