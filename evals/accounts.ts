/**
 * Two accounts of one person in one server: Invest and an ISA, which is exempt, or two taxable ones, whose shares are
 * matched together. The figures of each are those of its own books.
 */
import Big from 'big.js';
import { last, penny, rowsOf, rowWhere, sumOf } from './bodies.ts';
import {
  chargesOf,
  dividendsOf,
  marketValueOf,
  percentOf,
  type Range,
  tradesOf,
  transactionsOf,
  yearOf,
} from './expected/ledger.ts';
import { newOrderId, worthOf } from './expected/orders.ts';
import { ukGainsOf } from './expected/uk-gains.ts';
import type { Setting } from './run/environment.ts';
import type { Args, Body, Eval, Figures, ToolStep, Truth, WantedOrder } from './types.ts';

const lastTaxYear: Range = { from: Date.UTC(2024, 3, 5, 23), to: Date.UTC(2025, 3, 5, 23) };
const taxYear: Range = { from: Date.UTC(2025, 3, 5, 23), to: Date.UTC(2026, 3, 5, 23) };
const allowance = '20000';

const withIsa: Setting = { second: { name: 'isa', kind: 'isa' }, variables: { BROKER_ISA_ALLOWANCE: allowance } };
const bothTaxable: Setting = { second: { name: 'other', kind: 'invest' } };

type Books = Truth['books'];

/** The books of the second account. */
function secondOf({ second }: Truth): Books {
  if (!second) throw new Error('there is no second account');
  return second;
}

const both = (truth: Truth): readonly [Books, Books] => [truth.books, secondOf(truth)];
const sumOfBoth = (truth: Truth, figureOf: (books: Books) => string): string => sumOf(both(truth).map(figureOf));
const amountsOf = (rows: readonly { readonly amount: string }[]): string => sumOf(rows.map(({ amount }) => amount));
const worthNow = (books: Books): string => new Big(books.cash.total).plus(marketValueOf(books)).toFixed(2);
const costOf = ({ positions }: Books): string => sumOf(positions.map(({ totalCost }) => totalCost));
const resultOf = (books: Books): string => new Big(marketValueOf(books)).minus(costOf(books)).toFixed(2);
const paidInto = (books: Books, range: Range): string => amountsOf(transactionsOf(books, 'DEPOSIT', range));
const ukGain = (books: Books, range: Range): string =>
  Object.values(ukGainsOf(books, range))
    .reduce((sum, gain) => sum.plus(gain), new Big(0))
    .toFixed(2);
const disposalsOf = (books: Books, range: Range): string => {
  const sales = tradesOf(books, range).filter(({ order }) => order.side === 'SELL');
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
  return String(new Set(sales.map(({ order, at }) => `${order.ticker} ${day.format(at)}`)).size);
};
const positionsOf = (truth: Truth) =>
  both(truth)
    .flatMap(({ positions }, index) => positions.map((row) => ({ ...row, account: index === 0 ? 'invest' : 'isa' })))
    .sort((a, b) => new Big(b.currentValue).cmp(a.currentValue));

type Question = Pick<Eval, 'id' | 'words' | 'calls' | 'answer' | 'truth'> &
  Partial<Pick<Eval, 'orders' | 'writes' | 'placeCalls' | 'setting'>>;

const ask = (tool: string, args?: Args): readonly ToolStep[] => [{ tool, ...(args && { args }) }];

/** A figure of the result with the figure of the books. */
const figure = (
  id: string,
  words: string,
  [tool, args]: readonly [string, Args?],
  read: (body: Body) => Figures,
  truth: (truth: Truth) => Figures,
): Question => ({ id, words, calls: ask(tool, args), answer: (bodies) => read(last(bodies)), truth });

