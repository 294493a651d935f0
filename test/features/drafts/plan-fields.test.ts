/** Each fact of a plan that plan_orders returns and keeps, over a store in memory. Every share costs 10 pounds. */
import { expect, onTestFinished, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { listOpenDrafts, readDraft } from '../../../src/features/drafts/book/find-draft.ts';
import { listDraftsTool } from '../../../src/features/drafts/draft-tools.ts';
import { getHistoryWaitMs } from '../../../src/features/drafts/make-plan.ts';
import { isTold, planOrdersTool } from '../../../src/features/drafts/plan-orders.ts';
import { noTaxRecords } from '../../../src/features/gains/cost-entries.ts';
import type { Coverage, History, ReadOptions } from '../../../src/features/history/history-port.ts';
import { createOrderPath } from '../../core/orders/risk/order-path.ts';
import { contextOf, runWith, toolCall } from '../../core/tools/tool-call.ts';
import { historyOfRows } from '../../support/derived-history.ts';
import { attempt } from './submission/attempts.ts';

async function open(
  limits: Parameters<typeof createOrderPath>[0]['limits'] = {},
  { isApproved = false, derive }: { isApproved?: boolean; derive?: History['derive'] } = {},
) {
  const path = await createOrderPath({ tickers: ['A', 'B'], limits, isApproved, delayMs: 0 });
  onTestFinished(() => path.close());
  const { drafts } = path;
  const call = toolCall({
    config: { toolsets: ['drafting', 'trading'], readOnly: false, taxZone: 'UTC' },
    clock: path.clock,
    drafts,
    broker: drafts.broker,
    directory: drafts.directory,
    orderManager: path.orderManager,
    history: {
      derive: derive ?? drafts.history.derive.bind(drafts.history),
      keep: (_: string, __: string, make: () => { value: unknown }) => make().value,
    },
    taxRecords: async () => noTaxRecords,
    recurringPlans: { list: async () => [] },
  });
  return { path, call };
}

/** The rows of a table as objects. */
const rowsOf = ({ columns = [], rows }: { columns?: readonly string[]; rows: readonly unknown[] }) =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, (row as unknown[])[at]])));

const targets = [{ ticker: 'A', weightPercent: '100' }];
const invest = { goal: 'invest', amount: '100', targets, orderType: 'LIMIT', timeValidity: 'GOOD_TILL_CANCEL' };

test('an amount to invest becomes a draft with its name, its figures and its checks', async () => {
  const { path, call } = await open();
  const { asOf, fields, list } = await runWith(planOrdersTool, invest, call);
  expect(asOf).toBe(path.clock.now());
  // 100 pounds buy 10 shares; 30 are held.
  expect(fields).toEqual({
    goal: 'invest',
    message: 'Invest: 1 order to buy for about £100.00, charges unknown. Nothing was sent.',
    next: `Show it to the user; if they want it, call submit_draft with draftId ${fields?.draftId} and version 1.`,
    draftId: expect.stringMatching(/^[0-9a-f]{16}$/),
    version: 1,
    expiresAt: '2026-01-22T15:00:00.000Z',
    name: 'Invest 100.00 GBP in one instrument',
    legs: 1,
    sent: false,
    refused: undefined,
    currency: 'GBP',
    complete: false,
    base: '400.00',
    cash: { before: '1000000000.00', after: '999999900.00', keep: '0.00', afterAtWorst: '999999900.00' },
    totals: { buys: '100.00', sells: '0.00', charges: '0.00' },
    left: undefined,
    chargesKnown: false,
    weights: {
      columns: ['ticker', 'valueBefore', 'percentBefore', 'percentTarget', 'valueAfter', 'percentAfter', 'because'],
      rows: [['A', '300.00', '100', '100', '400.00', '100', null]],
    },
    otherPositions: 1,
    notes: [
      'Percentages after the plan are of £400.00, which the planned tickers are worth after it.',
      'Other positions are not part of the plan and stay as they are.',
      'No own fill shows the charges of some legs; they count as 0.',
      'A ticker that was never traded in fractions is planned in integer quantities.',
      'The order history is not complete: prices, decimals and charges come from the fills read so far.',
      'A: Whether the market is open is unknown.',
    ],
  });
  expect(list?.rest).toBe('the draft has all of them');
  expect(list && rowsOf(list)).toEqual([
    {
      leg: 1,
      side: 'BUY',
      quantity: '10',
      ticker: 'A',
      type: 'LIMIT',
      limitPrice: '10',
      priceCurrency: 'GBP',
      value: '100.00',
      charges: null,
      bound: '100.00',
      dependsOnSells: false,
      priceFrom: 'position',
      quantityDecimals: 0,
      passes: true,
      rule: null,
      largestQuantity: null,
    },
  ]);
});

