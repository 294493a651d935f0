/** Plans of one account with target weights over both: the expected figures are computed by hand. */
// @module-tag server
import { expect, test } from 'vitest';
import type { StartingAccount } from '../../../src/simulator/index.ts';
import { setup } from '../../support/setup.ts';
import { names, setupTwoAccounts } from '../../support/two-accounts.ts';

/** A Saturday, so that no price moves. */
const saturday = Date.UTC(2026, 0, 17, 12);

/** Shares at £10. */
const start = (
  id: number,
  cash: string,
  held: Readonly<Record<string, number>>,
  currency = 'GBP',
): StartingAccount => ({
  ...{
    id,
    currency,
    cash: { available: cash, reserved: '0', inPies: '0' },
    realisedProfitLoss: '0',
    pendingOrders: [],
  },
  positions: Object.entries(held).map(([name, quantity]) => ({
    ...{ ticker: tickerOf(name), openedAt: Date.UTC(2025, 0, 2), quantity: String(quantity), quantityInPies: '0' },
    ...{ averagePricePaid: '10', currentPrice: '10', currentValue: String(quantity * 10) },
    ...{ totalCost: String(quantity * 10), fxImpact: '0' },
  })),
  instruments: ['A', 'B'].map((name) => ({ ticker: tickerOf(name), currency })),
});

const tickerOf = (name: string): string => `${name}_EQ`;

const weights = (shares: Readonly<Record<string, number>>) =>
  Object.entries(shares).map(([name, weightPercent]) => ({ ticker: tickerOf(name), weightPercent }));

/** Invest has 60 A and £100, the ISA 20 A, 20 B and £100: £1,200 together. */
const both = { invest: start(7, '100', { A: 60 }), isa: start(8, '100', { A: 20, B: 20 }) };

// biome-ignore lint/suspicious/noExplicitAny: the fields of a result.
const legsOf = (body: any) => body.rows.map((row: unknown[]) => row.slice(1, 4));

// biome-ignore lint/suspicious/noExplicitAny: the fields of a result.
const shownWeights = ({ weights: { columns, rows } }: any) =>
  rows.map((row: unknown[]) =>
    ['ticker', 'valueBefore', 'percentBefore', 'percentTarget', 'valueAfter', 'percentAfter', 'because'].map(
      (name) => row[columns.indexOf(name)],
    ),
  );

const open = () => setupTwoAccounts({ startAt: saturday, starting: both });

test('Targets over all accounts count the shares and the cash of both, and the orders are of the named one', async () => {
  const { call, truth } = await open();
  const args = { account: 'invest', weightsOver: 'all', goal: 'rebalance', targets: weights({ A: 50, B: 30 }) };
  const { body } = await call('plan_orders', args);
  // 50 % of 1,200 is 600, and both have 80 A for 800; 30 % is 360, and there are 20 B for 200.
  expect(legsOf(body)).toEqual([
    ['SELL', '20', 'A_EQ'],
    ['BUY', '16', 'B_EQ'],
  ]);
  expect(shownWeights(body)).toEqual([
    ['A_EQ', '800.00', '66.6667', '50', '600.00', '50', null],
    ['B_EQ', '200.00', '16.6667', '30', '360.00', '30', null],
  ]);
  // The cash is that of invest: 100 + 200 - 160.
  expect([body.account, body.base, body.cash.before, body.cash.after]).toEqual([
    'invest',
    '1200.00',
    '100.00',
    '140.00',
  ]);
  const listed = await call('list_drafts');
  expect(listed.body.rows.map((row: unknown[]) => [row[0], row.at(-1)])).toEqual([[body.draftId, 'invest']]);
  expect(names.flatMap((name) => truth(name).pendingOrders)).toEqual([]);
});

test('What is above its target in the other account is a remark, and is not planned', async () => {
  const { call } = await open();
  const targets = weights({ A: 40, B: 40 });
  const { body } = await call('plan_orders', {
    ...{ account: 'isa', weightsOver: 'all', goal: 'rebalance', amount: 80, targets },
  });
  // 40 % of 1,200 is 480: 320 of A is too much, of which the ISA has 200; 280 of B is missing, and 200 + 80 pay for it.
  expect(legsOf(body)).toEqual([
    ['SELL', '20', 'A_EQ'],
    ['BUY', '28', 'B_EQ'],
  ]);
  expect(shownWeights(body)).toEqual([
    ['A_EQ', '800.00', '66.6667', '40', '600.00', '50', 'in_other_account'],
    ['B_EQ', '200.00', '16.6667', '40', '480.00', '40', null],
  ]);
  expect(body.notes.filter((note: string) => note.startsWith('A_EQ'))).toEqual([
    'A_EQ: £120.00 above its target is in invest, and is not sold by this plan.',
  ]);
  expect([body.base, body.cash.after]).toEqual(['1200.00', '20.00']);
});

