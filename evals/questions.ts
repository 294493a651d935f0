/**
 * What people ask an assistant about their account, most of them on one site that knows it: each costs a call or two,
 * and a process for each would be most of the work.
 */
import Big from 'big.js';
import { toFraction } from '../checks/gains/fraction.ts';
import { publishedEvents, sessionAt } from '../src/simulator/world/trading-sessions.ts';
import { getSchedule } from '../src/simulator/world/venues.ts';
import { last, penny, rowsOf, rowWhere, sumOf } from './bodies.ts';
import { nextDividendOf } from './expected/income.ts';
import {
  chargesOf,
  dividendsOf,
  holdingOf,
  largestOf,
  marketValueOf,
  percentOf,
  type Range,
  sumsBy,
  tradesOf,
  transactionsOf,
  yearOf,
} from './expected/ledger.ts';
import { minuteOf, worthOf } from './expected/orders.ts';
import { assetOf } from './expected/plan-assets.ts';
import { toProceeds } from './expected/plans.ts';
import { toPennyText } from './expected/rounding.ts';
import { type Method, saleOf } from './expected/sale-gains.ts';
import { ukGainsOf } from './expected/uk-gains.ts';
import type { Body, Eval, Figures, Truth } from './types.ts';

/** The account is at 15 January 2026, a Thursday; London is at UTC. */
const today = Date.UTC(2026, 0, 15);
const monday = Date.UTC(2026, 0, 12);
const newYear = Date.UTC(2026, 0, 1);
const taxYear: Range = { from: Date.UTC(2025, 3, 5, 23), to: Date.UTC(2026, 3, 5, 23) };
const lastTaxYear: Range = { from: Date.UTC(2024, 3, 5, 23), to: Date.UTC(2025, 3, 5, 23) };

const since = (from: number): Range => ({ from, to: Number.POSITIVE_INFINITY });
const amountsOf = (rows: readonly { readonly amount: string }[]): string => sumOf(rows.map(({ amount }) => amount));
const bookings = (books: Truth['books'], types: readonly string[], range: Range): string =>
  amountsOf(types.flatMap((type) => transactionsOf(books, type, range)));
const external = ['DEPOSIT', 'WITHDRAW'];
const worthNow = ({ cash, ...books }: Truth['books']): Big =>
  new Big(cash.total).plus(marketValueOf({ cash, ...books }));
const nameOf = ({ world }: Truth, ticker: string): string => world.get(ticker).name;
const soldIn = (books: Truth['books'], range: Range) =>
  tradesOf(books, range).filter(({ order }) => order.side === 'SELL');

/** Results of what is held, the worst first. */
const resultsOf = ({ books }: Truth) =>
  books.positions
    .map(({ ticker, currentValue, totalCost }) => ({ ticker, result: new Big(currentValue).minus(totalCost) }))
    .sort((a, b) => a.result.cmp(b.result));

const numbered = (rows: readonly Figures[]): Figures =>
  Object.fromEntries(rows.flatMap((row, at) => Object.entries(row).map(([key, value]) => [`${key}${at + 1}`, value])));

const threeResults = (truth: Truth, results: ReturnType<typeof resultsOf>): Figures =>
  numbered(results.slice(0, 3).map(({ ticker, result }) => ({ name: nameOf(truth, ticker), result: penny(result) })));
const threeRows = (body: Body): Figures =>
  numbered(rowsOf(body).map(({ name, unrealizedProfitLoss }) => ({ name, result: penny(unrealizedProfitLoss) })));

/** How did I do since a moment, with the value of then from the person. */
const howDidIDo = (id: string, words: string, period: string, from: number, value: number): Question => ({
  id,
  words,
  calls: [{ tool: 'calculate_returns', args: { period, valueAtStart: value } }],
  answer: ([body = {}]) => ({ gain: body.gain, paidIn: body.netDeposits, worth: body.value }),
  truth: ({ books }) => {
    const paidIn = bookings(books, external, since(from));
    return { gain: worthNow(books).minus(value).minus(paidIn).toFixed(2), paidIn, worth: worthNow(books).toFixed(2) };
  },
});