/** What is held and what it is worth. */
const holdings: readonly Question[] = [
  figure(
    'worth-of-both',
    'What are my Invest account and my ISA worth together, and how much of it is free cash?',
    ['get_account_summary'],
    ({ totalValue, cash }) => ({ worth: penny(totalValue), free: penny(cash.availableToTrade) }),
    (truth) => ({ worth: sumOfBoth(truth, worthNow), free: sumOfBoth(truth, ({ cash }) => cash.available) }),
  ),
  figure(
    'worth-of-each',
    'What is each of my two accounts worth by itself?',
    ['get_account_summary'],
    ({ accounts: { invest, isa } }) => ({ invest: penny(invest.totalValue), isa: penny(isa.totalValue) }),
    (truth) => ({ invest: worthNow(truth.books), isa: worthNow(secondOf(truth)) }),
  ),
  figure(
    'cash-in-the-isa',
    'How much cash can I still invest in my ISA?',
    ['get_account_summary', { account: 'isa' }],
    ({ account, cash }) => ({ account, free: penny(cash.availableToTrade) }),
    (truth) => ({ account: 'isa', free: penny(secondOf(truth).cash.available) }),
  ),
  figure(
    'holdings-of-both',
    'How many holdings do I have over both accounts, what are they worth, and how far up or down are they?',
    ['list_positions'],
    ({ positions, currentValue, unrealizedProfitLoss }) => ({
      ...{ holdings: String(positions), worth: penny(currentValue), result: penny(unrealizedProfitLoss) },
    }),
    (truth) => ({
      holdings: String(positionsOf(truth).length),
      worth: sumOfBoth(truth, marketValueOf),
      result: sumOfBoth(truth, resultOf),
    }),
  ),
  figure(
    'largest-of-both',
    'Which two positions are my largest in all accounts, and where are they?',
    ['list_positions', { limit: 2 }],
    (body) =>
      Object.fromEntries(
        rowsOf(body).flatMap(({ ticker, account, currentValue }, at) => [
          [`ticker${at + 1}`, ticker],
          [`account${at + 1}`, account],
          [`worth${at + 1}`, penny(currentValue)],
        ]),
      ),
    (truth) =>
      Object.fromEntries(
        positionsOf(truth)
          .slice(0, 2)
          .flatMap(({ ticker, account, currentValue }, at) => [
            [`ticker${at + 1}`, ticker],
            [`account${at + 1}`, account],
            [`worth${at + 1}`, penny(currentValue)],
          ]),
      ),
  ),
  figure(
    'holdings-of-the-isa',
    'What do I hold in the ISA: how many positions, and what is the largest worth?',
    ['list_positions', { account: 'isa' }],
    (body) => ({ holdings: String(rowsOf(body).length), largest: penny(rowsOf(body)[0]?.currentValue) }),
    (truth) => {
      const own = positionsOf(truth).filter(({ account }) => account === 'isa');
      return { holdings: String(own.length), largest: penny(own[0]?.currentValue ?? 0) };
    },
  ),
  figure(
    'one-share-in-both',
    'How many Velthane shares (QVELT_US_EQ) do I have in all, and what are they worth?',
    ['list_positions'],
    (body) => {
      const rows = rowsOf(body).filter(({ ticker }) => ticker === 'QVELT_US_EQ');
      return {
        shares: rows.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0)).toFixed(),
        worth: sumOf(rows.map(({ currentValue }) => currentValue)),
      };
    },
    (truth) => {
      const rows = positionsOf(truth).filter(({ ticker }) => ticker === 'QVELT_US_EQ');
      return {
        shares: rows.reduce((sum, { quantity }) => sum.plus(quantity), new Big(0)).toFixed(),
        worth: sumOf(rows.map(({ currentValue }) => currentValue)),
      };
    },
  ),
  figure(
    'held-in-both',
    'Which holdings do I have twice, in Invest and in the ISA? How many are there?',
    ['list_positions'],
    (body) => ({ twice: String(countTwice(rowsOf(body).map(({ ticker }) => ticker))) }),
    (truth) => ({ twice: String(countTwice(positionsOf(truth).map(({ ticker }) => ticker))) }),
  ),
  figure(
    'cost-of-both',
    'Over both accounts: what did I pay for what I hold, and what is the result?',
    ['analyze_portfolio'],
    ({ cost, profitLoss, holdingsValue }) => ({ cost, result: profitLoss, worth: holdingsValue }),
    (truth) => ({
      cost: sumOfBoth(truth, costOf),
      result: sumOfBoth(truth, resultOf),
      worth: sumOfBoth(truth, marketValueOf),
    }),
  ),
  figure(
    'pence-in-the-isa',
    'How much of the ISA is in shares quoted in pence?',
    ['analyze_portfolio', { by: 'currency', account: 'isa' }],
    (body) => {
      const { value, weightPercent } = rowWhere(body, ({ group }) => group === 'GBX');
      return { value, sharePercent: weightPercent };
    },
    (truth) => weightOf(truth, secondOf(truth), 'GBX'),
  ),
  figure(
    'dollars-in-each',
    'What percentage of each account is in dollars?',
    ['analyze_portfolio', { by: 'currency' }],
    (body) =>
      Object.fromEntries(
        ['invest', 'isa'].map((name) => [
          `${name}Percent`,
          rowWhere(body, ({ group, account }) => group === 'USD' && account === name).weightPercent,
        ]),
      ),
    (truth) => ({
      investPercent: weightOf(truth, truth.books, 'USD').sharePercent ?? '',
      isaPercent: weightOf(truth, secondOf(truth), 'USD').sharePercent ?? '',
    }),
  ),
];

