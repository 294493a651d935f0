/** Questions about the portfolio, as they are typed into a chat. */
import Big from 'big.js';
import { last, penny, rowsOf, rowWhere, sumOf } from './bodies.ts';
import { expectedIncome } from './expected/income.ts';
import {
  always,
  chargesOf,
  dividendsOf,
  holdingOf,
  largestOf,
  lifeOf,
  marketValueOf,
  percentOf,
  type Range,
  sumsBy,
  tradesOf,
  transactionsOf,
  yearOf,
} from './expected/ledger.ts';
import { ukGainsOf } from './expected/uk-gains.ts';
import type { Eval, Truth } from './types.ts';

/**
 * Pages of fifty: 240 dividends, 120 transactions and 600 rows of orders, where one more request checks whether the
 * service skips rows between two pages.
 */
const pages = { orders: 13, dividends: 5, transactions: 3 } as const;

/** 6 April 2025 in London. */
const taxYearStart = Date.UTC(2025, 3, 5, 23);

/** What the owner paid in and took out. */
const externalOf = (books: Truth['books'], range: Range) => [
  ...transactionsOf(books, 'DEPOSIT', range),
  ...transactionsOf(books, 'WITHDRAW', range),
];

const nameOf = ({ world }: Truth, ticker: string) => world.get(ticker).name;

/** The holdings whose instrument passes, added up. */
function exposure(truth: Truth, test: (instrument: ReturnType<Truth['world']['get']>) => boolean) {
  const { books, world } = truth;
  const value = sumOf(
    books.positions.filter(({ ticker }) => test(world.get(ticker))).map(({ currentValue }) => currentValue),
  );
  return { value, sharePercent: percentOf(value, marketValueOf(books)) };
}

const groupOf = (body: Parameters<typeof rowWhere>[0], name: string) => {
  const { value, weightPercent } = rowWhere(body, ({ group }) => group === name);
  return { value, sharePercent: weightPercent };
};

