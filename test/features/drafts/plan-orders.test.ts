/** The tool plan_orders through a client: what it plans is kept as a draft, and nothing is sent. */
// @module-tag server
import Big from 'big.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWhole } from '../../support/fake-history.ts';
import { openMarketsAt, type Setup, setup } from '../../support/setup.ts';

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const toRows = ({ columns, rows }: Table) =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as Record<string, string | null>);

/** The largest positions without shares in pies, as the simulator's books have them. */
const largest = ({ simulator }: Setup, count: number) =>
  simulator
    .groundTruth()
    .positions.filter(({ quantityInPies }) => new Big(quantityInPies).eq(0))
    .toSorted((a, b) => new Big(b.currentValue).cmp(a.currentValue))
    .slice(0, count);

const readHistory = (made: Setup) => readWhole(made, 'orders');

/** Servers of the tests that plan and place nothing: one knows the newest orders at most, the other has read all. */
let made: Setup;
let informed: Setup;
beforeAll(async () => {
  made = await setup({ atEnd: afterAll });
  informed = await setup({ atEnd: afterAll });
  // Rows that arrive between two plans can change charges and decimals, and so the plan.
  await readHistory(informed);
});

const placed = (made: Setup) => made.requests().filter((id) => id.startsWith('place'));

test('a rebalance is kept as a draft with its legs, and nothing is sent', async () => {
  const held = largest(made, 2);
  const targets = held.map(({ ticker }) => ({ ticker, weightPercent: 50 }));
  const { body } = await made.call('plan_orders', { goal: 'rebalance', targets, band: 0 });
  const [first, second] = held.map(({ currentValue }) => new Big(currentValue));
  const half = first?.plus(second ?? 0).div(2);
  const legs = toRows(body);
  expect(legs.map(({ side, ticker, passes }) => [side, ticker, passes])).toEqual([
    ['SELL', held[0]?.ticker, true],
    ['BUY', held[1]?.ticker, true],
  ]);
  expect(
    new Big(body.totals.sells)
      .minus(first ?? 0)
      .plus(half ?? 0)
      .abs()
      .lt('0.05'),
  ).toBe(true);
  expect(body.cash.before).toBe(new Big(made.simulator.groundTruth().cash.available).toFixed(2));
  expect(toRows(body.weights).map(({ percentTarget }) => percentTarget)).toEqual(['50', '50']);
  const listed = await made.call('list_drafts', { draftId: body.draftId });
  const shown = (rows: Record<string, string | null>[]) =>
    rows.map(({ side, ticker, quantity }) => [side, ticker, quantity]);
  expect(shown(toRows(listed.body))).toEqual(shown(legs));
  expect(placed(made)).toEqual([]);
});

test('the same plan is the same draft', { tags: ['slow'] }, async () => {
  const { call } = informed;
  const plan = { goal: 'invest', amount: 500, keepCash: '10' };
  const first = await call('plan_orders', plan);
  const again = await call('plan_orders', plan);
  expect(again.body.draftId).toBe(first.body.draftId);
  const { currency } = first.body;
  expect(first.body.name).toBe(`Invest 500.00 ${currency} in ${first.body.legs} instruments`);
  const listed = await call('list_drafts');
  const drafts = toRows(listed.body).map(({ draftId, name }) => [draftId, name]);
  expect(drafts.filter(([, name]) => name === first.body.name)).toEqual([[first.body.draftId, first.body.name]]);
  for (const { body } of [first, listed]) {
    expect(body.message).toMatch(/\.$/);
    expect(body.next).toMatch(/\.$/);
  }
  const { left, totals, cash } = first.body;
  expect(new Big(totals.buys).plus(totals.charges).plus(left.amount).toFixed(2)).toBe('500.00');
  expect(new Big(cash.before).minus(cash.after).plus(left.amount).toFixed(2)).toBe('500.00');
});

