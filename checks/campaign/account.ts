/** The account behind the upstream: five instruments, plenty of cash and shares, and the accepted orders. */

export interface OrderJson {
  readonly id: number;
  readonly ticker: string;
  readonly quantity: number;
  readonly [field: string]: unknown;
}

export const tickers = ['ALPHA_US_EQ', 'BRAVO_US_EQ', 'CARGO_US_EQ', 'DELTA_US_EQ', 'ECHOS_US_EQ'] as const;
/** Of every instrument; the campaign's limit and stop prices are near it. */
export const price = 10;

const short = (ticker: string) => ({
  ticker,
  name: `${ticker} Inc.`,
  isin: `US${ticker.slice(0, 5)}00001`,
  currency: 'USD',
});

export const summary = {
  id: 4711,
  currency: 'USD',
  totalValue: 900000000.5,
  cash: { availableToTrade: 500000000.25, inPies: 0, reservedForOrders: 0 },
  investments: { currentValue: 400000000.25, realizedProfitLoss: 0, totalCost: 1, unrealizedProfitLoss: 0 },
};

export const positions = tickers.map((ticker) => ({
  instrument: short(ticker),
  createdAt: '2026-01-02T10:00:00.000Z',
  quantity: 1000000000,
  quantityAvailableForTrading: 1000000000,
  quantityInPies: 0,
  averagePricePaid: price,
  currentPrice: price,
  walletImpact: {
    currency: 'USD',
    currentValue: 1000000000 * price,
    totalCost: 1,
    unrealizedProfitLoss: 0,
    fxImpact: 0,
  },
}));

export const instruments = tickers.map((ticker) => ({
  ticker,
  type: 'STOCK',
  name: `${ticker} Inc.`,
  shortName: ticker.slice(0, 5),
  isin: `US${ticker.slice(0, 5)}00001`,
  currencyCode: 'USD',
  addedOn: '2020-01-01T00:00:00.000Z',
  extendedHours: true,
  maxOpenQuantity: 100000000000,
  workingScheduleId: 7,
}));

const hourMs = 3_600_000;
const event = (inMs: number, type: string) => ({ date: new Date(Date.now() + inMs).toISOString(), type });

/** Open from an hour before the campaign until a day after it began: a plan waits for no sell of a closed market. */
export const exchanges = [
  {
    id: 1,
    name: 'Campaign Exchange',
    workingSchedules: [{ id: 7, timeEvents: [event(-hourMs, 'OPEN'), event(24 * hourMs, 'CLOSE')] }],
  },
];

const types: Readonly<Record<string, string>> = {
  limit: 'LIMIT',
  market: 'MARKET',
  stop: 'STOP',
  stop_limit: 'STOP_LIMIT',
};

/** Turns a request body into the order as the service lists and echoes it. */
export function orderFrom(id: number, endpoint: string, body: Readonly<Record<string, unknown>>): OrderJson {
  const quantity = Number(body.quantity);
  const { ticker, limitPrice, stopPrice, timeValidity, extendedHours } = body;
  return {
    id,
    createdAt: new Date().toISOString(),
    currency: 'USD',
    extendedHours: extendedHours ?? false,
    filledQuantity: 0,
    initiatedFrom: 'API',
    instrument: short(String(ticker)),
    limitPrice,
    stopPrice,
    quantity,
    side: quantity < 0 ? 'SELL' : 'BUY',
    status: 'NEW',
    strategy: 'QUANTITY',
    ticker: String(ticker),
    timeInForce: timeValidity ?? 'DAY',
    type: types[endpoint],
  };
}