test('An investment fills up what both accounts have least of, and a sale takes what both have too much of', async () => {
  const { call } = await open();
  const targets = weights({ A: 40, B: 40 });
  const over = { account: 'isa', weightsOver: 'all', targets };
  // Of 1,200, A has 800 and B 200: all of the 90 is for B.
  const invest = await call('plan_orders', { ...over, goal: 'invest', amount: 90 });
  expect(legsOf(invest.body)).toEqual([['BUY', '9', 'B_EQ']]);
  expect(shownWeights(invest.body)).toEqual([
    ['A_EQ', '800.00', '66.6667', '40', '800.00', '66.6667', 'above_target'],
    ['B_EQ', '200.00', '16.6667', '40', '290.00', '24.1667', 'cash'],
  ]);
  // 1,100 are left of 1,200, of which A should have 440.
  const raise = await call('plan_orders', { ...over, goal: 'raise', amount: 100 });
  expect(legsOf(raise.body)).toEqual([['SELL', '10', 'A_EQ']]);
  expect(shownWeights(raise.body).map((row: string[]) => row.slice(2, 6))).toEqual([
    ['66.6667', '40', '700.00', '63.6364'],
    ['16.6667', '40', '200.00', '18.1818'],
  ]);
  expect(raise.body.base).toBe('1100.00');
  // The ISA alone has 200 of each: with the 90 it has 490, of which 196 is the target; a sale takes from both.
  const alone = { account: 'isa', targets };
  const [one, other] = [
    await call('plan_orders', { ...alone, goal: 'invest', amount: 90 }),
    await call('plan_orders', { ...alone, goal: 'raise', amount: 100 }),
  ];
  expect(legsOf(one.body)).toEqual([]);
  expect(legsOf(other.body)).toEqual([
    ['SELL', '8', 'A_EQ'],
    ['SELL', '2', 'B_EQ'],
  ]);
});

const planAll = { account: 'invest', weightsOver: 'all', goal: 'rebalance', targets: weights({ A: 50, B: 50 }) };

test('An account that cannot be read refuses the plan with its code', async () => {
  const { call } = await setupTwoAccounts({
    ...{ startAt: saturday, starting: both },
    own: { isa: { credentials: { key: 'revoked', secret: 'x' } } },
  });
  const { isError, body } = await call('plan_orders', planAll);
  expect([isError, body.code, body.account]).toEqual([true, 'unauthorized', 'invest']);
  expect(body.missing).toEqual([expect.objectContaining({ account: 'isa', code: 'unauthorized' })]);
  expect(body.message).toBe('The weights over all accounts are unknown, because isa cannot be read.');
  expect((await call('list_drafts', { account: 'invest' })).body.drafts).toBe(0);
});

test('Accounts of two currencies have no weights over both', async () => {
  const starting = { ...both, isa: start(8, '100', { A: 20 }, 'EUR') };
  const { call } = await setupTwoAccounts({ startAt: saturday, starting });
  const { body } = await call('plan_orders', planAll);
  expect([body.code, body.message]).toEqual([
    'invalid_argument',
    'The accounts have different currencies (GBP, EUR), so there are no weights over all of them.',
  ]);
});

test('Two names of one account are refused, because the weights would count it twice', async () => {
  const { call } = await setupTwoAccounts({
    ...{ startAt: saturday, starting: { ...both, isa: both.invest } },
  });
  expect((await call('plan_orders', planAll)).body.code).toBe('not_configured');
});

test.each([
  ['another value', { ...planAll, weightsOver: 'isa' }, 'invalid_argument'],
  ['no targets', { account: 'isa', weightsOver: 'all', goal: 'invest', amount: 10 }, 'invalid_argument'],
  ['a plan that recurs', { ...planAll, every: 'month 1' }, 'invalid_argument'],
  ['no account', { ...planAll, account: undefined }, 'account_required'],
  ['all accounts', { ...planAll, account: 'all' }, 'account_required'],
])('Weights over all with %s are refused', async (_, args, code) => {
  const { call } = await open();
  const { isError, body } = await call('plan_orders', args);
  expect([isError, body.code]).toEqual([true, code]);
});

test('Only plan_orders of several accounts has the argument', async () => {
  const { client } = await open();
  const { tools } = await client.listTools();
  const having = tools.filter(({ inputSchema }) => inputSchema.properties?.weightsOver);
  expect(having.map(({ name }) => name)).toEqual(['plan_orders']);
  const alone = await setup();
  const { isError, body } = await alone.call('plan_orders', {
    ...{ goal: 'rebalance', targets: planAll.targets, weightsOver: 'all' },
  });
  expect([isError, body.code]).toEqual([true, 'invalid_argument']);
  const listed = (await alone.client.listTools()).tools.find(({ name }) => name === 'plan_orders');
  expect(listed?.inputSchema.properties).not.toHaveProperty('weightsOver');
});