test('an amount for one ticker that is not held needs a price, and takes one from the user', async () => {
  const { call, simulator } = made;
  const { positions, history } = simulator.groundTruth();
  const known = new Set([...positions.map(({ ticker }) => ticker), ...history.map(({ order }) => order.ticker)]);
  const ticker = ['QLORV_US_EQ', 'ZPELD_US_EQ', 'QDAWN_US_EQ', 'XCLOS_US_EQ'].find((name) => !known.has(name));
  const plan = { goal: 'invest', amount: 100, targets: [{ ticker, weightPercent: 100 }] };
  const refused = await call('plan_orders', plan);
  expect(refused.body.code).toBe('no_price');
  expect(refused.body.priceCurrency).toBe('USD');
  const { body } = await call('plan_orders', { ...plan, assumedPrices: [{ ticker, price: '7.5' }] });
  expect(body.message).toContain(`US$7.50 for ${ticker}`);
  expect(toRows(body)).toMatchObject([{ ticker, side: 'BUY', priceFrom: 'assumed', quantityDecimals: 0 }]);
  const listed = await call('list_drafts', { draftId: body.draftId });
  // The plan and the list show one value, and no sum of the draft rests on it.
  const [{ value }] = toRows(body) as [{ value: string }];
  expect(toRows(listed.body)).toMatchObject([{ price: '7.5', priceAssumed: true, value }]);
  expect(listed.body.totals).toMatchObject({ bought: '0.00', unknownValues: 1 });
});

// Every problem of a plan is in test/features/planner/build-plan.test.ts.
test.each<[string, Record<string, unknown>, string]>([
  [
    'an unknown ticker',
    { goal: 'rebalance', targets: [{ ticker: 'QNOON_GB_E', weightPercent: 60 }] },
    'unknown_ticker',
  ],
  ['an amount over cash', { goal: 'invest', amount: 1e9 }, 'amount_over_cash'],
  ['an offset of a market order', { goal: 'invest', amount: 5, limitOffsetPercent: 1 }, 'invalid_argument'],
])('refuses %s', async (_name, args, code) => {
  const { body, isError } = await made.call('plan_orders', args);
  expect([isError, body.code]).toEqual([true, code]);
  expect(body.next).toMatch(/\.$/);
});

test('a plan without an order is no draft, and names what is left', { tags: ['slow'] }, async () => {
  const targets = largest(informed, 1).map(({ ticker }) => ({ ticker, weightPercent: 100 }));
  const { body } = await informed.call('plan_orders', { goal: 'invest', amount: 2, targets });
  expect(body).toMatchObject({ sent: false, left: { amount: '2.00', because: ['below_minimum'] } });
  expect(body.draftId).toBeUndefined();
  expect(toRows(body.dropped)).toEqual([
    { ticker: targets[0]?.ticker, side: 'BUY', value: expect.stringMatching(/^1\.\d\d$/), reason: 'below_minimum' },
  ]);
  expect(body.next).toContain('minOrderValue');
  expect(body.notes.slice(1)).toEqual(['Other positions are not part of the plan and stay as they are.']);
});

test.each([
  ['a model that may trade', {}, 'submit_draft'],
  ['a person, where the model may not', { toolsets: ['drafting', 'account'] }, 'drafts submit'],
  ['a person, where the server is read-only', { readOnly: true }, 'drafts submit'],
] as const)('the next step is for %s', async (_name, config, step) => {
  const server = await setup({ beside: made, config });
  const targets = largest(made, 1).map(({ ticker }) => ({ ticker, weightPercent: 100 }));
  const { body } = await server.call('plan_orders', { goal: 'invest', amount: 100, targets });
  expect(body.next).toContain(step);
  expect((await server.call('list_drafts', { draftId: body.draftId })).body.next).toBe(body.next);
});

test('a problem that rests on a part of the history says so, and one that does not says nothing', {
  tags: ['slow'],
}, async () => {
  const unread = await setup();
  const tooMuch = { goal: 'raise', amount: 1e9 };
  // Not held. The newest page of the history, which is read, reaches back more than 30 days.
  const unpriced = { goal: 'invest', amount: 100, targets: [{ ticker: 'XCLOS_US_EQ', weightPercent: 100 }] };
  expect((await unread.call('plan_orders', tooMuch)).body).toMatchObject({ complete: false });
  expect((await unread.call('plan_orders', unpriced)).body).toMatchObject({ code: 'no_price' });
  expect((await unread.call('plan_orders', unpriced)).body.complete).toBeUndefined();
  const { body } = await informed.call('plan_orders', tooMuch);
  expect([body.code, body.complete]).toEqual(['amount_over_holdings', undefined]);
});

