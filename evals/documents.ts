/** Files: those that an assistant saves for a person or another program, and those of the owner that it reads. */
import { readFileSync } from 'node:fs';
import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import { featured } from '../src/simulator/world/fixed-instruments.ts';
import { last, penny, rowsOf, rowWhere, sumOf } from './bodies.ts';
import { chargesOf, marketValueOf, percentOf, tradesOf, transactionsOf } from './expected/ledger.ts';
import type { Setting } from './run/environment.ts';
import type { Args, Body, Eval, Figures, Truth } from './types.ts';

type Document = Pick<Eval, 'id' | 'words' | 'calls' | 'answer' | 'truth'>;

const read = (path: string): string => readFileSync(path, 'utf8');
const csv = (text: string): Record<string, string>[] => parse(text, { columns: true });
const amountOf = (text: string | undefined): string => text || '0';

/** Saves it, again until every row was read. */
const save = (args: Args) => [
  {
    tool: 'save_report',
    args,
    again: (bodies: readonly Body[]) => (last(bodies).retryAfterSeconds ? args : undefined),
    everySeconds: 1,
  },
];

/** The records of the account for another program, and what the answer reads in the file. */
const exported = (
  id: string,
  words: string,
  kind: string,
  answer: (text: string) => Figures,
  truth: Document['truth'],
): Document => ({
  id,
  words,
  calls: save({ kind }),
  answer: (bodies) => answer(read(last(bodies).path)),
  truth,
});

const dividendsIn = ({ books }: Truth): string => sumOf(books.dividends.map(({ amount }) => amount));
const sides = ({ books }: Truth, side: string) => tradesOf(books).filter(({ order }) => order.side === side);
const fileNamed = (body: Body, name: string): string =>
  read((body.files as string[]).find((path) => path.endsWith(`/${name}`)) ?? name);

const saved: readonly Document[] = [
  exported(
    'for-portfolio-performance',
    'Export everything for Portfolio Performance. How many rows has the file, what dividends, what did I pay in?',
    'portfolio_performance',
    (text) => {
      const rows = csv(text);
      const sum = (type: string) => sumOf(rows.filter((row) => row.Type === type).map(({ Value }) => amountOf(Value)));
      return {
        rows: String(rows.length),
        dividends: sum('Dividend'),
        paidIn: sum('Deposit'),
        bought: sum('Buy'),
        sold: sum('Sell'),
      };
    },
    (truth) => {
      const { books } = truth;
      const moved = (side: string) => sumOf(sides(truth, side).map(({ fill }) => fill.netValue));
      return {
        rows: String(tradesOf(books).length + books.dividends.length + books.transactions.length),
        dividends: dividendsIn(truth),
        paidIn: sumOf(transactionsOf(books, 'DEPOSIT').map(({ amount }) => amount)),
        bought: moved('BUY'),
        sold: moved('SELL'),
      };
    },
  ),
  exported(
    'for-ghostfolio',
    'And the same for Ghostfolio: how many purchases, sales and dividends are in it, and what interest?',
    'ghostfolio',
    (text) => {
      const { activities } = JSON.parse(text) as { activities: Body[] };
      const of = (type: string) => activities.filter((one) => one.type === type);
      return {
        buys: String(of('BUY').length),
        sells: String(of('SELL').length),
        dividends: String(of('DIVIDEND').length),
        interest: sumOf(of('INTEREST').map(({ unitPrice }) => unitPrice)),
      };
    },
    (truth) => ({
      buys: String(sides(truth, 'BUY').length),
      sells: String(sides(truth, 'SELL').length),
      dividends: String(truth.books.dividends.length),
      interest: sumOf(transactionsOf(truth.books, 'INTEREST_ON_FREE_CASH').map(({ amount }) => amount)),
    }),
  ),
  exported(
    'for-cgt-calc',
    'I want to check my gains with cgt-calc. Save its file: how many trades, what charges, how many splits?',
    'cgt_calc',
    (text) => {
      const rows = parse(text) as string[][];
      const trades = rows.filter(([, action]) => action === 'BUY' || action === 'SELL');
      return {
        trades: String(trades.length),
        charges: sumOf(trades.map((row) => amountOf(row[5]))),
        splits: String(rows.filter(([, action]) => action === 'STOCK_SPLIT').length),
      };
    },
    ({ books }) => ({
      trades: String(tradesOf(books).length),
      charges: sumOf(
        chargesOf(books)
          .filter(({ ticker }) => ticker)
          .map(({ amount }) => amount),
      ),
      splits: String(books.history.filter(({ fill }) => fill?.type === 'STOCK_SPLIT').length),
    }),
  ),
  exported(
    'for-beancount',
    'And a beancount ledger: what cash does it end with?',
    'beancount',
    (text) => ({
      cash: sumOf(
        [...text.matchAll(/^ {2}Assets:Broker:Cash {2}(-?[\d.]+) GBP$/gm)].map(([, amount]) => amount ?? '0'),
      ),
    }),
    ({ books }) => ({ cash: penny(books.cash.total) }),
  ),
  {
    id: 'a-report-to-print',
    words: 'Make me a report of my portfolio that I can print. How many of my holdings are named in it?',
    calls: [{ tool: 'list_positions' }, ...save({ kind: 'report' })],
    answer: ([held = {}, ...bodies]) => {
      const text = read(last(bodies).path);
      return { named: String(rowsOf(held).filter(({ name }) => text.includes(name.replaceAll('&', '&amp;'))).length) };
    },
    truth: ({ books }) => ({ named: String(books.positions.length) }),
  },
  {
    id: 'the-papers-for-my-tax-return',
    words: 'Save the tax pack of 2024/25. What did my sales bring before charges, and how many dividends does it list?',
    calls: save({ kind: 'tax_pack', taxYear: '2024/25' }),
    answer: (bodies) => ({
      proceeds: penny(amountOf(csv(fileNamed(last(bodies), 'capital-gains-summary.csv'))[0]?.proceeds)),
      dividends: String(csv(fileNamed(last(bodies), 'dividends.csv')).length),
    }),
    truth: (truth) => {
      const isInYear = ({ at }: { readonly at: number }) =>
        at >= Date.UTC(2024, 3, 5, 23) && at < Date.UTC(2025, 3, 5, 23);
      const sales = sides(truth, 'SELL').filter(isInYear);
      return {
        proceeds: sumOf(sales.flatMap(({ fill }) => [fill.netValue, ...fill.taxes.map(({ quantity }) => quantity)])),
        dividends: String(truth.books.dividends.filter(isInYear).length),
      };
    },
  },
];