test('a plan waits for the history as long as its goal needs, and reports progress', async () => {
  const { path, call } = await open();
  const reads: ReadOptions[] = [];
  const { derive } = call.history;
  const keep: typeof derive = (question, derivation, options) => {
    reads.push(options);
    return derive(question, derivation, options);
  };
  Object.assign(call.history, { derive: keep });
  await runWith(planOrdersTool, invest, call);
  const waitUntil = path.clock.now() + getHistoryWaitMs({ goal: 'invest' });
  expect(reads[0]).toEqual({ context: contextOf({ waitUntil }), onProgress: expect.any(Function) });
});

test('an argument that the goal does not use is refused with the goals that use it', () => {
  expect(planOrdersTool.input.safeParse({ goal: 'raise', amount: 5, band: 1 }).error?.issues).toMatchObject([
    {
      code: 'custom',
      message: 'The goal raise does not use band',
      params: { next: 'Omit band, or choose the goal rebalance.' },
    },
  ]);
});

test('the draft of a plan keeps the name, the source and each term of the order', async () => {
  const { path, call } = await open();
  const { fields } = await runWith(planOrdersTool, invest, call);
  const { draft, versions } = await readDraft(path.drafts, String(fields?.draftId));
  expect(draft).toMatchObject({ name: 'Invest 100.00 GBP in one instrument', source: 'plan_orders', version: 1 });
  expect(versions).toMatchObject([
    {
      channel: 'tool',
      legs: [
        {
          type: 'LIMIT',
          ticker: 'A',
          side: 'BUY',
          quantity: '10',
          limitPrice: '10',
          timeValidity: 'GOOD_TILL_CANCEL',
          price: '10',
          reason: expect.stringMatching(/^invest: from 100\.0% to 100\.0%/),
        },
      ],
    },
  ]);
});

test('a plan that a limit refuses says so of the draft and of the leg', async () => {
  const { call } = await open({ maxOrderValue: '50' });
  const { fields, list } = await runWith(planOrdersTool, invest, call);
  expect(fields?.refused).toMatchObject({ leg: 1, rule: 'max_order_value' });
  expect(fields?.next).toMatch(/^Leg 1 breaks the rule max_order_value: the draft would be refused now\. /);
  expect(list && rowsOf(list)).toMatchObject([
    // With the margin of 2 %, four shares cost 40.80 at most, and five 51.00.
    { leg: 1, passes: false, rule: 'max_order_value', largestQuantity: '4' },
  ]);
});

test('a plan to raise cash shows what the sales would realise, with the method', async () => {
  const { call } = await open();
  const { fields, list } = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  const missing = 'The order history is not complete, so the cost of the shares is unknown.';
  // Half of 50 is 2.5 shares of each.
  expect(fields).toMatchObject({ goal: 'raise', name: 'Raise 50.00 GBP', method: 'average' });
  expect(rowsOf(fields?.whatIf as { rows: [] })).toMatchObject([
    { ticker: 'A', gain: null, missing },
    { ticker: 'B', gain: null, missing },
  ]);
  expect(list && rowsOf(list)).toMatchObject([
    { leg: 1, side: 'SELL', quantity: '3', ticker: 'A', value: '30.00' },
    { leg: 2, side: 'SELL', quantity: '2', ticker: 'B', value: '20.00' },
  ]);
});