test('a sale says that its gain is unknown until the history was read, and then what it is', {
  tags: ['slow'],
}, async () => {
  const unread = await setup();
  const [held] = largest(informed, 1);
  const targets = [{ ticker: held?.ticker, weightPercent: 100 }];
  const before = await unread.call('plan_orders', { goal: 'raise', amount: 200, targets });
  expect(toRows(before.body.whatIf)).toMatchObject([{ gain: null, missing: expect.any(String) }]);
  const { body } = await informed.call('plan_orders', { goal: 'raise', amount: 200, targets });
  const [leg] = toRows(body);
  const [sale] = toRows(body.whatIf);
  // The average cost of the simulator's books.
  const cost = new Big(held?.totalCost ?? 0).times(leg?.quantity ?? 0).div(held?.quantity ?? 1);
  expect(sale?.cost).toBe(cost.toFixed(2));
  expect(sale?.costLeft).toBe(new Big(held?.totalCost ?? 0).minus(cost).toFixed(2));
  expect(sale?.gain).toBe(new Big(sale?.proceeds ?? 0).minus(sale?.cost ?? 0).toFixed(2));
  expect(sale?.quantityLeft).toBe(new Big(held?.quantity ?? 0).minus(leg?.quantity ?? 0).toFixed());
  // A UK tax year has gains by the UK rules only, so that of another method is named by its first day.
  expect(body.realisedGain).toMatchObject({ yearSince: '2025-04-06' });
  expect(body.realisedGain).not.toHaveProperty('taxYear');
  const change = new Big(body.realisedGain.yearGainAfter).minus(body.realisedGain.yearGainBefore);
  expect(change.toFixed(2)).toBe(sale?.gain);
  expect(new Big(body.totals.sells).minus(body.totals.charges).gte(200)).toBe(true);
});

test('a raise with a method sells the least gain first, lists the weights that it changes, and counts the others', async () => {
  const { body } = await informed.call('plan_orders', { goal: 'raise', amount: 300, method: 'average' });
  const ratio = ({ currentValue, totalCost }: { currentValue: string; totalCost: string }) =>
    new Big(currentValue).minus(totalCost).div(currentValue);
  const { positions } = informed.simulator.groundTruth();
  const sellable = positions
    .filter(({ quantity, quantityInPies }) => new Big(quantity).gt(quantityInPies))
    .toSorted((a, b) => ratio(a).cmp(ratio(b)));
  const sold = toRows(body).map(({ ticker }) => ticker);
  expect(sold[0]).toBe(sellable[0]?.ticker);
  expect(toRows(body.weights).map(({ ticker }) => ticker)).toEqual(sold.toSorted());
  expect(body.unchanged).toBe(positions.length - sold.length);
  expect(body.notes).toContain('For UK tax, gains are by the method uk_section_104.');
});

test('a plan that sells under a pending buy, or buys over a pending sell, says so', { tags: ['slow'] }, async () => {
  const made = await setup({ startAt: openMarketsAt });
  const [first, second] = largest(made, 2);
  const place = async (held: typeof first, side: string, factor: string) => {
    const [position] = toRows((await made.call('list_positions', { ticker: held?.ticker })).body);
    const limitPrice = new Big(position?.currentPrice ?? 0).times(factor).toFixed(2);
    return made.call('place_limit_order', { ticker: held?.ticker, side, quantity: 1, limitPrice, timeValidity: 'DAY' });
  };
  await place(first, 'BUY', '0.95');
  await place(second, 'SELL', '1.05');
  const targets = [first, second].map((held, at) => ({ ticker: held?.ticker, weightPercent: at === 0 ? 20 : 80 }));
  const { body } = await made.call('plan_orders', { goal: 'rebalance', targets });
  expect(toRows(body).map(({ side, ticker }) => [side, ticker])).toEqual([
    ['SELL', first?.ticker],
    ['BUY', second?.ticker],
  ]);
  const said = (ticker: string | undefined, side: string) =>
    body.notes.filter((note: string) => note.startsWith(`${ticker} has 1 open ${side} order`));
  expect([said(first?.ticker, 'BUY'), said(second?.ticker, 'SELL')].map(({ length }) => length)).toEqual([1, 1]);
});

test('a leg fails by its own rule alone, also where another leg refuses the draft', { tags: ['slow'] }, async () => {
  // Both markets are closed.
  const made = await setup({ startAt: Date.UTC(2026, 0, 15, 3) });
  const { available } = made.simulator.groundTruth().cash;
  made.simulator.inject.transfer(new Big(24).minus(available).toFixed());
  const [first, second] = largest(made, 2);
  const targets = [first, second].map((held, at) => ({ ticker: held?.ticker, weightPercent: at === 0 ? 20 : 80 }));
  const { body } = await made.call('plan_orders', { goal: 'rebalance', targets });
  expect(body.refused).toMatchObject({ rule: 'market_closed', leg: 1 });
  expect(toRows(body).map(({ passes, rule }) => [passes, rule])).toEqual([
    [false, 'market_closed'],
    [true, null],
  ]);
});

