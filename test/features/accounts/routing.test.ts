/** What changes something reaches the account that the call names, and no other. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { tools } from '../../../src/app/registry.ts';
import { isAboutMarket, isQuestion } from '../../../src/core/mcp/tool.ts';
import { instructionsFor, withAccountArgument } from '../../../src/core/mcp/tool-listing.ts';
import { mergeRules } from '../../../src/features/accounts/merge-rules.ts';
import { listing, order } from '../../support/setup.ts';
import { listFigures } from '../../support/tool-list.ts';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

test('Every tool that does more than report needs the name of an account', async () => {
  const { call, simulator } = await setupTwoAccounts();
  for (const { name } of tools.filter((tool) => !isQuestion(tool)))
    for (const account of [undefined, 'all', 'ias', '']) {
      const { isError, body } = await call(name, account === undefined ? {} : { account });
      expect([name, isError, body.code, body.accounts]).toEqual([name, true, 'account_required', [...names]]);
    }
  expect(simulator.log).toEqual([]);
});

test.each(names)('An order for %s is in the books of this account alone', async (account) => {
  const { call, truth } = await setupTwoAccounts();
  const { body } = await call('place_limit_order', { ...order, account });
  expect([body.outcome, body.account]).toEqual(['placed', account]);
  for (const name of names)
    expect(truth(name).pendingOrders.map(({ id }) => id)).toEqual(name === account ? [body.orderId] : []);
});

test('The same order in both accounts is no duplicate', async () => {
  const { call, truth } = await setupTwoAccounts();
  for (const account of names)
    expect((await call('place_limit_order', { ...order, account })).body.outcome).toBe('placed');
  expect((await call('place_limit_order', { ...order, account: 'isa' })).body.coalesced).toBe(true);
  expect(names.map((name) => truth(name).pendingOrders.length)).toEqual([1, 1]);
});

test('An order of one account is not cancelled through the other, and is found with its account', async () => {
  const { call, truth, simulator, clock } = await setupTwoAccounts();
  const { body: placed } = await call('place_limit_order', { ...order, account: 'isa' });
  await call('cancel_order', { account: 'invest', orderId: placed.orderId });
  expect(truth('isa').pendingOrders).toHaveLength(1);
  // Past the rate limits of the two searches.
  for (const question of [{ orderId: placed.orderId }, { intentId: placed.intentId }]) {
    await clock.advance(120_000);
    const { body } = await call('get_order', question);
    expect([body.account, body.orderId]).toEqual(['isa', placed.orderId]);
    await clock.advance(120_000);
    expect((await call('get_order', { ...question, account: 'invest' })).body.code).toBe('not_found');
  }
  const listed = await call('list_orders');
  expect(listed.body.rows.map((row: unknown[]) => [row[0], row.at(-1)])).toEqual([[placed.orderId, 'isa']]);
  expect((await call('cancel_order', { account: 'isa', orderId: placed.orderId })).body.outcome).toBe('requested');
  const cancelled = simulator.log.filter(({ endpoint, status }) => endpoint === 'cancelOrder' && status === 200);
  expect(cancelled.map(({ account }) => account)).toEqual(['isa']);
});

test('A draft belongs to one account: the other neither lists, sends nor discards it', async () => {
  const { call, truth } = await setupTwoAccounts();
  const legs = [{ type: 'LIMIT', ...order }];
  const { body: draft } = await call('save_draft', { account: 'isa', legs });
  const { draftId, version } = draft;
  expect(draft.account).toBe('isa');
  const listed = await call('list_drafts');
  expect(listed.body.rows.map((row: unknown[]) => [row[0], row.at(-1)])).toEqual([[draftId, 'isa']]);
  for (const name of ['submit_draft', 'discard_draft']) {
    const args = { account: 'invest', draftId, ...(name === 'submit_draft' && { version }) };
    expect([name, (await call(name, args)).isError]).toEqual([name, true]);
  }
  const sent = await call('submit_draft', { account: 'isa', draftId, version });
  expect(sent.isError).toBe(false);
  expect([truth('invest').pendingOrders.length, truth('isa').pendingOrders.length]).toEqual([0, 1]);
});

test('Every question has a rule, or is about one account', () => {
  const without = tools.filter((tool) => isQuestion(tool) && !isAboutMarket(tool) && !mergeRules[tool.name]);
  expect(without.map(({ name }) => name)).toEqual(['preview_order']);
  expect(
    Object.keys(mergeRules).filter((name) => !tools.some((tool) => tool.name === name && isQuestion(tool))),
  ).toEqual([]);
});

test('A second account adds at most 150 tokens to the list of tools', async () => {
  const all = await listing();
  const added = (some: typeof all) => listFigures(withAccountArgument(some, names)).tokens - listFigures(some).tokens;
  expect(added(all)).toBeLessThanOrEqual(150);
  expect(added(all.filter((tool) => tool.annotations.readOnlyHint || tool.isInReadOnly))).toBeLessThanOrEqual(150);
});

test('With one account the list is the same object', async () => {
  const all = await listing();
  expect(withAccountArgument(all, [])).toBe(all);
  expect(withAccountArgument(all, ['isa'])).toBe(all);
});

test.each([
  ['sandbox', names],
  ['live', names],
  ['live', ['a'.repeat(20), 'b'.repeat(20), 'c', 'd', 'e']],
] as const)('The instructions in %s name the accounts within their 500 characters', (environment, accounts) => {
  for (const readOnly of [true, false]) {
    const text = instructionsFor({ environment, readOnly }, accounts);
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text.split('\n')[0]?.length).toBeLessThanOrEqual(120);
    if (accounts === names) expect(text).toContain('invest, isa');
  }
});

test.each(names)(
  'A preview for %s is of the shares, the orders and the cash of this account alone',
  async (account) => {
    const { call, truth, simulator } = await setupTwoAccounts();
    const other = account === 'isa' ? 'invest' : 'isa';
    await call('place_limit_order', { ...order, account: other });
    const preview = async (args: object) => (await call('preview_order', { ...order, type: 'LIMIT', ...args })).body;
    expect(await preview({})).toMatchObject({ code: 'account_required', accounts: [...names] });
    expect(await preview({ account: 'all' })).toMatchObject({ code: 'account_required' });
    const held = (name: (typeof names)[number]) =>
      truth(name).positions.find(({ ticker }) => ticker === order.ticker)?.quantity;
    const own = await preview({ account });
    expect([own.account, own.position.before, own.pendingOnTicker, own.passes]).toEqual([
      account,
      held(account),
      0,
      true,
    ]);
    const theirs = await preview({ account: other });
    expect([theirs.account, theirs.position.before, theirs.pendingOnTicker]).toEqual([other, held(other), 1]);
    // What the richer account can pay with the margin of 2 %, and the other cannot.
    const [poorer, richer] = names
      .map((name) => ({ name, cash: new Big(truth(name).cash.available) }))
      .toSorted((one, two) => one.cash.cmp(two.cash)) as [{ name: string; cash: Big }, { name: string; cash: Big }];
    const quantity = richer.cash.plus(poorer.cash).div(2).div('10.2').round(0, Big.roundDown).toFixed();
    const isPaid = async ({ name }: { name: string }) =>
      (await preview({ account: name, quantity })).checks.find(({ check }: { check: string }) => check === 'cash').ok;
    expect([await isPaid(poorer), await isPaid(richer)]).toEqual([false, true]);
    expect(
      simulator.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder').map(({ account: one }) => one),
    ).toEqual([other === 'invest' ? 'main' : 'isa']);
  },
);
