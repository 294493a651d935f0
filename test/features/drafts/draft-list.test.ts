/** Each fact of a draft that save_draft, list_drafts and discard_draft return, over a store in memory. */
import { expect, onTestFinished, test } from 'vitest';
import type { OrderRequest } from '../../../src/core/orders/intent/order-request.ts';
import { editDraft } from '../../../src/features/drafts/book/edit-draft.ts';
import { readDraft } from '../../../src/features/drafts/book/find-draft.ts';
import { discardDraftTool, listDraftsTool, saveDraftTool } from '../../../src/features/drafts/draft-tools.ts';
import { reportLatest } from '../../../src/features/drafts/submission/describe-submission.ts';
import { createOrderPath } from '../../core/orders/risk/order-path.ts';
import { runWith, toolCall } from '../../core/tools/tool-call.ts';
import { attempt } from './submission/attempts.ts';

const madeAt = '2026-01-15T15:00:00.000Z';
const expiresAt = '2026-01-22T15:00:00.000Z';
const legs: readonly OrderRequest[] = [
  { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '3', limitPrice: '10', timeValidity: 'DAY' },
  { type: 'LIMIT', ticker: 'B', side: 'BUY', quantity: '2', limitPrice: '10', timeValidity: 'DAY' },
];

async function open(limits: Parameters<typeof createOrderPath>[0]['limits'] = {}, isApproved = false) {
  const path = await createOrderPath({ tickers: ['A', 'B'], limits, isApproved, delayMs: 0 });
  onTestFinished(() => path.close());
  const { drafts } = path;
  const call = toolCall({
    config: { toolsets: ['drafting', 'trading'], readOnly: false },
    clock: path.clock,
    drafts,
    broker: drafts.broker,
    directory: drafts.directory,
    orderManager: path.orderManager,
    recurringPlans: { list: async () => [] },
  });
  return { path, call };
}

test('an open draft is listed with when it was made, changed and ends', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs);
  const { fields, list, viewData } = await runWith(listDraftsTool, {}, call);
  // 3 × 10 and 2 × 10, once this process has read the list of instruments.
  expect(viewData?.draftValues).toEqual({});
  const instruments = await path.drafts.directory.instruments(call.context());
  const directory = { ...path.drafts.directory, lastList: () => instruments };
  const after = await runWith(listDraftsTool, {}, { ...call, directory });
  expect(after.viewData?.draftValues).toEqual({ [draftId]: { buys: { GBP: '50.00' }, sells: {} } });
  expect(fields).toMatchObject({ drafts: 1, complete: true, message: '1 draft can be sent or edited.' });
  expect(list).toMatchObject({
    columns: ['draftId', 'name', 'version', 'state', 'legs', 'source', 'lastChange', 'changedAt', 'expiresAt'],
    rows: [[draftId, '2 buys', 1, 'open', 2, 'test', 'tool', madeAt, expiresAt]],
  });
});

test('one draft has its facts, its checks and totals, and what each version changed', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs);
  const edit = { kind: 'quantity', leg: 1, quantity: '1' } as const;
  await editDraft(path.drafts, { draftId, version: 1, edit, channel: 'page' });
  const { asOf, fields, list } = await runWith(listDraftsTool, { draftId }, call);
  expect(asOf).toBe(Date.parse(madeAt));
  expect(fields).toEqual({
    draftId,
    name: '2 buys',
    version: 2,
    state: 'open',
    source: 'test',
    createdAt: madeAt,
    expiresAt,
    message: 'The draft is open with 2 orders. Nothing of it was sent.',
    next: expect.stringContaining(`submit_draft`),
    // 1 × 10 and 2 × 10.
    totals: expect.objectContaining({ bought: '30.00', sold: '0.00', unknownValues: 0 }),
    refused: undefined,
    complete: true,
    // The service has no exchange.
    notes: ['All orders: Whether the market is open is unknown.'],
    edits: [
      { version: 1, at: madeAt, channel: 'tool', edit: undefined },
      { version: 2, at: madeAt, channel: 'page', edit },
    ],
  });
  // What all legs share is said once, above.
  const cells = (name: string) => list?.rows.map((row) => (row as unknown[])[(list.columns ?? []).indexOf(name)]);
  expect({ legs: cells('leg'), warnings: cells('warnings') }).toEqual({ legs: [1, 2], warnings: [null, null] });
  const second = await runWith(listDraftsTool, { draftId, cursor: list?.cursorAfter(1) }, call);
  expect(second.list?.rows).toEqual([list?.rows[1]]);
});