test('a plan without an order makes no draft, and says what was left out', async () => {
  const { path, call } = await open();
  const { fields, list } = await runWith(planOrdersTool, { goal: 'invest', amount: '1', targets }, call);
  expect(fields).toMatchObject({
    sent: false,
    message: expect.stringMatching(/^The plan has no order, so no draft was made\./),
    next: expect.stringMatching(/^Tell the user why the orders were left out\./),
    totals: { buys: '0.00', sells: '0.00', charges: '0.00' },
  });
  expect(rowsOf(fields?.dropped as { rows: [] })).toEqual([
    { ticker: 'A', side: 'BUY', value: '1.00', reason: 'rounding' },
  ]);
  expect(rowsOf(fields?.weights as { rows: [] })).toMatchObject([{ ticker: 'A', because: 'rounding' }]);
  expect(fields?.notes).toEqual([
    'Percentages after the plan are of £301.00: the planned tickers, and the £1.00 that is not spent.',
    'Other positions are not part of the plan and stay as they are.',
    'The order history is not complete: prices, decimals and charges come from the fills read so far.',
  ]);
  expect(fields).not.toHaveProperty('draftId');
  expect(list?.rows).toEqual([]);
  expect(await listOpenDrafts(path.drafts)).toEqual([]);
});

test('a plan is not offered for submission after a person was asked too often, though its legs pass', async () => {
  const { path, call } = await open({}, { isApproved: true });
  const { draftId } = await path.saveDraft([
    { type: 'LIMIT', ticker: 'B', side: 'BUY', quantity: '1', limitPrice: '10', timeValidity: 'DAY' },
  ]);
  await path.drafts.store.change(async (tx) => {
    for (let n = 1; n <= 10; n++)
      await tx.insertSubmission(attempt(`s${n}`, path.clock.now() - n * 60_000, { draftId }), []);
  });
  const { fields, list } = await runWith(planOrdersTool, invest, call);
  // The leg itself passes; the tenth question is an hour old in fifty minutes.
  expect(list && rowsOf(list)).toMatchObject([{ leg: 1, passes: true }]);
  expect(fields?.refused).toMatchObject({ rule: 'approvals_used', retryAfterSeconds: 3_000 });
  expect(fields?.next).toMatch(/^The draft breaks the rule approvals_used: the draft would be refused now\. /);
});

/** A history of these orders; there are no dividends. */
const historyWith = (rows: readonly object[], coverage: Partial<Coverage>): History['derive'] =>
  historyOfRows(async ({ kind }) => ({
    rows: kind === 'orders' ? rows : [],
    coverage: { from: null, to: '2026-01-15T15:00:00.000Z', complete: true, rows: rows.length, ...coverage },
    asOf: Date.UTC(2026, 0, 15, 15),
  })).derive;

const filled = (
  id: string,
  filledAt: string,
  ticker: string,
  side: 'BUY' | 'SELL',
  quantity: string,
  netValue: string,
) => ({
  order: { id, ticker, side, currency: 'GBP' },
  fill: { id, filledAt, type: 'TRADE', quantity, walletImpact: { currency: 'GBP', netValue } },
});

test('a plan that sells has the realised gain of the year before and after it', async () => {
  const orders = [
    filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '40', '320'),
    filled('2', '2024-01-02T10:00:01Z', 'B', 'BUY', '30', '150'),
    filled('3', '2026-01-05T10:00:00Z', 'A', 'SELL', '-10', '95'),
  ];
  const { call } = await open({}, { derive: historyWith(orders, {}) });
  const { fields } = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  // A cost 8 a share and B 5: 95 − 80 before; then 3 shares of A at 10 gain 6, and 2 of B gain 10.
  expect(rowsOf(fields?.whatIf as { rows: [] })).toMatchObject([
    { ticker: 'A', gain: '6.00', proceeds: '30.00', cost: '24.00', quantityLeft: '27', costLeft: '216.00' },
    { ticker: 'B', gain: '10.00', proceeds: '20.00', cost: '10.00', quantityLeft: '28', costLeft: '140.00' },
  ]);
  // The calendar year, as the owner's taxes are in UTC.
  expect(fields?.realisedGain).toEqual({ taxYear: '2026', yearGainBefore: '15.00', yearGainAfter: '31.00' });
});

test('a plan from a part of the history says when to plan again, and one from all of it does not', async () => {
  const ask = async (coverage: Partial<Coverage>) => {
    const { call } = await open({}, { derive: historyWith([], coverage) });
    return (await runWith(planOrdersTool, invest, call)).fields;
  };
  expect(await ask({ complete: false, reading: true, nextPageInSeconds: 25 })).toMatchObject({
    complete: false,
    retryAfterSeconds: 25,
  });
  expect(await ask({})).not.toHaveProperty('retryAfterSeconds');
});