/** What is known of a period without a value at its start. */
const whatIsKnown = (id: string, words: string, args: object, range: Range): Question => ({
  id,
  words,
  calls: [{ tool: 'calculate_returns', args: { ...args } }],
  answer: ([body = {}]) => ({
    gain: body.gain ?? 'unknown',
    dividends: body.dividends,
    interest: body.interest,
    fees: body.accountFees,
    realised: body.realised,
    paidIn: body.netDeposits,
  }),
  truth: ({ books }) => ({
    gain: 'unknown',
    dividends: amountsOf(dividendsOf(books, range)),
    interest: bookings(books, ['INTEREST_ON_FREE_CASH'], range),
    fees: penny(new Big(bookings(books, ['FEE'], range)).neg()),
    realised: sumOf(tradesOf(books, range).map(({ fill }) => fill.realisedProfitLoss)),
    paidIn: bookings(books, external, range),
  }),
});

/** The total return of one holding. */
const returnOfOne = (id: string, words: string, ticker: string): Question => ({
  id,
  words,
  calls: [{ tool: 'calculate_returns', args: { ticker } }],
  answer: ([body = {}]) => ({ gain: body.gain, dividends: body.dividends, charges: body.charges }),
  truth: ({ books }) => {
    const fills = tradesOf(books).filter(({ order }) => order.ticker === ticker);
    const moved = (side: string) =>
      sumOf(fills.filter(({ order }) => order.side === side).map(({ fill }) => fill.netValue));
    const dividends = amountsOf(dividendsOf(books, since(0), ticker));
    const held = new Big(holdingOf(books, ticker).currentValue);
    return {
      gain: held.plus(moved('SELL')).plus(dividends).minus(moved('BUY')).toFixed(2),
      dividends,
      charges: sumOf(fills.flatMap(({ fill }) => fill.taxes.map(({ quantity }) => quantity))),
    };
  },
});

/** What is worth how much of the investments, of the instruments that pass. */
const shareOf = (
  id: string,
  words: string,
  by: string,
  group: string,
  test: (instrument: ReturnType<Truth['world']['get']>) => boolean,
): Question => ({
  id,
  words,
  calls: [{ tool: 'analyze_portfolio', args: { by } }],
  answer: ([body = {}]) => {
    const { value, weightPercent, positions } = rowWhere(body, (row) => row.group === group);
    return { value, sharePercent: weightPercent, holdings: String(positions) };
  },
  truth: ({ books, world }) => {
    const chosen = books.positions.filter(({ ticker }) => test(world.get(ticker)));
    const value = sumOf(chosen.map(({ currentValue }) => currentValue));
    return { value, sharePercent: percentOf(value, marketValueOf(books)), holdings: String(chosen.length) };
  },
});

/** What the server says that it cannot know. */
const cannotKnow = (id: string, words: string, code: string): Question => ({
  id,
  words,
  calls: [{ tool: 'get_server_status' }],
  answer: ([body = {}]) => ({ known: (body.cannot as Body[]).some((one) => one.code === code) ? 'no' : 'yes' }),
  truth: () => ({ known: 'no' }),
});

/** A sale of half of a holding, not made. */
const sellHalf = (id: string, words: string, ticker: string, quantity: number, method: Method): Question => ({
  id,
  words,
  calls: [{ tool: 'preview_order', args: { type: 'MARKET', ticker, side: 'SELL', quantity, method } }],
  answer: (bodies) => {
    const { proceeds, gain, costLeft } = last(bodies).whatIf;
    return { worth: last(bodies).estimate.value, proceeds, gain, costLeft };
  },
  truth: (truth) => {
    const shares = toFraction(String(quantity));
    const proceeds = toProceeds({ asset: assetOf(truth, ticker), side: 'SELL', shares });
    const { gain, costLeft } = saleOf(truth, truth.at, method, { ticker, shares, proceeds });
    return {
      worth: worthOf(truth, ticker, quantity),
      proceeds: toPennyText(proceeds),
      gain: toPennyText(gain),
      costLeft: toPennyText(costLeft),
    };
  },
});

type Question = Pick<Eval, 'id' | 'words' | 'calls' | 'answer' | 'truth'>;