const countTwice = (tickers: readonly string[]): number =>
  new Set(tickers.filter((ticker, at) => tickers.indexOf(ticker) !== at)).size;

function weightOf({ world }: Truth, books: Books, currency: string): Figures {
  const chosen = books.positions.filter(({ ticker }) => world.get(ticker).currency === currency);
  const value = sumOf(chosen.map(({ currentValue }) => currentValue));
  return { value, sharePercent: percentOf(value, marketValueOf(books)) };
}

/** A tax return leaves the ISA out. */
const tax: readonly Question[] = [
  figure(
    'gains-to-declare',
    'What capital gains do I have to declare for 2024/25, with my ISA beside? How many disposals?',
    ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2024/25' }],
    ({ totals, exempt, taxReturn }) => ({
      ...{ gain: totals.gain, exempt: exempt.join(), disposals: String(taxReturn.disposals) },
    }),
    ({ books }) => ({
      ...{ gain: ukGain(books, lastTaxYear), exempt: 'isa', disposals: disposalsOf(books, lastTaxYear) },
    }),
  ),
  figure(
    'gains-so-far',
    'And the gains of this tax year so far?',
    ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2025/26' }],
    ({ totals, account }) => ({ gain: totals.gain, account }),
    ({ books }) => ({ gain: ukGain(books, taxYear), account: 'invest' }),
  ),
  figure(
    'gains-in-the-isa',
    'What did I gain in the ISA in 2024/25, by the same rules? I know that it is not taxed.',
    ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2024/25', account: 'isa' }],
    ({ totals, taxReturn }) => ({ gain: totals.gain, taxReturn: taxReturn === undefined ? 'none' : 'there' }),
    (truth) => ({ gain: ukGain(secondOf(truth), lastTaxYear), taxReturn: 'none' }),
  ),
  figure(
    'results-of-both',
    'By the broker’s own figures, what did my sales of 2025 realise in both accounts together?',
    ['summarize_realised_gains', { method: 'broker', since: '2025-01-01', until: '2026-01-01' }],
    ({ totals }) => ({ realised: totals.gain }),
    (truth) => ({
      realised: sumOfBoth(truth, (books) =>
        sumOf(tradesOf(books, yearOf(2025)).map(({ fill }) => fill.realisedProfitLoss)),
      ),
    }),
  ),
  figure(
    'paid-into-the-isa',
    'How much did I pay into the ISA in 2024/25?',
    ['summarize_dividends', { groupBy: 'year', taxYear: '2024/25' }],
    ({ isaSubscriptions: { amount, complete } }) => ({ paid: amount, complete: String(complete) }),
    (truth) => ({ paid: paidInto(secondOf(truth), lastTaxYear), complete: 'true' }),
  ),
  figure(
    'allowance-left',
    'How much of my ISA allowance is left this tax year?',
    ['summarize_dividends', { groupBy: 'year', taxYear: '2025/26' }],
    ({ isaSubscriptions: { left, allowance: all } }) => ({ left, allowance: all }),
    (truth) => ({ left: new Big(allowance).minus(paidInto(secondOf(truth), taxYear)).toFixed(2), allowance }),
  ),
  figure(
    'dividends-to-declare',
    'Which dividends of 2024/25 do I have to declare?',
    ['summarize_dividends', { groupBy: 'ticker', taxYear: '2024/25' }],
    ({ total, exempt }) => ({ total, exempt: exempt.join() }),
    ({ books }) => ({ total: amountsOf(dividendsOf(books, lastTaxYear)), exempt: 'isa' }),
  ),
];