test('a sale shows its charges with the fills that they were seen in, and what it is matched with', async () => {
  const taxes = [
    { name: 'STAMP_DUTY', quantity: '-1', currency: 'GBP' },
    { name: 'FINRA_FEE', quantity: '-2', currency: 'GBP' },
  ];
  const { order, fill } = filled('2', '2025-01-02T10:00:00Z', 'A', 'SELL', '-10', '97');
  const taxed = { order, fill: { ...fill, walletImpact: { ...fill.walletImpact, taxes } } };
  const orders = [filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '40', '320'), taxed];
  const { call } = await open({}, { derive: historyWith(orders, {}) });
  const one = [{ ticker: 'A', weightPercent: '100' }];
  const ask = { goal: 'raise', amount: '50', targets: one, method: 'fifo' };
  const { fields, list } = await runWith(planOrdersTool, ask, call);
  // 97 pounds came of 100: a share brings 9.70, so six are sold.
  expect(list && rowsOf(list)).toMatchObject([
    { side: 'SELL', ticker: 'A', quantity: '6', charges: 'FINRA_FEE 1.20 (1 fill), STAMP_DUTY 0.60 (1 fill)' },
  ]);
  // 40 shares cost 320, so each costs 8.
  expect(rowsOf(fields?.whatIf as { rows: [] })).toMatchObject([{ matches: ['fifo 6 of 2024-01-02 = 48.00'] }]);
});

test('a sale by the UK rules is matched with the pool, which has no day, and shows recent purchases', async () => {
  const orders = [
    filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '25', '200'),
    filled('2', '2026-01-05T10:00:00Z', 'A', 'BUY', '5', '40'),
  ];
  const { call } = await open({}, { derive: historyWith(orders, {}) });
  const one = [{ ticker: 'A', weightPercent: '100' }];
  const ask = { goal: 'raise', amount: '50', targets: one, method: 'uk_section_104' };
  const { fields } = await runWith(planOrdersTool, ask, call);
  expect(rowsOf(fields?.whatIf as { rows: [] })).toMatchObject([
    { matches: ['section_104 5 = 40.00'], recentPurchases: ['5 A on 2026-01-05'] },
  ]);
});

test('gains whose sum differs from the year by their rounding alone have a remark', async () => {
  // Four shares of A cost 31.995 and four of B 19.995, so the gains are 8.005 and 20.005.
  const orders = [
    filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '30', '239.9625'),
    filled('2', '2024-01-02T10:00:01Z', 'B', 'BUY', '30', '149.9625'),
  ];
  const { call } = await open({}, { derive: historyWith(orders, {}) });
  const { fields } = await runWith(planOrdersTool, { goal: 'raise', amount: '80' }, call);
  expect(fields?.realisedGain).toMatchObject({ yearGainBefore: '0.00', yearGainAfter: '28.01' });
  expect(fields?.notes).toContain('Each figure is rounded on its own, so a sum of them can differ in the last digit.');
});

test('what a picture shows has the names of the instruments that are planned', async () => {
  const { path, call } = await open();
  const byTicker = (ticker: string) => ({ name: `${ticker} plc` });
  Object.assign(call, { directory: { ...path.drafts.directory, lastList: () => ({ byTicker }) } });
  expect((await runWith(planOrdersTool, invest, call)).viewData).toEqual({ names: { A: 'A plc' } });
});

test.each([
  [false, ''],
  [true, ' This server is read-only: "brokerage-mcp plans due", or a server that is not read-only, makes the drafts.'],
])(
  'a plan that recurs is kept, and says who makes its drafts where the server is read-only: %s',
  async (readOnly, said) => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const call = toolCall({
      signal,
      config: { readOnly },
      directory: { lastList: () => ({ byTicker: (ticker: string) => ({ name: `${ticker} plc` }) }) },
      recurringPlans: {
        list: async () => [],
        add: async (plan: object) => ({ id: 'p1', ...plan }),
        readNextRuns: async (_: unknown, given: unknown) => {
          signals.push(given);
          return [{ nextOn: '2026-02-01', currency: 'GBP' }];
        },
      },
    });
    const every = { every: 'month', day: 1 } as const;
    const { fields, viewData } = await runWith(planOrdersTool, { goal: 'invest', amount: '100', targets, every }, call);
    expect(fields?.message).toBe(
      `The plan is kept: Invest 100.00 in one instrument, monthly on the 1st. The next draft is made on 2026-02-01. It makes drafts and sends nothing; each draft waits for the user.${said}`,
    );
    expect(viewData).toEqual({ names: { A: 'A plc' }, targetAmounts: { p1: { A: '100.00' } } });
    expect(signals).toEqual([signal]);
  },
);

