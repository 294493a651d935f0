import Big from 'big.js';
import * as z from 'zod';
import { endpoints, type Position } from '../endpoints/index.ts';
import { cursor, limit, responseFormat, ticker } from '../mcp/arguments.ts';
import { amount, itemFields, listOutput, tableOrObjects, text, upstreamFields } from '../mcp/output-schemas.ts';
import { type Columns, paginate } from '../mcp/pagination.ts';
import { defineTool } from '../mcp/tool.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

export const getAccountSummary = defineTool({
  name: 'get_account_summary',
  title: 'Account summary',
  toolset: 'account',
  effect: 'reads',
  endpoints: [endpoints.getAccountSummary],
  description:
    'Account balance, buying power: cash (free, spare, available to spend, blocked), total value and worth, currency.',
  searchHint:
    'how much money do I have, what is my balance, how much cash is free or available to spend, buying power, net worth, what is my account worth in total, is this an ISA, which currency is my account in, how much is blocked or reserved by open orders, how much can I invest, money in pies, how rich am I, what have I got in the account, uninvested money, spare cash, funds available, how much can I spend, account value, account type, GIA, ISA, in pounds, euros or dollars, locked up',
  alwaysLoad: true,
  input: z.strictObject({}),
  output: () => upstreamFields(endpoints.getAccountSummary.response),
  run: async (_args, call, deps: EndpointDeps) => {
    const { data, answeredAt } = await deps.broker.call(endpoints.getAccountSummary, {}, call.context());
    return { asOf: answeredAt, fields: data };
  },
});

const positionColumns: Columns<Position> = {
  ticker: (position) => position.instrument?.ticker,
  name: (position) => position.instrument?.name,
  currency: (position) => position.instrument?.currency,
  quantity: (position) => position.quantity,
  quantityAvailableForTrading: (position) => position.quantityAvailableForTrading,
  averagePricePaid: (position) => position.averagePricePaid,
  currentPrice: (position) => position.currentPrice,
  currentValue: (position) => position.walletImpact?.currentValue,
  totalCost: (position) => position.walletImpact?.totalCost,
  unrealizedProfitLoss: (position) => position.walletImpact?.unrealizedProfitLoss,
  profitLossPercent: (position) => profitLossPercent(position)?.toFixed(2),
};

export const listPositions = defineTool({
  name: 'list_positions',
  title: 'Open positions',
  view: 'profit-loss',
  toolset: 'account',
  effect: 'reads',
  endpoints: [endpoints.listPositions, endpoints.listInstruments],
  description:
    'Positions: holdings, stocks owned, value, average price paid (cost basis), unrealised profit and loss (P/L).',
  searchHint:
    'what do I own, show me my portfolio, holdings, my stocks and shares, how many shares of X do I have, gains and losses, what am I up or down on, biggest losers and winners, best and worst performers, average price I paid, what is my P/L on it, what is it worth now, which shares or stocks do I hold, list my investments, what is in my account, position in a company, how is it doing, which ones am I losing money on, what has done worst or best, top gainers, movers, unrealised, unrealized, paper profit, cost per share, how many do I have left',
  alwaysLoad: true,
  input: z.strictObject({
    ticker: ticker('Only this').optional(),
    sort: z
      .enum(
        ['value', 'profitLoss', 'profitLossPercent', 'ticker'],
        'must be value, profitLoss, profitLossPercent or ticker',
      )
      .optional()
      .meta({ description: 'Default value' }),
    order: z.enum(['asc', 'desc'], 'must be asc or desc').optional().meta({ description: 'asc: losers first' }),
    limit: limit(500, 500),
    cursor: cursor(),
    responseFormat: responseFormat(),
  }),
  output: () => ({
    ...listOutput(),
    ...tableOrObjects(positionColumns, [z.looseObject(itemFields(endpoints.listPositions.response))]),
    positions: z.number(),
    accountCurrency: text(),
    currentValue: amount(),
    unrealizedProfitLoss: amount(),
  }),
  run: async (args, call, deps: EndpointDeps) => {
    const { data, answeredAt } = await deps.broker.call(endpoints.listPositions, {}, call.context());
    const chosen = data.filter((position) => !args.ticker || position.instrument?.ticker === args.ticker);
    // No position has this ticker: check whether the ticker exists at all.
    if (args.ticker && chosen.length === 0) await deps.directory.getOrThrow(args.ticker, call.context());
    const sorted = sortPositions(chosen, args.sort ?? 'value', args.order);
    return {
      asOf: answeredAt,
      fields: {
        positions: chosen.length,
        accountCurrency: chosen.find((position) => position.walletImpact?.currency)?.walletImpact?.currency,
        currentValue: total(chosen, (position) => position.walletImpact?.currentValue),
        unrealizedProfitLoss: total(chosen, (position) => position.walletImpact?.unrealizedProfitLoss),
        complete: true,
        ...(args.ticker && chosen.length === 0 ? { note: `The account holds no ${args.ticker}.` } : {}),
      },
      list: paginate(sorted, positionColumns, args),
    };
  },
});

type SortKey = 'value' | 'profitLoss' | 'profitLossPercent' | 'ticker';

const figures: Readonly<Record<Exclude<SortKey, 'ticker'>, (position: Position) => string | Big | undefined>> = {
  value: (position) => position.walletImpact?.currentValue,
  profitLoss: (position) => position.walletImpact?.unrealizedProfitLoss,
  profitLossPercent,
};

/** Positions without the figure come last in either order: they are neither the largest nor the smallest. */
function sortPositions(positions: readonly Position[], key: SortKey, order: 'asc' | 'desc' | undefined): Position[] {
  if (key === 'ticker') {
    const sign = order === 'desc' ? -1 : 1;
    return positions.toSorted((a, b) => sign * ((a.instrument?.ticker ?? '') < (b.instrument?.ticker ?? '') ? -1 : 1));
  }
  const sign = order === 'asc' ? 1 : -1;
  const getFigure = figures[key];
  return positions.toSorted((a, b) => {
    const [one, other] = [getFigure(a), getFigure(b)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return sign * new Big(one).cmp(other);
  });
}

function profitLossPercent(position: Position): Big | undefined {
  const { totalCost, unrealizedProfitLoss } = position.walletImpact ?? {};
  if (!totalCost || !unrealizedProfitLoss || new Big(totalCost).eq(0)) return undefined;
  return new Big(unrealizedProfitLoss).div(totalCost).times(100);
}

/** Returns undefined when a part is unknown, because the sum of the others would seem complete. */
function total(
  positions: readonly Position[],
  getFigure: (position: Position) => string | undefined,
): string | undefined {
  let sum = new Big(0);
  for (const position of positions) {
    const value = getFigure(position);
    if (value === undefined) return undefined;
    sum = sum.plus(value);
  }
  return sum.toFixed(2);
}
