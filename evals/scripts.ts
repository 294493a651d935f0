/** What scripts, dashboards and editors request: typed results, many calls, several programs. */
import Big from 'big.js';
import { last, penny, rowsOf, rowWhere, sumOf } from './bodies.ts';
import { dividendsOf, largestOf, sumsBy, yearOf } from './expected/ledger.ts';
import { newOrderId, priceOf } from './expected/orders.ts';
import type { Args, Body, Eval } from './types.ts';

const since = '2026-01-15T15:00:00Z';
const everyPosition = { responseFormat: 'detailed', limit: 500 };
const orders2025 = { kind: 'orders', since: '2025-01-01', until: '2026-01-01', limit: 100, waitSeconds: 50 };
/** Responses are shared for one period of their limit; a slow machine needs more than a second for its calls. */
const longLimits = 3;
const all = { limit: 500, waitSeconds: 50 };
const report2025 = { timeFrom: '2025-01-01', timeTo: '2026-01-01', include: ['dividends', 'interest'] };

const list: readonly Omit<Eval, 'group'>[] = [
  {
    id: 'cancel-everything',
    words: 'Cancel every pending order of mine, then tell me in figures how many you cancelled and how many are left.',
    setting: {
      prepare: ({ inject }) => {
        inject.order({ ticker: 'QHALD_US_EQ', quantity: 2, type: 'LIMIT', limitPrice: 70 });
        inject.order({ ticker: 'QBRAMl_EQ', quantity: -10, type: 'LIMIT', limitPrice: 900 });
      },
    },
    calls: [
      { tool: 'list_orders' },
      {
        tool: 'cancel_order',
        args: ([pending = {}]) => ({ orderId: rowsOf(pending)[0]?.id }),
        again: ([pending = {}, ...cancelled]): Args | undefined => {
          const next = rowsOf(pending)[cancelled.length];
          return next && { orderId: next.id };
        },
      },
      // A cancellation takes the service half a second.
      { tool: 'list_orders', afterSeconds: 0.7 },
    ],
    answer: ([, ...bodies]) => ({
      cancelled: String(bodies.filter(({ outcome }) => outcome === 'requested').length),
      left: String(last(bodies).pending),
    }),
    truth: ({ books, before }) => ({
      cancelled: String(before.pendingOrders.length),
      left: String(books.pendingOrders.length),
    }),
    writes: ['cancelOrder', 'cancelOrder'],
    // The positions have the last prices, for the distance of each limit.
    requests: { cold: 5, warm: 5 },
    warmUp: [{ tool: 'list_orders' }],
  },
  {
    id: 'positions-as-objects',
    words:
      'Give me all positions as objects with every field; I need their number, their total cost and the shares in pies.',
    calls: [
      {
        tool: 'list_positions',
        args: everyPosition,
        again: (bodies) => last(bodies).nextCursor && { ...everyPosition, cursor: last(bodies).nextCursor },
      },
    ],
    answer: (bodies) => {
      const items = bodies.flatMap((body) => body.items);
      return {
        positions: String(items.length),
        cost: sumOf(items.map((item: Body) => item.walletImpact.totalCost)),
        sharesInPies: sumExactly(items.map((item: Body) => item.quantityInPies)),
      };
    },
    truth: ({ books: { positions } }) => ({
      positions: String(positions.length),
      cost: sumOf(positions.map(({ totalCost }) => totalCost)),
      sharesInPies: sumExactly(positions.map(({ quantityInPies }) => quantityInPies)),
    }),
    // One for each page: a list of positions is not shared for longer than a second.
    requests: { cold: 2, warm: 2 },
  },
  {
    id: 'orders-by-pages',
    words:
      'Page through all orders of 2025, a hundred at a time. How many rows are there, what was bought and what was sold?',
    calls: [
      {
        tool: 'fetch_history',
        args: orders2025,
        again: (bodies) => last(bodies).nextCursor && { ...orders2025, cursor: last(bodies).nextCursor },
      },
    ],
    answer: (bodies) => {
      const rows = bodies.flatMap(rowsOf);
      const sum = (side: string) =>
        sumOf(rows.flatMap((row) => (row.side === side && row.netValue !== undefined ? [row.netValue] : [])));
      return { rows: String(rows.length), bought: sum('BUY'), sold: sum('SELL') };
    },
    truth: ({ books }) => {
      const { from, to } = yearOf(2025);
      const rows = books.history.filter(({ order, fill }) => {
        const at = fill?.filledAt ?? order.createdAt;
        return at >= from && at < to;
      });
      const sum = (side: string) =>
        sumOf(rows.flatMap(({ order, fill }) => (fill && order.side === side ? [fill.netValue] : [])));
      return { rows: String(rows.length), bought: sum('BUY'), sold: sum('SELL') };
    },
    // Each of the five further pages may read the newest rows once more, when it is requested after the period of the
    // limit: on a busy machine all of them are.
    requests: { cold: 13 + 5, warm: 1 + 5 },
  },
  {
    id: 'a-report-for-the-accountant',
    words:
      'Save a CSV report of the dividends and interest of 2025. How many rows has it, and what is the sum of the dividends?',
    calls: [
      { tool: 'request_export', args: report2025 },
      // The service makes a report in fifteen seconds.
      { tool: 'list_exports', args: ([asked = {}]) => ({ reportId: asked.reportId }), afterSeconds: 15.5 },
      { tool: 'download_export', args: ([asked = {}]) => ({ reportId: asked.reportId, previewRows: 1 }) },
      {
        tool: 'summarize_dividends',
        args: { groupBy: 'year', since: report2025.timeFrom, until: report2025.timeTo },
      },
    ],
    answer: ([, , file = {}, sums = {}]) => ({ rows: String(file.totalRows), dividends: sums.total }),
    truth: ({ books }) => {
      const { from, to } = yearOf(2025);
      const dividends = dividendsOf(books, { from, to });
      const interest = books.transactions.filter(
        ({ type, at }) => type === 'INTEREST_ON_FREE_CASH' && at >= from && at < to,
      );
      return {
        rows: String(dividends.length + interest.length),
        dividends: sumOf(dividends.map(({ amount }) => amount)),
      };
    },
    writes: ['requestReport'],
    // The report, two reads of the list, the file, the instruments for its tickers; then the pages, positions and cash.
    requests: { cold: 5 + 7, warm: 5 + 3 },
    warmUp: [
      { tool: 'fetch_history', args: { kind: 'dividends', ...all } },
      { tool: 'search_instruments', args: { query: 'Noonvik' } },
    ],
  },
  {
    id: 'before-the-job',
    words:
      'Before my nightly job: which environment is this, may it trade, and how many market orders may it send now?',
    calls: [{ tool: 'get_server_status' }],
    answer: ([body = {}]) => ({
      environment: body.env,
      trading: body.trading.state,
      marketOrders: String(
        body.limits.find(([endpoint]: string[]) => endpoint === 'POST /equity/orders/market')?.[
          body.limitColumns.indexOf('free')
        ],
      ),
    }),
    truth: () => ({ environment: 'demo', trading: 'on', marketOrders: '50' }),
    requests: { cold: 0, warm: 0 },
  },
  {
    id: 'three-charts',
    words: 'For my dashboard: the value of my largest currency, my largest country and my funds.',
    // The three are drawn at the same moment, so they share what they read.
    setting: { limitScale: longLimits },
    calls: [
      { tool: 'get_server_status' },
      { tool: 'analyze_portfolio', args: { by: 'currency' } },
      { tool: 'analyze_portfolio', args: { by: 'country' } },
      { tool: 'analyze_portfolio', args: { by: 'type' } },
    ],
    answer: ([, currencies = {}, countries = {}, types = {}]) => ({
      currency: rowsOf(currencies)[0]?.value,
      country: rowsOf(countries)[0]?.value,
      funds: rowWhere(types, ({ group }) => group === 'ETF').value,
    }),
    truth: ({ books, world }) => {
      const sums = (keyOf: (instrument: ReturnType<typeof world.get>) => string) =>
        sumsBy(
          books.positions,
          ({ ticker }) => keyOf(world.get(ticker)),
          ({ currentValue }) => currentValue,
        );
      return {
        currency: largestOf(sums(({ currency }) => currency))[1],
        country: largestOf(sums(({ isin }) => isin.slice(0, 2)))[1],
        funds: sums(({ type }) => type).ETF ?? 'none',
      };
    },
    requests: { cold: 3, warm: 2 },
  },
  {
    id: 'read-only',
    words: 'Sell 5 Duskvane Networks at the market, if this server lets you. If not, why not?',
    setting: { flags: ['--read-only'] },
    calls: [
      { tool: 'place_market_order', args: { ticker: 'QDUSK_US_EQ', side: 'SELL', quantity: 5 } },
      { tool: 'get_server_status' },
    ],
    answer: ([refusal = {}, status = {}]) => ({
      placed: refusal.outcome ?? 'no',
      why: status.trading.rule,
    }),
    truth: () => ({ placed: 'no', why: 'read_only' }),
    placeCalls: 1,
    requests: { cold: 0, warm: 0 },
    scriptedOnly: 'a model cannot call a tool that it is not shown',
  },
  {
    id: 'two-programs',
    words: 'My editor and my chat both show cash and holdings. They must not spend the limit twice.',
    setting: { servers: 2, limitScale: longLimits },
    calls: [
      { tool: 'get_server_status' },
      { tool: 'get_server_status', server: 1 },
      { tool: 'list_positions' },
      { tool: 'list_positions', server: 1 },
      { tool: 'get_account_summary' },
      { tool: 'get_account_summary', server: 1 },
    ],
    answer: ([, , held = {}, heldToo = {}, cash = {}, cashToo = {}]) => ({
      cash: penny(cash.cash.availableToTrade),
      value: held.currentValue,
      agree: cash.asOf === cashToo.asOf && held.asOf === heldToo.asOf ? 'yes' : 'no',
    }),
    truth: ({ books }) => ({
      cash: penny(books.cash.available),
      value: sumOf(books.positions.map(({ currentValue }) => currentValue)),
      agree: 'yes',
    }),
    requests: { cold: 2, warm: 2 },
    scriptedOnly: 'a model has one server',
  },
  {
    id: 'since-the-last-run',
    words: `What has come in since ${since}: dividends, and money that was paid in?`,
    calls: [
      { tool: 'fetch_history', args: { kind: 'dividends', since, ...all } },
      { tool: 'fetch_history', args: { kind: 'transactions', type: 'DEPOSIT', since, ...all } },
    ],
    answer: ([dividends = {}, deposits = {}]) => ({
      dividends: sumOf(rowsOf(dividends).map(({ amount }) => amount)),
      paidIn: sumOf(rowsOf(deposits).map(({ amount }) => amount)),
    }),
    truth: ({ books }) => {
      const from = Date.parse(since);
      return {
        dividends: sumOf(books.dividends.flatMap(({ at, amount }) => (at >= from ? [amount] : []))),
        paidIn: sumOf(
          books.transactions.flatMap(({ at, type, amount }) => (at >= from && type === 'DEPOSIT' ? [amount] : [])),
        ),
      };
    },
    meanwhile: ({ inject }) => {
      inject.dividend('QNOON_GB_EQ', '0.11');
      inject.transfer('500.50');
    },
    requests: { cold: 5 + 3, warm: 2 },
  },
  {
    id: 'stop-loss',
    words: 'Put a stop 10 % under today’s price on 90 of my Noonvik Utilities, good till cancelled. Which order is it?',
    calls: [
      { tool: 'list_positions' },
      {
        tool: 'place_stop_order',
        args: ([held = {}]) => {
          const row = rowWhere(held, ({ name }) => name === 'Noonvik Utilities plc');
          return {
            ticker: row.ticker,
            side: 'SELL',
            quantity: 90,
            stopPrice: penny(new Big(row.currentPrice).times('0.9')),
            timeValidity: 'GOOD_TILL_CANCEL',
          };
        },
      },
    ],
    answer: (bodies) => ({ order: last(bodies).orderId }),
    truth: (truth) => ({ order: newOrderId(truth) }),
    orders: (truth) => [
      {
        ticker: 'QNOON_GB_EQ',
        type: 'STOP',
        quantity: '-90',
        stopPrice: penny(priceOf(truth, 'QNOON_GB_EQ').times('0.9')),
        timeInForce: 'GOOD_TILL_CANCEL',
        ends: 'pending',
      },
    ],
    // One of them reads the newest orders of the account, as once a minute while it trades.
    requests: { cold: 8, warm: 7 },
    warmUp: [{ tool: 'list_positions' }, { tool: 'search_instruments', args: { query: 'Noonvik' } }],
  },
];

const sumExactly = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();

export const scripts: readonly Eval[] = list.map((one) => ({ ...one, group: 'scripts' }));
