import { defineEndpoint } from './endpoint.ts';
import { decimal, int64, nested, record, row, text } from './fields.ts';

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