// A number of more than 15 digits is not exact in JSON. A percentage has no more than 13.
const inexact = 1_234_567.890123456;
test.each([
  ['amount', { amount: inexact }],
  ['minOrderValue', { minOrderValue: inexact }],
  ['keepCash', { keepCash: inexact }],
  ['price', { assumedPrices: [{ ticker: 'A', price: inexact }] }],
])('a number with too many digits is refused by its name: %s', (name, args) => {
  const { error } = planOrdersTool.input.safeParse({ goal: 'invest', ...args });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    `has too many digits for a JSON number; send ${name} as a string`,
  ]);
});

test('two legs are counted as two, whatever is warned of', async () => {
  const { call } = await open();
  const { fields } = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  expect(fields).toMatchObject({ legs: 2, sent: false });
});

const weight: Parameters<typeof isTold>[0] = {
  ...{ ticker: 'A', percentTarget: undefined, because: undefined },
  ...{ valueBefore: '300.00', percentBefore: '50', valueAfter: '300.00', percentAfter: '50' },
};

test.each<[string, Partial<Parameters<typeof isTold>[0]>, boolean]>([
  ['that keeps its value', {}, false],
  ['that has a target', { percentTarget: '50' }, true],
  ['that says why nothing is done', { because: 'charges' }, true],
  ['that is bought or sold', { valueAfter: '299.99' }, true],
])('a weight %s is listed: %3$s', (_, change, isListed) => {
  expect(isTold({ ...weight, ...change })).toBe(isListed);
});

test('of what a sale leaves as it is, the number alone is said', async () => {
  const orders = [
    filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '30', '240'),
    filled('2', '2024-01-02T10:00:01Z', 'B', 'BUY', '30', '150'),
  ];
  const { call } = await open({}, { derive: historyWith(orders, {}) });
  const { fields, list } = await runWith(planOrdersTool, { goal: 'raise', amount: '50', method: 'fifo' }, call);
  // A share of A cost 8, and one of B 5: five shares of A realise the least.
  expect(list && rowsOf(list)).toMatchObject([{ side: 'SELL', ticker: 'A', quantity: '5' }]);
  expect(rowsOf(fields?.weights as { rows: [] }).map(({ ticker }) => ticker)).toEqual(['A']);
  expect(fields?.unchanged).toBe(1);
});

const both = [
  { ticker: 'A', weightPercent: '50' },
  { ticker: 'B', weightPercent: '50' },
];

test('a plan of every position names no others, and shows a target that is met already', async () => {
  const { call } = await open();
  const { fields } = await runWith(planOrdersTool, { goal: 'rebalance', targets: both }, call);
  // 300 pounds are in each.
  expect(rowsOf(fields?.weights as { rows: [] })).toMatchObject([
    { ticker: 'A', valueBefore: '300.00', percentTarget: '50', valueAfter: '300.00' },
    { ticker: 'B', valueBefore: '300.00', percentTarget: '50', valueAfter: '300.00' },
  ]);
  expect(fields).not.toHaveProperty('otherPositions');
  expect(fields).not.toHaveProperty('unchanged');
  expect(fields?.notes).not.toContain('Other positions are not part of the plan and stay as they are.');
});

test('a rebalance is named after all of its tickers, an investment after those that it buys', async () => {
  const targets = [
    { ticker: 'A', weightPercent: '60' },
    { ticker: 'B', weightPercent: '40' },
  ];
  // 60 % of 700 is 420, and no share is sold: 100 pounds of A are bought.
  const plan = { orderType: 'LIMIT', timeValidity: 'DAY', targets };
  const rebalance = await runWith(
    planOrdersTool,
    { ...plan, goal: 'rebalance', allowSells: false, amount: '100' },
    (await open()).call,
  );
  expect(rebalance.fields).toMatchObject({ legs: 1, name: 'Rebalance 2 instruments with 100.00 GBP' });
  const invest = await runWith(planOrdersTool, { ...plan, goal: 'invest', amount: '30' }, (await open()).call);
  expect(invest.fields).toMatchObject({ legs: 1, name: 'Invest 30.00 GBP in one instrument' });
});