const list: readonly Omit<Eval, 'group'>[] = [
  {
    id: 'what-do-i-own',
    words: 'What do I own, what is it all worth today, and am I up or down on it?',
    calls: [{ tool: 'list_positions' }],
    answer: ([body = {}]) => ({
      holdings: String(body.positions),
      value: body.currentValue,
      result: body.unrealizedProfitLoss,
      largest: rowsOf(body)[0]?.name,
    }),
    truth: (truth) => ({
      holdings: String(truth.books.positions.length),
      value: marketValueOf(truth.books),
      result: new Big(marketValueOf(truth.books))
        .minus(sumOf(truth.books.positions.map((row) => row.totalCost)))
        .toFixed(2),
      largest: nameOf(
        truth,
        largestOf(Object.fromEntries(truth.books.positions.map((row) => [row.ticker, row.currentValue])))[0],
      ),
    }),
    requests: { cold: 1, warm: 1 },
  },
  {
    id: 'free-cash',
    words: 'How much cash can I spend right now, and what is the whole account worth?',
    calls: [{ tool: 'get_account_summary' }],
    answer: ([body = {}]) => ({ cash: penny(body.cash.availableToTrade), account: penny(body.totalValue) }),
    truth: ({ books }) => ({
      cash: penny(books.cash.available),
      account: new Big(books.cash.total).plus(marketValueOf(books)).toFixed(2),
    }),
    requests: { cold: 1, warm: 1 },
    meanwhile: ({ inject }) => inject.transfer('-1250.75'),
  },
  {
    id: 'three-largest',
    words: 'Which three holdings are the largest, and how much of my investments is each of them, in percent?',
    calls: [{ tool: 'analyze_portfolio', args: { by: 'instrument', top: 3 } }],
    answer: ([body = {}]) =>
      Object.fromEntries(
        rowsOf(body)
          .slice(0, 3)
          .flatMap(({ name, weightPercent }, at) => [
            [`name${at + 1}`, name],
            [`share${at + 1}Percent`, weightPercent],
          ]),
      ),
    truth: (truth) =>
      Object.fromEntries(
        truth.books.positions
          .toSorted((a, b) => new Big(b.currentValue).cmp(a.currentValue))
          .slice(0, 3)
          .flatMap(({ ticker, currentValue }, at) => [
            [`name${at + 1}`, nameOf(truth, ticker)],
            [`share${at + 1}Percent`, percentOf(currentValue, marketValueOf(truth.books))],
          ]),
      ),
    requests: { cold: 2, warm: 2 },
  },
  {
    id: 'worst-holding',
    words: 'Which of my shares has done worst in percent, and how much have I lost on it in pounds?',
    calls: [{ tool: 'list_positions', args: { sort: 'profitLossPercent' } }],
    answer: ([body = {}]) => {
      const { name, profitLossPercent, unrealizedProfitLoss } = rowsOf(body).at(-1) ?? {};
      return { name, resultPercent: profitLossPercent, result: unrealizedProfitLoss };
    },
    truth: (truth) => {
      const [worst] = truth.books.positions
        .map(({ ticker, currentValue, totalCost }) => {
          const result = new Big(currentValue).minus(totalCost);
          return { ticker, result, percent: result.div(totalCost).times(100) };
        })
        .sort((a, b) => a.percent.cmp(b.percent));
      if (!worst) throw new Error('nothing is held');
      const { ticker, percent, result } = worst;
      return { name: nameOf(truth, ticker), resultPercent: percent.toFixed(2), result: penny(result) };
    },
    requests: { cold: 1, warm: 1 },
  },
  {
    id: 'dividends-by-month',
    words: 'List my dividends for each month of 2025, with the total for the year.',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'month', since: '2025-01-01', until: '2026-01-01' } }],
    answer: ([body = {}]) => ({
      ...Object.fromEntries(rowsOf(body).map(({ month, amount }) => [month, amount])),
      total: body.total,
    }),
    truth: ({ books }) => {
      const rows = dividendsOf(books, yearOf(2025));
      return {
        ...sumsBy(
          rows,
          ({ at }) => new Date(at).toISOString().slice(0, 7),
          ({ amount }) => amount,
        ),
        total: sumOf(rows.map(({ amount }) => amount)),
      };
    },
    requests: { cold: pages.dividends + 2, warm: 3 },
  },
  {
    id: 'dividends-to-come',
    words: 'What did dividends bring in the last twelve months, and what would that be next year with what I hold now?',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'year', project: true } }],
    answer: ([body = {}]) => ({ received: body.trailingTwelveMonths.amount, expected: body.projection.total }),
    truth: ({ books, at }) => expectedIncome(books, at),
    requests: { cold: pages.dividends + 2, warm: 3 },
  },
  {
    id: 'dividends-of-one',
    words: 'How much has Bramthwick Water paid me in dividends since the start of 2024?',
    calls: [
      { tool: 'search_instruments', args: { query: 'Bramthwick Water', limit: 3 } },
      {
        tool: 'summarize_dividends',
        args: ([found = {}]) => ({ groupBy: 'year', since: '2024-01-01', ticker: rowsOf(found)[0]?.ticker }),
      },
    ],
    answer: (bodies) => ({ total: last(bodies).total, payments: String(last(bodies).count) }),
    truth: ({ books }) => {
      const rows = dividendsOf(books, { from: Date.UTC(2024, 0), to: Number.POSITIVE_INFINITY }, 'QBRAMl_EQ');
      return { total: sumOf(rows.map(({ amount }) => amount)), payments: String(rows.length) };
    },
    // The search reads the positions as well, because what is held comes first.
    requests: { cold: pages.dividends + 4, warm: 4 },
  },
  {
    id: 'costs-by-kind',
    words: 'What have fees and taxes cost me since I opened the account, and how much of it was stamp duty?',
    calls: [{ tool: 'summarize_costs', args: { groupBy: 'name' } }],
    answer: ([body = {}]) => ({
      total: body.total,
      stampDuty: rowWhere(body, ({ name }) => name === 'STAMP_DUTY_RESERVE_TAX').amount,
    }),
    truth: ({ books }) => {
      const charges = chargesOf(books);
      const stampDuty = charges.filter(({ name }) => name === 'STAMP_DUTY_RESERVE_TAX');
      return {
        total: sumOf(charges.map(({ amount }) => amount)),
        stampDuty: sumOf(stampDuty.map(({ amount }) => amount)),
      };
    },
    requests: { cold: pages.orders + pages.transactions + 1, warm: 3 },
  },
  {
    id: 'costliest-share',
    words: 'Which share cost me the most in charges in 2025, and how much?',
    calls: [{ tool: 'summarize_costs', args: { groupBy: 'ticker', since: '2025-01-01', until: '2026-01-01' } }],
    answer: ([body = {}]) => {
      const [first = {}] = rowsOf(body)
        .filter(({ ticker }) => /^[A-Z./]+(_[A-Z]+|[a-z]?_EQ|_[A-Z]+_EQ)?$/.test(ticker))
        .sort((a, b) => new Big(b.amount).cmp(a.amount));
      return { ticker: first.ticker, charges: first.amount };
    },
    truth: ({ books }) => {
      const charges = chargesOf(books, yearOf(2025)).filter(({ ticker }) => ticker !== undefined);
      const [ticker, sum] = largestOf(
        sumsBy(
          charges,
          ({ ticker: name }) => name ?? '',
          ({ amount }) => amount,
        ),
      );
      return { ticker, charges: sum };
    },
    requests: { cold: pages.orders + pages.transactions + 1, warm: 3 },
  },
  {
    id: 'gains-of-the-tax-year',
    words: 'What are my realised capital gains so far in the UK tax year 2025/26, by the HMRC rules?',
    calls: [{ tool: 'summarize_realised_gains', args: { method: 'uk_section_104', taxYear: '2025/26' } }],
    answer: ([body = {}]) => ({ gain: body.totals.gain, tickers: String(body.byTicker.rows.length) }),
    truth: ({ books }) => {
      const gains = ukGainsOf(books, { from: Date.UTC(2025, 3, 6), to: Date.UTC(2026, 3, 6) });
      return { gain: sumOf(Object.values(gains).map(String)), tickers: String(Object.keys(gains).length) };
    },
    // Dividends can be returned capital, the shares left are compared with the positions of the account, and the list of
    // instruments tells which foreign shares are funds.
    requests: { cold: pages.orders + pages.dividends + 2, warm: 3 },
  },
  {
    id: 'gains-by-the-broker',
    words: 'What profit did I take in 2025 according to the broker, and on which share the most?',
    calls: [
      {
        tool: 'summarize_realised_gains',
        args: { method: 'broker', since: '2025-01-01', until: '2026-01-01' },
      },
    ],
    answer: ([body = {}]) => {
      const [best = {}] = rowsOf(body.byTicker).sort((a, b) => new Big(b.gain).cmp(a.gain));
      return { gain: body.totals.gain, best: best.ticker, bestGain: best.gain };
    },
    truth: ({ books }) => {
      const sales = tradesOf(books, yearOf(2025)).filter(({ order }) => order.side === 'SELL');
      const [best, bestGain] = largestOf(
        sumsBy(
          sales,
          ({ order }) => order.ticker,
          ({ fill }) => fill.realisedProfitLoss,
        ),
      );
      return { gain: sumOf(sales.map(({ fill }) => fill.realisedProfitLoss)), best, bestGain };
    },
    // Two requests more than the history: the shares left are compared with the positions of the account, and a first
    // read that takes longer than a page is shared reads the newest page once more.
    requests: { cold: pages.orders + 2, warm: 2 },
  },
  {
    id: 'up-or-down',
    words: 'All in all, how much money have I made since I opened the account, and what is that per year?',
    calls: [{ tool: 'calculate_returns' }],
    answer: ([body = {}]) => ({ gain: body.gain, yearlyPercent: body.moneyWeighted.annualPercent }),
    truth: ({ books, at }) => {
      const { gain, yearlyPercent } = lifeOf(books, at);
      return { gain, yearlyPercent };
    },
    requests: { cold: pages.orders + pages.dividends + pages.transactions + 2, warm: 5 },
  },
  {
    id: 'this-tax-year',
    words: 'How did I do this tax year? My app says the account was worth 88,000.50 pounds when it began.',
    calls: [{ tool: 'calculate_returns', args: { period: 'taxYear', valueAtStart: 88_000.5 } }],
    answer: ([body = {}]) => ({ gain: body.gain, paidIn: body.netDeposits }),
    truth: ({ books, at }) => {
      const paidIn = sumOf(externalOf(books, { from: taxYearStart, to: at + 1 }).map(({ amount }) => amount));
      const value = new Big(books.cash.total).plus(marketValueOf(books));
      return { gain: value.minus('88000.5').minus(paidIn).toFixed(2), paidIn };
    },
    requests: { cold: pages.orders + pages.dividends + pages.transactions + 2, warm: 5 },
  },
  {
    id: 'this-tax-year-without-a-value',
    words: 'Have I made money since 6 April? I do not know what it was worth then.',
    calls: [{ tool: 'calculate_returns', args: { period: 'taxYear' } }],
    answer: ([body = {}]) => ({
      gain: body.gain ?? 'unknown',
      dividends: body.dividends,
      interest: body.interest,
      realised: body.realised,
    }),
    truth: ({ books, at }) => {
      const range = { from: taxYearStart, to: at + 1 };
      return {
        gain: 'unknown',
        dividends: sumOf(dividendsOf(books, range).map(({ amount }) => amount)),
        interest: sumOf(transactionsOf(books, 'INTEREST_ON_FREE_CASH', range).map(({ amount }) => amount)),
        realised: sumOf(tradesOf(books, range).map(({ fill }) => fill.realisedProfitLoss)),
      };
    },
    requests: { cold: pages.orders + pages.dividends + pages.transactions + 2, warm: 5 },
  },
  {
    id: 'total-return-of-one',
    words: 'What has my dividend fund QDIVIl_EQ made me in all, dividends and charges included?',
    calls: [{ tool: 'calculate_returns', args: { ticker: 'QDIVIl_EQ' } }],
    answer: ([body = {}]) => ({ gain: body.gain, dividends: body.dividends, charges: body.charges }),
    truth: ({ books }) => {
      const fills = tradesOf(books).filter(({ order }) => order.ticker === 'QDIVIl_EQ');
      const sides = (side: 'BUY' | 'SELL') =>
        sumOf(fills.filter(({ order }) => order.side === side).map(({ fill }) => fill.netValue));
      const dividends = sumOf(dividendsOf(books, always, 'QDIVIl_EQ').map(({ amount }) => amount));
      const value = new Big(holdingOf(books, 'QDIVIl_EQ').currentValue);
      return {
        gain: value.plus(sides('SELL')).plus(dividends).minus(sides('BUY')).toFixed(2),
        dividends,
        charges: sumOf(fills.flatMap(({ fill }) => fill.taxes.map(({ quantity }) => quantity))),
      };
    },
    requests: { cold: pages.orders + pages.dividends + pages.transactions + 2, warm: 5 },
  },
  {
    id: 'dollars',
    words: 'How much of my investments is in US dollars, in pounds and in percent?',
    calls: [{ tool: 'analyze_portfolio', args: { by: 'currency' } }],
    answer: ([body = {}]) => groupOf(body, 'USD'),
    truth: (truth) => exposure(truth, ({ currency }) => currency === 'USD'),
    requests: { cold: 2, warm: 2 },
  },
  {
    id: 'ireland',
    words: 'My funds are Irish. How much is domiciled in Ireland, and what share of what I hold is that?',
    calls: [{ tool: 'analyze_portfolio', args: { by: 'country' } }],
    answer: ([body = {}]) => groupOf(body, 'IE'),
    truth: (truth) => exposure(truth, ({ isin }) => isin.startsWith('IE')),
    requests: { cold: 2, warm: 2 },
  },
  {
    id: 'paid-in',
    words: 'How much have I paid into the account over the years, and how much have I taken out?',
    calls: [{ tool: 'fetch_history', args: { kind: 'transactions', limit: 500, waitSeconds: 50 } }],
    // One result does not hold all rows; its sums cover them.
    answer: ([body = {}]) => {
      const sums = body.sums as readonly { type: string; amount: string }[];
      const sum = (wanted: string) => sumOf(sums.flatMap(({ type, amount }) => (type === wanted ? [amount] : [])));
      return { paidIn: sum('DEPOSIT'), takenOut: new Big(sum('WITHDRAW')).abs().toFixed(2) };
    },
    truth: ({ books, at }) => {
      const { paidIn, takenOut } = lifeOf(books, at);
      return { paidIn, takenOut };
    },
    requests: { cold: pages.transactions, warm: 1 },
  },
  {
    id: 'last-trades',
    words: 'What were my last three trades, and what did each of them move in cash?',
    calls: [{ tool: 'fetch_history', args: { kind: 'orders', limit: 3 } }],
    answer: ([body = {}]) =>
      Object.fromEntries(
        rowsOf(body).flatMap(({ ticker, netValue }, at) => [
          [`ticker${at + 1}`, ticker],
          [`cash${at + 1}`, netValue],
        ]),
      ),
    truth: ({ books }) =>
      Object.fromEntries(
        tradesOf(books)
          .slice(-3)
          .reverse()
          .flatMap(({ order, fill }, at) => [
            [`ticker${at + 1}`, order.ticker],
            [`cash${at + 1}`, fill.netValue],
          ]),
      ),
    // The result needs only the newest page; the rest of the history is read in the background, once.
    requests: { cold: pages.orders, warm: 1 },
  },
  {
    id: 'pence-per-share',
    words: 'What did I pay per share for Wexorel Energy, in pounds, and what is my holding worth now?',
    calls: [{ tool: 'list_positions' }],
    answer: ([body = {}]) => {
      const row = rowWhere(body, ({ name }) => name === 'Wexorel Energy plc');
      const pounds = new Big(row.averagePricePaid).div(row.currency === 'GBX' ? 100 : 1);
      return { paidPerShare: penny(pounds), value: row.currentValue };
    },
    truth: ({ books }) => {
      const { averagePricePaid, currentValue } = holdingOf(books, 'ZWEXOl_EQ');
      return { paidPerShare: penny(new Big(averagePricePaid).div(100)), value: currentValue };
    },
    requests: { cold: 1, warm: 1 },
  },
  {
    id: 'interest',
    words: 'How much interest did I get on my cash in 2025?',
    calls: [
      {
        tool: 'fetch_history',
        args: {
          kind: 'transactions',
          type: 'INTEREST_ON_FREE_CASH',
          since: '2025-01-01',
          until: '2026-01-01',
          limit: 500,
          waitSeconds: 50,
        },
      },
    ],
    answer: ([body = {}]) => ({ interest: sumOf(rowsOf(body).map(({ amount }) => amount)) }),
    truth: ({ books }) => ({
      interest: sumOf(transactionsOf(books, 'INTEREST_ON_FREE_CASH', yearOf(2025)).map(({ amount }) => amount)),
    }),
    // The summary has the currency of the account, and so the zone of its days.
    requests: { cold: pages.transactions + 1, warm: 1 },
  },
];

export const portfolio: readonly Eval[] = list.map((one) => ({ ...one, group: 'portfolio' }));