test('a draft that a rule refuses says which, and legs above a limit are refused by it', async () => {
  const { path, call } = await open({ maxOrderValue: '25' });
  const { draftId } = await path.saveDraft(legs);
  const { fields, list } = await runWith(listDraftsTool, { draftId }, call);
  // 3 × 10 is above 25.
  expect(fields).toMatchObject({ refused: { leg: 1, rule: 'max_order_value' } });
  expect(fields?.message).toContain('Leg 1 breaks a rule, so the draft would be refused now: the value per order.');
  const rule = (list?.columns ?? []).indexOf('rule');
  expect(list?.rows.map((row) => (row as unknown[])[rule])).toEqual(['max_order_value', null]);
});

test('a saved draft says how long it lives, which legs the limits refuse, and what to do', async () => {
  const { call } = await open({ maxOrderQuantity: '2' });
  const { fields } = await runWith(saveDraftTool, { legs }, call);
  expect(fields).toMatchObject({
    version: 1,
    expiresAt,
    legs: 2,
    sent: false,
    refused: [{ leg: 1, rule: 'max_order_quantity', reason: 'An order may have at most 2 shares.' }],
    message:
      'The draft holds 2 orders. Nothing was sent. Leg 1 would be refused now: An order may have at most 2 shares.',
    next: `Tell the user, or save other legs. Call list_drafts with draftId ${fields?.draftId} for estimates and checks, before the user decides.`,
  });
});

test('a saved draft that no limit refuses names no refusal', async () => {
  const { call } = await open();
  const { fields } = await runWith(saveDraftTool, { legs }, call);
  expect(fields).toMatchObject({
    message: 'The draft holds 2 orders. Nothing was sent.',
    next: `Call list_drafts with draftId ${fields?.draftId} for estimates and checks, before the user decides.`,
  });
  expect(fields).not.toHaveProperty('refused');
  expect(fields).not.toHaveProperty('unpriced');
});

test('a discarded draft has its facts, and nothing of it was sent', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs);
  expect((await runWith(discardDraftTool, { draftId }, call)).fields).toEqual({
    draftId,
    name: '2 buys',
    version: 1,
    state: 'discarded',
    source: 'test',
    createdAt: madeAt,
    expiresAt,
    message: 'The draft is discarded. Nothing of it was sent.',
    next: 'Make one with plan_orders or save_draft.',
  });
  // It is not compared with the account any more.
  const { asOf, fields, list } = await runWith(listDraftsTool, { draftId }, call);
  expect(asOf).toBeUndefined();
  expect(fields).toMatchObject({ state: 'discarded', complete: true });
  const depends = (list?.columns ?? []).indexOf('dependsOnSells');
  expect(list?.rows.map((row) => (row as unknown[])[depends])).toEqual([false, false]);
});

test('an attempt that was submitted is part of its draft', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs);
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  const submitted = await path.submissions.create({ draftId, version: 1 }, context);
  const { fields } = await runWith(listDraftsTool, { draftId }, call);
  expect(submitted).toMatchObject({ kind: 'new' });
  const submission = await reportLatest(path.drafts, draftId, 'model');
  expect(fields).toMatchObject({
    draftId,
    version: 1,
    state: 'sending',
    message: submission?.message,
    submission: { draftId, version: 1, outcome: 'sending', legs: [{ leg: 1 }, { leg: 2 }] },
  });
});