const dayMs = 86_400_000;
const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** An index with a value on every third day, which only rises. */
const benchmark = Array.from({ length: 380 }, (_, step) => ({
  at: Date.UTC(2022, 11, 25) + 3 * step * dayMs,
  value: 400 + step,
}));
const indexAt = (at: number): number =>
  benchmark.findLast((point) => point.at <= Date.parse(toDay(at)))?.value ?? Number.NaN;

interface Part {
  readonly name: string;
  readonly of?: string;
  readonly weight: number;
  readonly country: string;
  readonly sector: string;
}

const isinOf = (ticker: string): string => featured.find((one) => one.ticker === ticker)?.isin ?? '';

/** What two of the funds hold; the first list leaves a part out. */
const funds: Readonly<Record<string, readonly Part[]>> = {
  QWRLDl_EQ: [
    { name: 'Velthane', of: 'QVELT_US_EQ', weight: 40, country: 'US', sector: 'Technology' },
    { name: 'Noonvik', of: 'QNOON_GB_EQ', weight: 25.5, country: 'GB', sector: 'Utilities' },
    { name: 'Compagnie Exemple', weight: 20, country: 'FR', sector: 'Energy' },
  ],
  ZSANXl_EQ: [
    { name: 'Velthane', of: 'QVELT_US_EQ', weight: 60, country: 'US', sector: 'Technology' },
    { name: 'Nagara Works', weight: 40, country: 'JP', sector: 'Industrials' },
  ],
};

const withFiles: Setting = {
  files: {
    'benchmark.csv': ['date,value', ...benchmark.map(({ at, value }) => `${toDay(at)},${value}`)].join('\n'),
    ...Object.fromEntries(
      Object.entries(funds).map(([ticker, parts]) => [
        `funds/${isinOf(ticker)}.csv`,
        [
          'name,isin,weight,country,sector',
          ...parts.map(({ name, of, weight, country, sector }) =>
            [name, of ? isinOf(of) : '', weight, country, sector].join(),
          ),
        ].join('\n'),
      ]),
    ),
  },
};

