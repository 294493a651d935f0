import Big from 'big.js';
import * as z from 'zod';
import { endpoints, type Position } from '../../catalogue/index.ts';
import { cursor, limit, responseFormat, ticker } from '../arguments.ts';
import { amount, listOutput } from '../output-schemas.ts';
import { type Columns, paginate } from '../pagination.ts';
import { defineTool } from '../tool.ts';

export const getAccountSummary = defineTool({
  name: 'get_account_summary',
  title: 'Account summary',
  toolset: 'account',
  effect: 'reads',
  endpoints: [endpoints.getAccountSummary],
  description: 'Account balance: cash, invested value and total worth, in the account’s currency.',
  searchHint: 'how much money do I have, balance, buying power, net worth',
  alwaysLoad: true,
  input: z.strictObject({}),
  output: {
    id: amount(),
    currency: z.string().optional(),
    totalValue: amount(),
    cash: z.looseObject({ availableToTrade: amount(), inPies: amount(), reservedForOrders: amount() }).optional(),
    investments: z
      .looseObject({
        currentValue: amount(),
        realizedProfitLoss: amount(),
        totalCost: amount(),
        unrealizedProfitLoss: amount(),
      })
      .optional(),
  },
  run: async (_args, call) => {
    const { data, answeredAt } = await call.broker.call(endpoints.getAccountSummary, {}, call.context());
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
    'Open positions (holdings) with value, profit and loss. Prices in the instrument’s currency, other amounts in the account’s.',
  searchHint: 'what do I own, holdings, portfolio, my stocks and shares, gains and losses',
  alwaysLoad: true,
  input: z.strictObject({
    ticker: ticker('Only this ticker').optional(),
    sort: z
      .enum(
        ['value', 'profitLoss', 'profitLossPercent', 'ticker'],
        'must be value, profitLoss, profitLossPercent or ticker',
      )
      .optional()
      .meta({ description: 'Default value, largest first' }),
    limit: limit(500, 500),
    cursor: cursor(),
    responseFormat: responseFormat(),
  }),
  output: { ...listOutput, positions: z.number(), currentValue: amount(), unrealizedProfitLoss: amount() },
  run: async (args, call) => {
    const { data, answeredAt } = await call.broker.call(endpoints.listPositions, {}, call.context());
    const chosen = data.filter((position) => !args.ticker || position.instrument?.ticker === args.ticker);
    // No position has this ticker: check whether the ticker exists at all.
    if (args.ticker && chosen.length === 0) await call.directory.getOrThrow(args.ticker, call.context());
    const sorted = chosen.toSorted(comparers[args.sort ?? 'value']);
    return {
      asOf: answeredAt,
      fields: {
        positions: chosen.length,
        currentValue: total(chosen, (position) => position.walletImpact?.currentValue),
        unrealizedProfitLoss: total(chosen, (position) => position.walletImpact?.unrealizedProfitLoss),
        complete: true,
        ...(args.ticker && chosen.length === 0 ? { note: `The account holds no ${args.ticker}.` } : {}),
      },
      list: paginate(sorted, positionColumns, args),
    };
  },
});

const byFigureDescending =
  (getFigure: (position: Position) => string | Big | undefined) => (a: Position, b: Position) =>
    new Big(getFigure(b) ?? 0).cmp(getFigure(a) ?? 0);

const comparers = {
  value: byFigureDescending((position) => position.walletImpact?.currentValue),
  profitLoss: byFigureDescending((position) => position.walletImpact?.unrealizedProfitLoss),
  profitLossPercent: byFigureDescending(profitLossPercent),
  ticker: (a: Position, b: Position) => ((a.instrument?.ticker ?? '') < (b.instrument?.ticker ?? '') ? -1 : 1),
};

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
