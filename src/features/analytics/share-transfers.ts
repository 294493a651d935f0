/** Shares moved from or to another broker (FOP). They are money in or out at their value, and move no cash. */
import type Big from 'big.js';
import type { CashFlow } from './cash-flows.ts';
import { getFillMeaning } from './fill-types.ts';
import type { Trade } from './trades.ts';

export interface ShareTransfers {
  /** One flow per transfer whose value is known, positive for shares that came in; oldest first. */
  readonly flows: readonly CashFlow[];
  /** Transfers without a value. */
  readonly unvalued: readonly Trade[];
}

/** Finds the transfers among the trades. A service that does not know the value writes 0 or nothing. */
export function listShareTransfers(trades: readonly Trade[]): ShareTransfers {
  const transfers = trades.filter(({ type, quantity }) => getFillMeaning(type) === 'transfer' && !quantity.eq(0));
  const flows = transfers.flatMap((trade) => {
    const { at, type, netValue, valueCurrency: currency } = trade;
    return netValue?.gt(0) ? { at, type, amount: signed(trade, netValue), currency, isExternal: true } : [];
  });
  return { flows, unvalued: transfers.filter(({ netValue }) => !netValue?.gt(0)) };
}

const signed = ({ side, quantity }: Trade, value: Big): Big =>
  side === 'SELL' || quantity.lt(0) ? value.neg() : value;
