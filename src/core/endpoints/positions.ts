import { defineEndpoint } from './endpoint.ts';
import { dateTime, decimal, nested, record, row, text } from './fields.ts';
import { instrument } from './instruments.ts';
import { unpaginatedList } from './shapes.ts';

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