/** What happened in both. */
const history: readonly Question[] = [
  figure(
    'dividends-of-both',
    'What did all my holdings pay in 2025, in both accounts?',
    ['summarize_dividends', { groupBy: 'year', since: '2025-01-01', until: '2026-01-01' }],
    ({ total, count }) => ({ total, payments: String(count) }),
    (truth) => ({
      total: sumOfBoth(truth, (books) => amountsOf(dividendsOf(books, yearOf(2025)))),
      payments: String(both(truth).flatMap((books) => dividendsOf(books, yearOf(2025))).length),
    }),
  ),
  figure(
    'dividends-in-the-isa',
    'And how much of that was in the ISA?',
    ['summarize_dividends', { groupBy: 'year', since: '2025-01-01', until: '2026-01-01', account: 'isa' }],
    ({ total }) => ({ total }),
    (truth) => ({ total: amountsOf(dividendsOf(secondOf(truth), yearOf(2025))) }),
  ),
  figure(
    'costs-of-both',
    'What did trading cost me in 2025 over all accounts, and in each?',
    ['summarize_costs', { groupBy: 'year', since: '2025-01-01', until: '2026-01-01' }],
    ({ total, accounts: { invest, isa } }) => ({ total, invest: invest.total, isa: isa.total }),
    (truth) => {
      const costs = (books: Books) => amountsOf(chargesOf(books, yearOf(2025)));
      return { total: sumOfBoth(truth, costs), invest: costs(truth.books), isa: costs(secondOf(truth)) };
    },
  ),
  figure(
    'money-in-and-out',
    'Over all time and both accounts, what did I pay in, and what did dividends bring?',
    ['calculate_returns', { period: 'all' }],
    ({ moneyIn, dividends, value }) => ({ moneyIn, dividends, worth: value }),
    (truth) => ({
      moneyIn: sumOfBoth(truth, (books) => amountsOf(transactionsOf(books, 'DEPOSIT'))),
      dividends: sumOfBoth(truth, ({ dividends }) => amountsOf(dividends)),
      worth: sumOfBoth(truth, worthNow),
    }),
  ),
  figure(
    'last-deal-anywhere',
    'What was the last payment into or out of any of my accounts, and which account was it?',
    ['fetch_history', { kind: 'transactions', limit: 1 }],
    (body) => {
      const [row = {}] = rowsOf(body);
      return { amount: penny(row.amount), account: row.account };
    },
    (truth) => {
      const [newest] = both(truth)
        .flatMap(({ transactions }, index) =>
          transactions.map((row) => ({ ...row, account: index === 0 ? 'invest' : 'isa' })),
        )
        .sort((a, b) => b.at - a.at);
      return { amount: penny(newest?.amount ?? 0), account: newest?.account ?? '' };
    },
  ),
];

/** Below its price, so that it rests. */
const resting = { ticker: 'QHALD_US_EQ', side: 'BUY', quantity: 2, limitPrice: 68, timeValidity: 'DAY' } as const;
const wanted = { ticker: 'QHALD_US_EQ', type: 'LIMIT', quantity: '2', limitPrice: '68', timeInForce: 'DAY' } as const;
const pendingInIsa: WantedOrder = { ...wanted, ends: 'pending', isInSecond: true };