/** The value of what passes: parts of the listed funds, and holdings that are not listed funds. */
function insideOf(
  { books, world }: Truth,
  isPart: (part: Part) => boolean,
  isHolding: (instrument: ReturnType<Truth['world']['get']>) => boolean,
): Big {
  return books.positions.reduce((sum, { ticker, currentValue }) => {
    const parts = funds[ticker];
    if (!parts) return isHolding(world.get(ticker)) ? sum.plus(currentValue) : sum;
    const percent = parts.filter(isPart).reduce((all, { weight }) => all.plus(weight), new Big(0));
    return sum.plus(percent.times(currentValue).div(100));
  }, new Big(0));
}

const lookInside = (
  id: string,
  words: string,
  by: string,
  group: string,
  isPart: (part: Part) => boolean,
  isHolding: Parameters<typeof insideOf>[2],
): Document => ({
  id,
  words,
  calls: [{ tool: 'analyze_portfolio', args: { by } }],
  answer: ([body = {}]) => {
    const { value, weightPercent } = rowWhere(body, (row) => row.group === group);
    return { value, sharePercent: weightPercent, coveredPercent: body.coveredPercent };
  },
  truth: (truth) => {
    const value = insideOf(truth, isPart, isHolding);
    const covered = insideOf(
      truth,
      () => true,
      ({ type }) => type !== 'ETF',
    );
    const all = marketValueOf(truth.books);
    return { value: penny(value), sharePercent: percentOf(value, all), coveredPercent: percentOf(covered, all) };
  },
});

/** The gain of the account beside that of the same money in the index. */
const beside = (id: string, words: string, args: Args, from: number, value: number): Document => ({
  id,
  words,
  calls: [{ tool: 'calculate_returns', args }],
  answer: ([body = {}]) => ({
    indexPercent: body.benchmark.periodPercent,
    sameMoney: body.benchmark.sameMoney,
    worth: body.value,
  }),
  truth: ({ books, at }) => {
    const flows = [...transactionsOf(books, 'DEPOSIT'), ...transactionsOf(books, 'WITHDRAW')]
      .filter((flow) => flow.at >= from)
      .sort((a, b) => a.at - b.at);
    const start = value > 0 ? from : (flows[0]?.at ?? 0);
    const units = flows.reduce(
      (sum, flow) => sum.plus(new Big(flow.amount).div(indexAt(flow.at))),
      value > 0 ? new Big(value).div(indexAt(from)) : new Big(0),
    );
    return {
      indexPercent: new Big(indexAt(at)).minus(indexAt(start)).times(100).div(indexAt(start)).toFixed(2),
      sameMoney: units.times(indexAt(at)).toFixed(2),
      worth: new Big(books.cash.total).plus(marketValueOf(books)).toFixed(2),
    };
  },
});

const own: readonly Document[] = [
  beside('beside-an-index', 'I keep an index in benchmark.csv. Did I beat it since I began?', {}, 0, 0),
  beside(
    'beside-an-index-this-year',
    'And this year, from 94,500 pounds?',
    { period: 'year', valueAtStart: 94_500 },
    Date.UTC(2026, 0),
    94_500,
  ),
  lookInside(
    'one-company-in-all',
    'How much Velthane do I own, the part inside my funds included?',
    'company',
    isinOf('QVELT_US_EQ'),
    ({ of }) => of === 'QVELT_US_EQ',
    ({ ticker }) => ticker === 'QVELT_US_EQ',
  ),
  lookInside(
    'america-in-all',
    'And how much of it all is American, looking through the funds?',
    'country',
    'US',
    ({ country }) => country === 'US',
    ({ isin }) => isin.startsWith('US'),
  ),
  lookInside(
    'technology-in-all',
    'How much technology do my funds hold?',
    'sector',
    'Technology',
    ({ sector }) => sector === 'Technology',
    () => false,
  ),
];

const known = { cold: 12, warm: 12 };

export const documents: readonly Eval[] = [
  ...saved.map((one) => ({ ...one, group: 'documents' as const, requests: known, shares: true as const })),
  ...own.map((one) => ({
    ...one,
    group: 'documents' as const,
    requests: known,
    shares: true as const,
    setting: withFiles,
  })),
];