const list: readonly Question[] = [
  howDidIDo('today', 'How did I do today? It was worth 96,100 pounds last night.', 'today', today, 96_100),
  howDidIDo('this-week', 'And this week? The app said 95,870.25 on Sunday.', 'week', monday, 95_870.25),
  howDidIDo('this-month', 'How did January go so far? I began it with 94,000 pounds.', 'month', newYear, 94_000),
  howDidIDo('this-year', 'How did I do this year, when it was 94,512.40 at New Year?', 'year', newYear, 94_512.4),
  whatIsKnown(
    'year-without-a-value',
    'How did I do this year? No idea what it was worth.',
    { period: 'year' },
    since(newYear),
  ),
  whatIsKnown('week-without-a-value', 'Anything earned this week, or paid in?', { period: 'week' }, since(monday)),
  whatIsKnown(
    'last-year-without-a-value',
    'What do you know of my year 2025: dividends, interest, fees, gains taken, money in?',
    { since: '2025-01-01', until: '2026-01-01' },
    yearOf(2025),
  ),
  {
    id: 'everything-so-far',
    words: 'Over all time: what went in, what came out, what did dividends and interest bring, and what is the gain?',
    calls: [{ tool: 'calculate_returns', args: { period: 'all' } }],
    answer: ([{ moneyIn, moneyOut, dividends, interest, gain } = {}]) => ({
      moneyIn,
      moneyOut,
      dividends,
      interest,
      gain,
    }),
    truth: ({ books }) => ({
      moneyIn: bookings(books, ['DEPOSIT'], since(0)),
      moneyOut: penny(new Big(bookings(books, ['WITHDRAW'], since(0))).neg()),
      dividends: amountsOf(books.dividends),
      interest: bookings(books, ['INTEREST_ON_FREE_CASH'], since(0)),
      gain: worthNow(books)
        .minus(bookings(books, external, since(0)))
        .toFixed(2),
    }),
  },
  returnOfOne('return-of-a-dollar-share', 'What has Velthane (QVELT_US_EQ) made me in all?', 'QVELT_US_EQ'),
  returnOfOne(
    'return-of-a-pence-share',
    'And Bramthwick Water (QBRAMl_EQ), dividends and charges included?',
    'QBRAMl_EQ',
  ),
  {
    id: 'three-losers',
    words: 'Which three of my holdings am I losing the most on, in pounds?',
    calls: [{ tool: 'list_positions', args: { sort: 'profitLoss', order: 'asc', limit: 3 } }],
    answer: ([body = {}]) => threeRows(body),
    truth: (truth) => threeResults(truth, resultsOf(truth)),
  },
  {
    id: 'three-winners',
    words: 'And the three biggest winners, in pounds?',
    calls: [{ tool: 'list_positions', args: { sort: 'profitLoss', order: 'desc', limit: 3 } }],
    answer: ([body = {}]) => threeRows(body),
    truth: (truth) => threeResults(truth, resultsOf(truth).toReversed()),
  },
  shareOf('in-britain', 'How much of what I hold is registered in Britain?', 'country', 'GB', ({ isin }) =>
    isin.startsWith('GB'),
  ),
  shareOf('in-funds', 'Stocks or ETFs: how much of it is in ETFs?', 'type', 'ETF', ({ type }) => type === 'ETF'),
  shareOf(
    'in-pence',
    'How much of my shares is quoted in pence?',
    'currency',
    'GBX',
    ({ currency }) => currency === 'GBX',
  ),
  {
    id: 'cost-and-result',
    words: 'What did I pay for what I hold, and how far up or down is it, cash aside?',
    calls: [{ tool: 'analyze_portfolio' }],
    answer: ([{ cost, profitLoss, holdingsValue, cash } = {}]) => ({ cost, profitLoss, holdingsValue, cash }),
    truth: ({ books }) => {
      const cost = sumOf(books.positions.map(({ totalCost }) => totalCost));
      return {
        cost,
        profitLoss: new Big(marketValueOf(books)).minus(cost).toFixed(2),
        holdingsValue: marketValueOf(books),
        cash: penny(books.cash.total),
      };
    },
  },
  {
    id: 'dividends-by-quarter',
    words: 'My dividends of 2025 by quarter, please.',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'quarter', since: '2025-01-01', until: '2026-01-01' } }],
    answer: ([body = {}]) => Object.fromEntries(rowsOf(body).map(({ quarter, amount }) => [quarter, amount])),
    truth: ({ books }) =>
      sumsBy(
        dividendsOf(books, yearOf(2025)),
        ({ at }) => `2025-Q${Math.floor(new Date(at).getUTCMonth() / 3) + 1}`,
        ({ amount }) => amount,
      ),
  },
  {
    id: 'best-payer',
    words: 'Which holding paid me the most dividends in 2025, and how much?',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'ticker', since: '2025-01-01', until: '2026-01-01' } }],
    answer: ([body = {}]) => {
      const [first = {}] = rowsOf(body).sort((a, b) => new Big(b.amount).cmp(a.amount));
      return { ticker: first.ticker, amount: first.amount };
    },
    truth: ({ books }) => {
      const [ticker, amount] = largestOf(
        sumsBy(
          dividendsOf(books, yearOf(2025)),
          (row) => row.ticker,
          (row) => row.amount,
        ),
      );
      return { ticker, amount };
    },
  },
  {
    id: 'income-by-country',
    words: 'How much dividend income came from US companies this tax year, and from British ones?',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'country', taxYear: '2025/26' } }],
    answer: ([body = {}]) => {
      const of = (country: string) => rowWhere(body, (row) => row.country === country).amount;
      return {
        us: of('US'),
        gb: of('GB'),
        total: body.total,
        unknownTaxes: String(rowWhere(body, (row) => row.country === 'US').withheldUnknown),
      };
    },
    truth: ({ books, world }) => {
      const rows = dividendsOf(books, taxYear);
      const from = (country: string) => rows.filter(({ ticker }) => world.get(ticker).isin.startsWith(country));
      return {
        us: amountsOf(from('US')),
        gb: amountsOf(from('GB')),
        total: amountsOf(rows),
        // The interface does not say what was withheld from a payment in another currency; a report of the service does.
        unknownTaxes: String(from('US').length),
      };
    },
  },
  {
    id: 'next-dividend',
    words: 'When might my dividend fund (QDIVIl_EQ) pay next, and how much, if last year repeats?',
    calls: [{ tool: 'summarize_dividends', args: { groupBy: 'month', ticker: 'QDIVIl_EQ', project: true } }],
    answer: ([body = {}]) => ({ about: body.projection.next[0].about, amount: body.projection.next[0].amount }),
    truth: ({ books, at }) => nextDividendOf(books, at, 'QDIVIl_EQ'),
  },
  {
    id: 'interest-by-its-short-name',
    words: 'How much interest did I earn on my cash in the tax year 2024/25?',
    calls: [
      {
        tool: 'fetch_history',
        args: { kind: 'transactions', type: 'interest', since: '2024-04-06', until: '2025-04-06', limit: 500 },
      },
    ],
    answer: ([body = {}]) => ({
      interest: amountsOf(rowsOf(body) as unknown as { amount: string }[]),
      rows: String(rowsOf(body).length),
    }),
    truth: ({ books }) => {
      const rows = transactionsOf(books, 'INTEREST_ON_FREE_CASH', lastTaxYear);
      return { interest: amountsOf(rows), rows: String(rows.length) };
    },
  },
  {
    id: 'deposits-of-a-tax-year',
    words: 'What have I deposited since 6 April 2025?',
    calls: [
      { tool: 'fetch_history', args: { kind: 'transactions', type: 'DEPOSIT', since: '2025-04-06', limit: 500 } },
    ],
    answer: ([body = {}]) => ({ deposits: amountsOf(rowsOf(body) as unknown as { amount: string }[]) }),
    truth: ({ books }) => ({ deposits: bookings(books, ['DEPOSIT'], since(taxYear.from)) }),
  },
  {
    id: 'fees-of-a-tax-year',
    words:
      'What did trading and the account cost me in the tax year 2024/25, and how much of it was for changing currency?',
    calls: [{ tool: 'summarize_costs', args: { groupBy: 'name', taxYear: '2024/25' } }],
    answer: ([body = {}]) => ({
      total: body.total,
      conversion: rowWhere(body, ({ name }) => name === 'CURRENCY_CONVERSION_FEE').amount,
    }),
    truth: ({ books }) => {
      const charges = chargesOf(books, lastTaxYear);
      return {
        total: amountsOf(charges),
        conversion: amountsOf(charges.filter(({ name }) => name === 'CURRENCY_CONVERSION_FEE')),
      };
    },
  },
  {
    id: 'costs-by-year',
    words: 'My charges and fees for each year, please.',
    calls: [{ tool: 'summarize_costs', args: { groupBy: 'year' } }],
    answer: ([body = {}]) => Object.fromEntries(rowsOf(body).map(({ year, amount }) => [year, amount])),
    truth: ({ books }) => {
      const years = [2023, 2024, 2025, 2026].map((year) => [year, amountsOf(chargesOf(books, yearOf(year)))] as const);
      return Object.fromEntries(years.filter(([, sum]) => sum !== '0.00').map(([year, sum]) => [String(year), sum]));
    },
  },
  {
    id: 'gains-of-last-tax-year',
    words: 'And what were my capital gains of 2024/25 by the HMRC rules?',
    calls: [{ tool: 'summarize_realised_gains', args: { method: 'uk_section_104', taxYear: '2024/25' } }],
    answer: ([body = {}]) => ({ gain: body.totals.gain, tickers: String(body.byTicker.rows.length) }),
    truth: ({ books }) => {
      const gains = ukGainsOf(books, { from: Date.UTC(2024, 3, 6), to: Date.UTC(2025, 3, 6) });
      return { gain: sumOf(Object.values(gains).map(String)), tickers: String(Object.keys(gains).length) };
    },
  },
  {
    id: 'losses-taken',
    words: 'Which sales of 2025 lost money by the broker’s figures: how much in all?',
    calls: [{ tool: 'summarize_realised_gains', args: { method: 'broker', since: '2025-01-01', until: '2026-01-01' } }],
    answer: ([body = {}]) => ({ gains: body.totals.gains, losses: body.totals.losses }),
    truth: ({ books }) => {
      const results = soldIn(books, yearOf(2025)).map(({ fill }) => new Big(fill.realisedProfitLoss));
      const sum = (sign: number) =>
        penny(results.filter((one) => one.times(sign).gt(0)).reduce((all, one) => all.plus(one), new Big(0)));
      return { gains: sum(1), losses: sum(-1) };
    },
  },
  {
    id: 'gains-of-one-share',
    words: 'What did I make on the Duskvane shares that I sold in the tax year 2025/26, by the HMRC rules?',
    calls: [
      {
        tool: 'summarize_realised_gains',
        args: { method: 'uk_section_104', taxYear: '2025/26', ticker: 'QDUSK_US_EQ' },
      },
    ],
    answer: ([body = {}]) => ({ gain: body.totals.gain }),
    truth: ({ books }) => ({
      gain: penny(ukGainsOf(books, { from: Date.UTC(2025, 3, 6), to: Date.UTC(2026, 3, 6) }).QDUSK_US_EQ ?? 0),
    }),
  },
  sellHalf(
    'sell-half',
    'What would selling 100 of my Bramthwick (QBRAMl_EQ) bring, and cost me in gains, on average cost?',
    'QBRAMl_EQ',
    100,
    'average',
  ),
  sellHalf('sell-some-first-in', 'And 10 Velthane (QVELT_US_EQ), first in first out?', 'QVELT_US_EQ', 10, 'fifo'),
  {
    id: 'is-it-open',
    words: 'Is the market of my world fund (QWRLDl_EQ) open now, and when does that change?',
    calls: [{ tool: 'list_exchanges', args: { ticker: 'QWRLDl_EQ' } }],
    answer: ([body = {}]) => {
      const [venue = {}] = rowsOf(body);
      return { open: String(venue.openNow), nextAt: minuteOf(venue.nextAt), next: venue.nextEvent };
    },
    truth: ({ world, at }) => {
      const schedule = getSchedule(world.get('QWRLDl_EQ').scheduleId);
      const next = publishedEvents(schedule, at).find((event) => event.at > at);
      return {
        open: String(sessionAt(schedule, at).kind === 'regular'),
        nextAt: minuteOf(new Date(next?.at ?? 0).toISOString()),
        next: next?.type ?? 'none',
      };
    },
  },
  {
    id: 'shares-in-pies',
    words: 'Which of my shares are in pies, and how many of each?',
    calls: [
      {
        tool: 'list_positions',
        args: { responseFormat: 'detailed' },
        again: (bodies) => last(bodies).nextCursor && { responseFormat: 'detailed', cursor: last(bodies).nextCursor },
      },
    ],
    answer: (bodies) =>
      Object.fromEntries(
        bodies
          .flatMap(({ items }) => items as Body[])
          .filter(({ quantityInPies }) => new Big(quantityInPies ?? 0).gt(0))
          .map(({ instrument, quantityInPies }) => [instrument.ticker, new Big(quantityInPies).toFixed()]),
      ),
    truth: ({ books }) =>
      Object.fromEntries(
        books.positions
          .filter(({ quantityInPies }) => new Big(quantityInPies).gt(0))
          .map(({ ticker, quantityInPies }) => [ticker, new Big(quantityInPies).toFixed()]),
      ),
  },
  {
    id: 'money-idle-in-pies',
    words: 'How much of the money in my pies is in no share yet?',
    calls: [{ tool: 'list_pies' }],
    answer: ([body = {}]) => ({
      idle: sumOf(rowsOf(body).map(({ uninvested }) => uninvested)),
      pies: String(rowsOf(body).length),
    }),
    truth: ({ books }) => ({ idle: penny(books.cash.inPies), pies: String(books.pies.length) }),
  },
  {
    id: 'my-last-sale',
    words: 'At what price was my last sale filled, and what did I get for it?',
    calls: [
      { tool: 'fetch_history', args: { kind: 'orders', limit: 50 } },
      {
        tool: 'get_order',
        args: ([body = {}]) => ({
          orderId: rowsOf(body).find(({ side, netValue }) => side === 'SELL' && netValue)?.orderId,
        }),
      },
    ],
    answer: (bodies) => {
      const [fill] = last(bodies).fills;
      return {
        ticker: last(bodies).order.instrument?.ticker ?? last(bodies).order.ticker,
        price: new Big(fill.price).toFixed(),
        received: penny(fill.walletImpact.netValue),
      };
    },
    truth: ({ books }) => {
      const sale = soldIn(books, since(0)).at(-1);
      return {
        ticker: sale?.order.ticker ?? 'none',
        price: new Big(sale?.fill.price ?? 0).toFixed(),
        received: penny(sale?.fill.netValue ?? 0),
      };
    },
  },
  {
    id: 'sold-in-december',
    words: 'What did I sell in December 2025, and for how much in all?',
    calls: [{ tool: 'fetch_history', args: { kind: 'orders', since: '2025-12-01', until: '2026-01-01', limit: 500 } }],
    answer: ([body = {}]) => {
      const sales = rowsOf(body).filter(({ side, netValue }) => side === 'SELL' && netValue !== undefined);
      return { sales: String(sales.length), received: sumOf(sales.map(({ netValue }) => netValue)) };
    },
    truth: ({ books }) => {
      const sales = soldIn(books, { from: Date.UTC(2025, 11), to: newYear });
      return { sales: String(sales.length), received: sumOf(sales.map(({ fill }) => fill.netValue)) };
    },
  },
  {
    id: 'what-changed',
    words: 'What has changed since 1 January: what did I buy and sell, and what came in from dividends and interest?',
    calls: [
      {
        tool: 'get_changes',
        args: { since: '2026-01-01' },
        again: (bodies) => last(bodies).nextCursor && { since: '2026-01-01', cursor: last(bodies).nextCursor },
      },
    ],
    answer: (bodies) => {
      const sum = (kind: string) =>
        sumOf(
          bodies
            .flatMap(rowsOf)
            .filter((row) => row.kind === kind)
            .map(({ amount }) => amount),
        );
      return {
        bought: penny(new Big(sum('bought')).abs()),
        sold: sum('sold'),
        dividends: sum('dividend'),
        interest: sum('interest'),
        worth: last(bodies).valueNow,
      };
    },
    truth: ({ books }) => {
      const moved = (side: string) =>
        sumOf(
          tradesOf(books, since(newYear))
            .filter(({ order }) => order.side === side)
            .map(({ fill }) => fill.netValue),
        );
      return {
        bought: moved('BUY'),
        sold: moved('SELL'),
        dividends: amountsOf(dividendsOf(books, since(newYear))),
        interest: bookings(books, ['INTEREST_ON_FREE_CASH'], since(newYear)),
        worth: penny(worthNow(books)),
      };
    },
  },
  cannotKnow('a-price-of-what-is-not-held', 'What is Tesla trading at right now?', 'quotes'),
  cannotKnow('any-news', 'Is there any news on Haldersten Foods?', 'news'),
  cannotKnow('money-to-my-bank', 'How much can I take out to my bank today?', 'withdrawable_cash'),
  cannotKnow('tell-me-when', 'Tell me when Velthane hits 80 dollars.', 'alerts'),
  cannotKnow('movers-of-today', 'Which of my shares moved the most today?', 'daily_change'),
  cannotKnow('is-it-an-isa', 'Is this an ISA, and how much of my allowance have I used?', 'account_type'),
  {
    id: 'no-benchmark-without-a-file',
    words: 'Did I beat the S&P 500 since I began?',
    calls: [{ tool: 'calculate_returns' }],
    answer: ([body = {}]) => ({ benchmark: body.benchmark === undefined ? 'unknown' : 'known' }),
    truth: () => ({ benchmark: 'unknown' }),
  },
];

/** Each reads the newest rows again, and the account. */
const known = { cold: 7, warm: 7 };

export const questions: readonly Eval[] = list.map((one) => ({
  ...one,
  group: 'questions',
  requests: known,
  shares: true,
}));