test('a version of which a person was asked three times is refused, and no other version or draft', async () => {
  const { path, call } = await open({}, true);
  const asked = await path.saveDraft(legs);
  const other = await path.saveDraft(legs.slice(0, 1));
  await path.drafts.store.change(async (tx) => {
    for (const minute of [1, 2, 3]) {
      const at = path.clock.now() - minute * 60_000;
      await tx.insertSubmission(attempt(`s${minute}`, at, { draftId: asked.draftId }), []);
    }
  });
  const refusalOf = async ({ draftId }: { draftId: string }) =>
    (await runWith(listDraftsTool, { draftId }, call)).fields?.refused;
  expect(await refusalOf(asked)).toMatchObject({
    rule: 'approvals_used',
    reason: 'A person was asked 3 times to approve this version of the draft.',
  });
  expect(await refusalOf(other)).toBeUndefined();
  const edit = { kind: 'quantity', leg: 1, quantity: '1' } as const;
  await editDraft(path.drafts, { draftId: asked.draftId, version: 1, edit, channel: 'page' });
  expect(await refusalOf(asked)).toBeUndefined();
});

/** The cells of a list by the names of their columns. */
const cellsOf = ({ list }: Awaited<ReturnType<typeof listDraftsTool.run>>, ...names: readonly string[]) =>
  list?.rows.map((row) => names.map((name) => (row as unknown[])[(list.columns ?? []).indexOf(name)]));

const market: OrderRequest = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '3' };

test('a saved draft keeps the price that each position shows', async () => {
  const { call } = await open();
  const { fields } = await runWith(saveDraftTool, { legs: [{ ...market, quantity: '2' }, market] }, call);
  const shown = await runWith(listDraftsTool, { draftId: fields?.draftId }, call);
  expect(cellsOf(shown, 'quantity', 'price', 'priceNow', 'value')).toEqual([
    ['2', '10', '10', '20.00'],
    ['3', '10', '10', '30.00'],
  ]);
});

test('a limit of a saved leg is compared with the price that its position shows', async () => {
  const { call } = await open({ maxPriceDistance: '10' });
  const far = { ...market, type: 'LIMIT', limitPrice: '12', timeValidity: 'DAY' };
  // 11 is a tenth above 10, and 12 a fifth.
  expect((await runWith(saveDraftTool, { legs: [{ ...far, limitPrice: '11' }, far] }, call)).fields).toMatchObject({
    refused: [{ leg: 2, rule: 'price_distance', nearestPrice: '11.00' }],
  });
});

test('a leg has its limit and its stop, each under its name', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft([
    {
      type: 'STOP_LIMIT',
      ticker: 'A',
      side: 'BUY',
      quantity: '1',
      limitPrice: '12',
      stopPrice: '11',
      timeValidity: 'GOOD_TILL_CANCEL',
    },
  ]);
  const shown = await runWith(listDraftsTool, { draftId }, call);
  expect(cellsOf(shown, 'type', 'limitPrice', 'stopPrice', 'timeValidity')).toEqual([
    ['STOP_LIMIT', '12', '11', 'GOOD_TILL_CANCEL'],
  ]);
});

test('a draft that is being sent is not compared with the account', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs);
  await path.submissions.create({ draftId, version: 1 }, { priority: 'place', deadlineAt: path.clock.now() + 50_000 });
  const { asOf, fields } = await runWith(listDraftsTool, { draftId }, call);
  expect([asOf, fields?.state, fields?.totals, fields?.complete]).toEqual([undefined, 'sending', undefined, true]);
  expect(fields).not.toHaveProperty('notes');
});

/** Saves a market order outside regular hours, or within them, as the second leg of a draft. */
async function saveSecond(known: boolean | undefined, extendedHours: boolean | undefined) {
  const { call } = await open();
  const directory = {
    getOrThrow: async (ticker: string) => ({ ticker, extendedHours: ticker === 'B' ? known : false }),
  };
  return runWith(
    saveDraftTool,
    { legs: [market, { ...market, ticker: 'B', extendedHours }] },
    Object.assign(call, { directory }),
  );
}

test.each([
  [true, true],
  [undefined, true],
  [false, false],
  [false, undefined],
])(
  'a leg of an instrument whose extended hours are %s, which wants them (%s), is kept',
  async (known, extendedHours) => {
    expect((await saveSecond(known, extendedHours)).fields).toMatchObject({ legs: 2, sent: false });
  },
);