test('a raise with a method that falls short names the holdings whose cost is unknown', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ rareRows: true });
  await readHistory(made);
  const transferred = made.simulator
    .groundTruth()
    .history.filter(({ fill }) => fill?.type === 'FOP')
    .map(({ order }) => order.ticker);
  expect(transferred.length).toBeGreaterThan(0);
  const ranked = await made.call('plan_orders', { goal: 'raise', amount: 1e9, method: 'average' });
  expect(ranked.body).toMatchObject({ code: 'amount_over_holdings', costUnknown: transferred });
  for (const ticker of transferred) expect(ranked.body.message).toContain(ticker);
  // Sold in proportion, no cost is needed.
  const inProportion = await made.call('plan_orders', { goal: 'raise', amount: 1e9 });
  expect(inProportion.body.code).toBe('amount_over_holdings');
  expect(inProportion.body.costUnknown).toBeUndefined();
});

test('a preview estimates charges from own fills and the gain of a sale', async () => {
  const [held] = largest(informed, 1);
  const order = { type: 'MARKET', ticker: held?.ticker, side: 'SELL', quantity: '1' };
  const { body } = await informed.call('preview_order', { ...order, method: 'uk_section_104' });
  expect(body.charges.known).toBe(true);
  for (const { fills } of body.charges.kinds) expect(fills).toBeGreaterThan(0);
  expect(body.whatIf).toMatchObject({ method: 'uk_section_104', taxYear: '2025/26', matches: expect.any(Array) });
  expect(body.whatIf.proceeds).toBe(new Big(body.estimate.value).minus(body.charges.total).toFixed(2));
  const buy = await informed.call('preview_order', { ...order, side: 'BUY' });
  expect(buy.body.whatIf).toBeUndefined();
  expect(buy.body.charges).toMatchObject({ known: true });
});

test('a preview of a sale names the step that completes its history, and has the gain and its year after it', {
  tags: ['slow'],
}, async () => {
  const unread = await setup();
  const [held] = largest(informed, 1);
  const sell = async ({ call }: Setup, method: Record<string, string> = {}) =>
    (await call('preview_order', { type: 'MARKET', ticker: held?.ticker, side: 'SELL', quantity: '1', ...method })).body
      .whatIf;
  const before = await sell(unread);
  expect([before.gain, before.missing.code]).toEqual([undefined, 'history_incomplete']);
  expect(before.missing.next).toContain('fetch_history with kind orders');
  const after = await sell(informed);
  // The average cost of the simulator's books.
  expect(after.cost).toBe(new Big(held?.totalCost ?? 0).div(held?.quantity ?? 1).toFixed(2));
  const yearOf = ({ taxYear, yearSince, remarks = [] }: Record<string, unknown> & { remarks?: string[] }) => ({
    taxYear,
    yearSince,
    isNamed: remarks.some((text) => text.includes('uk_section_104')),
  });
  // Only gains by the UK rules are those of a UK tax year.
  const other = { taxYear: undefined, yearSince: '2025-04-06', isNamed: true };
  expect(yearOf(after)).toEqual(other);
  expect(yearOf(await sell(informed, { method: 'fifo' }))).toEqual(other);
  const uk = { taxYear: '2025/26', yearSince: undefined, isNamed: false };
  expect(yearOf(await sell(informed, { method: 'uk_section_104' }))).toEqual(uk);
});

test('a preview warns of more decimals than the own orders had, unless everything is sold', async () => {
  const [held] = largest(informed, 1);
  const { history } = informed.simulator.groundTruth();
  // The rule of planned quantities: orders by quantity that were filled.
  const decimals = history
    .filter(({ order, fill }) => order.ticker === held?.ticker && fill?.type === 'TRADE' && order.value === undefined)
    .map(({ order }) => String(order.quantity).split('.')[1]?.replace(/0+$/, '').length ?? 0);
  const most = Math.max(...decimals);
  const preview = async (side: string, quantity: string) =>
    (await informed.call('preview_order', { type: 'MARKET', ticker: held?.ticker, side, quantity })).body;
  const fits = await preview('BUY', new Big(1).plus(`1e-${most}`).toFixed());
  const tooFine = await preview('BUY', new Big(1).plus(`1e-${most + 1}`).toFixed());
  expect(tooFine.warnings).toHaveLength(fits.warnings.length + 1);
  expect(tooFine.warnings.at(-1)).toContain(`at most ${most}`);
  expect(tooFine.passes).toBe(fits.passes);
  const all = await preview('SELL', String(held?.quantity));
  expect(all.position.after).toBe('0');
  expect(all.warnings).toEqual(fits.warnings);
});