test('a plan from all of the history says nothing of missing parts', async () => {
  const fractions = [
    filled('1', '2024-01-02T10:00:00Z', 'A', 'BUY', '40.5', '320'),
    filled('2', '2024-01-02T10:00:01Z', 'B', 'BUY', '30', '150'),
  ].map(({ order, fill }) => ({ order: { ...order, quantity: fill.quantity }, fill }));
  const { call } = await open({}, { derive: historyWith(fractions, {}) });
  const { fields } = await runWith(planOrdersTool, invest, call);
  expect(fields).toMatchObject({ complete: true, chargesKnown: true });
  expect(fields?.notes).toEqual([
    'Percentages after the plan are of £400.00, which the planned tickers are worth after it.',
    'Other positions are not part of the plan and stay as they are.',
    'A: Whether the market is open is unknown.',
  ]);
  const raised = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  // One of its two tickers was traded in integers alone.
  expect(raised.fields?.notes).toContain(
    'A ticker that was never traded in fractions is planned in integer quantities.',
  );
});

test('an amount to raise is before charges where these are unknown', async () => {
  const { call } = await open();
  const { fields } = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  expect(fields?.notes).toContain('No own fill shows the charges of some legs: the amount is before charges there.');
});

test('a plan whose legs could not be checked says why, and no leg passes', async () => {
  const { path, call } = await open();
  const read = () => Promise.reject(new BrokerageError('rate_limited', 'NOT NOW', 'LATER'));
  const drafts = { ...path.drafts, facts: { ...path.drafts.facts, read } };
  const { fields, list } = await runWith(planOrdersTool, invest, Object.assign(call, { drafts }));
  expect(fields?.notes).toContain('The legs could not all be checked: NOT NOW');
  expect(fields?.refused).toBeUndefined();
  expect(list?.rows).toHaveLength(1);
});

/** The account with an order to buy one share of A that is open. */
async function openWithOrder() {
  const { path, call } = await open();
  const order = {
    type: 'LIMIT',
    ticker: 'A',
    side: 'BUY',
    quantity: '1',
    limitPrice: '10',
    timeValidity: 'DAY',
  } as const;
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  const instrument = await path.drafts.directory.getOrThrow('A', context);
  const options = { repeatOf: undefined, canAsk: false, canOpen: false, progress: () => undefined };
  const placed = await path.orderManager.place(order, instrument, context, options);
  expect(placed.outcome).toBe('placed');
  return { path, call };
}

test('a plan that sells under an open buy says so', async () => {
  const { call } = await openWithOrder();
  const { fields } = await runWith(planOrdersTool, { goal: 'raise', amount: '50' }, call);
  expect(fields?.notes).toContain(
    'A has 1 open BUY order, which the plan counts as filled and trades against: cancel what the user no longer wants.',
  );
});

test('a plan that repeats what a draft sent a moment ago says so first', async () => {
  const { path, call } = await openWithOrder();
  const { store } = path.drafts;
  // The order as one that a draft sent.
  const read: typeof store.read = (work) =>
    store.read((tx) => {
      const list: typeof tx.list = async (query) =>
        (await tx.list(query)).map((intent) => ({ ...intent, leg: { submissionId: 'ab', number: 1 } }));
      return work({ ...tx, list });
    });
  Object.assign(call, { drafts: { ...path.drafts, store: { ...store, read } } });
  const sent = 'A draft sent BUY 1 A 0 seconds ago, in submission ab.';
  const { fields } = await runWith(planOrdersTool, invest, call);
  const notes = fields?.notes as readonly string[] | undefined;
  expect(notes?.[0]).toBe(sent);
  // Where the draft is read, its leg has the warning before the others.
  const { list } = await runWith(listDraftsTool, { draftId: fields?.draftId }, call);
  const [row] = list ? rowsOf(list) : [];
  expect(row?.warnings).toEqual([
    sent,
    expect.stringMatching(/^Cash, position and pending orders were read 0 seconds after/),
    'Whether the market is open is unknown.',
  ]);
});