test('a leg that wants the extended hours that its instrument lacks is refused with its number', async () => {
  await expect(saveSecond(false, true)).rejects.toMatchObject({
    code: 'invalid_argument',
    next: 'Omit extendedHours.',
    facts: { leg: 2 },
  });
});

test('a saved draft names each ticker once whose price no position shows', async () => {
  const { path, call } = await open();
  const broker = { call: async () => ({ data: [{ instrument: { ticker: 'A' }, currentPrice: '10' }], answeredAt: 5 }) };
  const other = legs.map((leg) => ({ ...leg, ticker: 'B' }));
  const { fields } = await runWith(saveDraftTool, { legs: [legs[0], ...other] }, Object.assign(call, { broker }));
  expect(fields).toMatchObject({
    unpriced: ['B'],
    message:
      'The draft holds 3 orders. Nothing was sent. The positions show no price of B, so submit_draft cannot tell whether it has moved since.',
  });
  const { versions } = await readDraft(path.drafts, String(fields?.draftId));
  expect(versions[0]?.legs.map(({ ticker, price }) => [ticker, price])).toEqual([
    ['A', '10'],
    ['B', undefined],
    ['B', undefined],
  ]);
});

test('of a draft that was changed often the last twenty changes are shown', async () => {
  const { path, call } = await open();
  const { draftId } = await path.saveDraft(legs.map((leg) => ({ ...leg, quantity: '30' })));
  for (let version = 1; version <= 20; version++) {
    const edit = { kind: 'quantity', leg: 1, quantity: String(30 - version) } as const;
    await editDraft(path.drafts, { draftId, version, edit, channel: 'page' });
  }
  const shown = await runWith(listDraftsTool, { draftId }, call);
  const { fields } = shown;
  expect(fields?.edits).toEqual(Array.from({ length: 20 }, (_, at) => expect.objectContaining({ version: at + 2 })));
  expect(fields).not.toHaveProperty('submission');
  expect(cellsOf(shown, 'leg', 'quantity')).toEqual([
    [1, '10'],
    [2, '30'],
  ]);
});

test('a draft that waits for its approval is compared with the account', async () => {
  const { path, call } = await open({}, true);
  const { draftId } = await path.saveDraft(legs);
  const submitted = await path.submissions.create(
    { draftId, version: 1 },
    { priority: 'place', deadlineAt: path.clock.now() + 50_000 },
  );
  expect(submitted.kind).toBe('new');
  const { asOf, fields } = await runWith(listDraftsTool, { draftId }, call);
  expect(fields).toMatchObject({ state: 'pending_approval', totals: { bought: '50.00' }, complete: true });
  expect(asOf).toBe(Date.parse(madeAt));
});

test('in the list a draft that waits has its page and its end for the picture, and another one has none', async () => {
  const { path, call } = await open({}, true);
  const { draftId } = await path.saveDraft(legs);
  await path.saveDraft(legs);
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  const submitted = await path.submissions.create({ draftId, version: 1 }, context);
  if (submitted.kind !== 'new' || !submitted.submission.approval) throw new Error('The draft does not wait.');
  const approval = { ...submitted.submission.approval, method: 'page' as const };
  await path.drafts.store.change((tx) => tx.moveSubmission(submitted.submission.id, 'awaiting_approval', { approval }));
  const channels = { pageUrl: async (handle: string) => `http://page/${handle}`, opensBrowser: false };
  Object.assign(call, { drafts: { ...path.drafts, channels } });
  const { viewData } = await runWith(listDraftsTool, {}, call);
  expect(viewData?.draftApprovals).toEqual({
    [draftId]: {
      address: `http://page/${approval.handle}`,
      expiresAt: new Date(approval.expiresAt).toISOString(),
    },
  });
});

test('a recurring plan without a draft has the code and the reason for the picture, and its step in the text', async () => {
  const { call } = await open();
  const problem = { code: 'amount_over_cash', reason: 'Too much.', step: 'Take less.' };
  const plan = {
    ...{ id: 'p', name: 'Savings', schedule: { every: 'month', day: 1 }, createdAt: 0 },
    ...{ question: { goal: 'invest', amount: '5' }, last: { dueOn: '2026-01-01', at: 0, problem } },
  };
  const recurringPlans = { list: async () => [plan], readNextRuns: async () => [] };
  Object.assign(call, { recurringPlans });
  const { fields, viewData } = await runWith(listDraftsTool, {}, call);
  expect(viewData?.planProblems).toEqual({ p: { code: 'amount_over_cash', reason: 'Too much.' } });
  expect(fields?.plans).toEqual([expect.objectContaining({ planId: 'p', lastProblem: 'Too much. Take less.' })]);
});