/** In this order: each leaves the next one its orders. */
const writes: readonly Question[] = [
  figure(
    'a-preview-in-the-isa',
    'What would 5 Velthane shares cost me in the ISA at the market? Do not buy.',
    ['preview_order', { account: 'isa', type: 'MARKET', ticker: 'QVELT_US_EQ', side: 'BUY', quantity: 5 }],
    ({ account, estimate }) => ({ account, cost: estimate.value }),
    (truth) => ({ account: 'isa', cost: worthOf(truth, 'QVELT_US_EQ', 5) }),
  ),
  {
    ...figure(
      'an-order-without-an-account',
      'Buy 2 Haldersten (QHALD_US_EQ) at 68 dollars, today only. I did not say in which account, so ask me.',
      ['place_limit_order', resting],
      ({ code, accounts }) => ({ code, choices: (accounts as string[]).join() }),
      () => ({ code: 'account_required', choices: 'invest,isa' }),
    ),
    orders: [],
    placeCalls: 1,
  },
  {
    ...figure(
      'an-order-in-the-isa',
      'In the ISA, then: 2 Haldersten (QHALD_US_EQ) at 68 dollars, today only. What is its number?',
      ['place_limit_order', { ...resting, account: 'isa' }],
      ({ account, orderId }) => ({ account, order: orderId }),
      (truth) => ({ account: 'isa', order: newOrderId(truth) }),
    ),
    orders: [pendingInIsa],
  },
  {
    ...figure(
      'the-same-in-invest',
      'And the same order in Invest, on purpose. What is its number?',
      ['place_limit_order', { ...resting, account: 'invest' }],
      ({ account, orderId }) => ({ account, order: orderId }),
      (truth) => ({ account: 'invest', order: newOrderId(truth) }),
    ),
    orders: [{ ...wanted, ends: 'pending' }],
  },
  figure(
    'orders-of-both',
    'Which of my orders wait, in which accounts?',
    ['list_orders'],
    (body) => ({
      pending: String(body.pending),
      ...Object.fromEntries(
        ['invest', 'isa'].map((name) => [name, String(rowsOf(body).filter((row) => row.account === name).length)]),
      ),
    }),
    (truth) => ({
      pending: String(both(truth).flatMap(({ pendingOrders }) => pendingOrders).length),
      invest: String(truth.books.pendingOrders.length),
      isa: String(secondOf(truth).pendingOrders.length),
    }),
  ),
  {
    ...figure(
      'cancel-in-one',
      'Cancel what waits in the ISA, and leave Invest alone. What is left in each?',
      ['cancel_order', { account: 'isa', all: true }],
      ({ pending, accounts }) => ({
        invest: String(accounts.invest.pending),
        isa: String(accounts.isa.pending),
        all: String(pending),
      }),
      (truth) => ({
        invest: String(truth.books.pendingOrders.length),
        isa: String(secondOf(truth).pendingOrders.length),
        all: '1',
      }),
    ),
    calls: [
      { tool: 'cancel_order', args: { account: 'isa', all: true } },
      { tool: 'list_orders', afterSeconds: 0.7 },
    ],
    orders: [],
    writes: ['cancelOrder'],
  },
  {
    id: 'a-draft-in-one',
    words: 'Keep a draft of these 2 Haldersten at 68 in the ISA. How many drafts does each account have now?',
    calls: [
      { tool: 'save_draft', args: { account: 'isa', legs: [{ type: 'LIMIT', ...resting }] } },
      { tool: 'list_drafts' },
    ],
    answer: (bodies) => {
      const { accounts: found, drafts } = last(bodies);
      return { all: String(drafts), invest: String(found.invest.drafts), isa: String(found.isa.drafts) };
    },
    truth: () => ({ all: '1', invest: '0', isa: '1' }),
    orders: [],
  },
  {
    id: 'a-watch-in-one',
    words: 'Tell me when my Velthane in the ISA (QVELT_US_EQ) moves 5 percent. What do you watch in each account?',
    calls: [
      { tool: 'watch', args: { account: 'isa', ticker: 'QVELT_US_EQ', when: 'moves 5' } },
      { tool: 'watch', args: { account: 'invest' } },
      { tool: 'watch', args: { account: 'isa' } },
    ],
    answer: ([, invest = {}, isa = {}]) => ({
      invest: String(rowsOf(invest).length),
      isa: rowsOf(isa)
        .map(({ ticker }) => ticker)
        .join(),
    }),
    truth: () => ({ invest: '0', isa: 'QVELT_US_EQ' }),
  },
];

/** One person, two accounts that are taxed. */
const poolOf = (truth: Truth): Books => ({ ...truth.books, history: both(truth).flatMap((books) => books.history) });

const taxable: readonly Question[] = [
  figure(
    'gains-of-one-person',
    'I have two taxable accounts. What gains do I declare for 2024/25, with one pool for each share?',
    ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2024/25' }],
    ({ totals, taxReturn, account }) => ({ gain: totals.gain, account, disposals: String(taxReturn.disposals) }),
    (truth) => ({
      gain: ukGain(poolOf(truth), lastTaxYear),
      account: 'all',
      disposals: disposalsOf(poolOf(truth), lastTaxYear),
    }),
  ),
  figure(
    'gains-so-far-of-one-person',
    'And those of this tax year so far, over both?',
    ['summarize_realised_gains', { method: 'uk_section_104', taxYear: '2025/26' }],
    ({ totals }) => ({ gain: totals.gain }),
    (truth) => ({ gain: ukGain(poolOf(truth), taxYear) }),
  ),
].map((one) => ({ ...one, setting: bothTaxable }));

/** Each reads the newest rows of both again, and both accounts. */
const known = { cold: 12, warm: 12 };

export const accounts: readonly Eval[] = [...holdings, ...tax, ...history, ...writes, ...taxable].map((one) => ({
  setting: withIsa,
  ...one,
  group: 'accounts',
  requests: known,
  shares: true,
}));
