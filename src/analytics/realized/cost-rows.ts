/**
 * Events that change the cost of a holding and not its shares, as rows among the trades: returned capital, the cost
 * that a spin-off takes along, and income that an offshore fund reported without paying it.
 */
import Big from 'big.js';
import { getTicker } from '../../catalogue/get-ticker.ts';
import type { Dividend } from '../../catalogue/index.ts';
import type { CostRowType } from '../fill-types.ts';
import type { Trade } from '../trades.ts';

export interface CostChange {
  readonly type: CostRowType;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  /** Above zero if the shares cost more, below zero if less. */
  readonly amount: Big;
  readonly currency: string | undefined;
}

/** A change of cost as a row without shares; its `netValue` has the sign of the change. */
export const toCostRow = ({ type, at, ticker, amount, currency }: CostChange): Trade => ({
  at,
  ticker,
  isin: undefined,
  currency: undefined,
  side: 'BUY',
  type,
  quantity: new Big(0),
  price: undefined,
  netValue: amount,
  valueCurrency: currency,
  realisedProfitLoss: undefined,
  charges: [],
  orderId: undefined,
  fillId: undefined,
});

/**
 * Capital that companies paid back, which reduces the cost of the shares (TCGA 1992 s 122). A correction with a minus
 * raises it again. Rows without a date, a ticker or an amount are left out.
 */
export function listReturnedCapital(dividends: readonly Dividend[]): CostChange[] {
  return dividends.flatMap((row): CostChange[] => {
    const [at, ticker] = [Date.parse(row.paidOn ?? ''), getTicker(row)];
    if (!row.type?.startsWith('RETURN_OF_CAPITAL') || Number.isNaN(at) || ticker === undefined || !row.amount)
      return [];
    return [{ type: 'CAPITAL_RETURNED', at, ticker, amount: new Big(row.amount).times(-1), currency: row.currency }];
  });
}