test.each([
  [{ legs }, true],
  [{ draftId: 'd'.repeat(16), version: 1, legs }, true],
  [{ draftId: 'd'.repeat(16), legs }, false],
  [{ version: 1, legs }, false],
  [{ legs, name: 'n'.repeat(120) }, true],
  [{ legs, name: 'n'.repeat(121) }, false],
  [{ legs: [{ ...legs[0], reason: 'r'.repeat(300) }] }, true],
  [{ legs: [{ ...legs[0], reason: 'r'.repeat(301) }] }, false],
  [{ legs: [] }, false],
  [{ legs: Array.from({ length: 30 }, () => legs[0]) }, true],
  [{ legs: Array.from({ length: 31 }, () => legs[0]) }, false],
])('a draft to save is accepted or not by its form alone, row %#', (args, isValid) => {
  const numbers = { ...args, legs: args.legs.map((leg) => ({ ...leg, quantity: 3, limitPrice: 10 })) };
  expect(saveDraftTool.input.safeParse(numbers).success).toBe(isValid);
});

test('a warning of one leg alone is beside it', async () => {
  const { path, call } = await open();
  // 12 is above the last price of 10.
  const { draftId } = await path.saveDraft(legs.map((leg, at) => ({ ...leg, limitPrice: at === 0 ? '12' : '10' })));
  const shown = cellsOf(await runWith(listDraftsTool, { draftId }, call), 'leg', 'warnings');
  expect(shown).toEqual([
    [1, [expect.any(String)]],
    [2, null],
  ]);
});

test('a leg of which no price is known has no value', async () => {
  const { path, call } = await open();
  const getOrThrow = async (ticker: string) => ({ ticker, name: ticker, type: 'STOCK', currencyCode: 'GBP' });
  const directory = { ...path.drafts.directory, getOrThrow };
  Object.assign(call, { directory, drafts: { ...path.drafts, directory } });
  const { draftId } = await path.saveDraft([{ ...market, ticker: 'C' }]);
  const shown = await runWith(listDraftsTool, { draftId }, call);
  expect(cellsOf(shown, 'ticker', 'price', 'priceNow', 'value')).toEqual([['C', null, null, null]]);
  expect(shown.fields?.totals).toMatchObject({ bought: '0.00', unknownValues: 1 });
});

test('the orders of a draft that waits for approval do not refuse it themselves', async () => {
  // Two of its orders count already.
  const { path, call } = await open({ ordersPerHour: 3 }, true);
  const { draftId } = await path.saveDraft(legs);
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  await path.submissions.create({ draftId, version: 1 }, context);
  const { fields } = await runWith(listDraftsTool, { draftId }, call);
  expect([fields?.state, fields?.refused]).toEqual(['pending_approval', undefined]);
});

test('a leg has its order, its reason, the unit of its prices, and what the checks say of it', async () => {
  const { call } = await open({ maxOrderValue: '50' });
  const leg = { type: 'MARKET', ticker: 'A', side: 'BUY', quantity: '9', extendedHours: true, reason: 'It is cheap.' };
  const { fields: saved } = await runWith(saveDraftTool, { legs: [leg] }, call);
  const { list } = await runWith(listDraftsTool, { draftId: saved?.draftId }, call);
  const [first] = (list?.rows ?? []) as unknown[][];
  const row = Object.fromEntries((list?.columns ?? []).map((name, at) => [name, first?.[at]]));
  expect(row).toMatchObject({
    extendedHours: true,
    reason: 'It is cheap.',
    priceCurrency: 'GBP',
    rule: 'max_order_value',
  });
  expect(row.problem).toBe('At most £50.00 per order is allowed; this order may cost £91.80.');
});
