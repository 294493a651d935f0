import { defineEndpoint } from './endpoint.ts';
import { dateTime, decimal, int64, nested, record, row, text } from './fields.ts';
import { instrument } from './instruments.ts';
import { unpaginatedList } from './shapes.ts';

/** All amounts are in the account's primary currency. */
const cash = record({
  /** Funds available for investing. */
  availableToTrade: decimal(),
  /** Cash inside pies that is not invested yet. */
  inPies: decimal(),
  /** Cash reserved for pending orders, not available for new trades. */
  reservedForOrders: decimal(),
});

const investments = record({
  currentValue: decimal(),
  /** All-time realised result of executed trades. */
  realizedProfitLoss: decimal(),
  /** Cost basis of current holdings. */
  totalCost: decimal(),
  /** Potential gain or loss if sold now. */
  unrealizedProfitLoss: decimal(),
});

const accountSummary = row({
  /** Primary trading account number. */
  id: int64(),
  /** Primary account currency, ISO 4217. */
  currency: text(),
  totalValue: decimal(),
  cash: nested(cash),
  investments: nested(investments),
});

export const getAccountSummary = defineEndpoint({
  id: 'getAccountSummary',
  method: 'GET',
  path: '/equity/account/summary',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 5 },
  response: accountSummary,
});

/** All amounts are in the account's primary currency. */
const positionWalletImpact = record({
  currency: text(),
  /** Current market value. */
  currentValue: decimal(),
  /** Total paid. */
  totalCost: decimal(),
  /** currentValue minus totalCost. */
  unrealizedProfitLoss: decimal(),
  /** Effect of currency-rate changes on the position's value. */
  fxImpact: decimal(),
});

const position = row({
  instrument: nested(instrument),
  /** When the position was opened. */
  createdAt: dateTime(),
  /** Total shares owned. */
  quantity: decimal(),
  quantityAvailableForTrading: decimal(),
  /** Shares used in pies. */
  quantityInPies: decimal(),
  /** Per share, instrument currency. */
  averagePricePaid: decimal(),
  /** Per share, instrument currency. */
  currentPrice: decimal(),
  walletImpact: nested(positionWalletImpact),
});

export const listPositions = defineEndpoint({
  id: 'listPositions',
  method: 'GET',
  path: '/equity/positions',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 1 },
  // spec: not shown; services have been seen to accept it.
  query: ['ticker'],
  response: unpaginatedList(position),
});
