/**
 * Events that change the cost of a holding and not its shares, as rows among the trades: returned capital, the cost
 * that a spin-off takes along, and income that an offshore fund reported without paying it.
 */
import Big from 'big.js';
import { getTicker } from '../../core/endpoints/get-ticker.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { getTreatment, isManufacturedCapital } from '../analytics/dividend-treatments.ts';
import type { CostRowType } from '../analytics/fill-types.ts';
import { computeSum } from '../analytics/sums.ts';
import type { Trade } from '../analytics/trades.ts';

export interface CostChange {
  readonly type: CostRowType;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  /** Above zero if the shares cost more, below zero if less; of `CAPITAL_DISTRIBUTED` the payment. */
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
 * A payment of capital up to this many pounds is small whatever the shares are worth; a larger one is if it is at most
 * 5 % of their value, which no row has (HMRC CG57835 and CG57836).
 */
const smallDistribution = 3_000;

/**
 * Capital that companies paid. A small payment reduces the cost of the shares (TCGA 1992 s 122), and a correction with a
 * minus raises it again. One that can be a part disposal, by its size (for the UK rules) or because it is paid in a
 * liquidation, is a row of its own. Rows without a date, a ticker or an amount are left out.
 */
export function listPaidCapital(dividends: readonly Dividend[], isUk: boolean): CostChange[] {
  return dividends.flatMap((row): CostChange[] => {
    const [at, ticker] = [Date.parse(row.paidOn ?? ''), getTicker(row)];
    const treatment = getTreatment(row.type ?? '');
    const isCapital = treatment === 'return_of_capital' || treatment === 'liquidation';
    if (!isCapital || Number.isNaN(at) || ticker === undefined || !row.amount) return [];
    const amount = new Big(row.amount);
    const place = { at, ticker, currency: row.currency };
    const isSmall = !isUk || amount.abs().lte(smallDistribution);
    return treatment === 'return_of_capital' && isSmall
      ? [{ type: 'CAPITAL_RETURNED', amount: amount.times(-1), ...place }]
      : [{ type: 'CAPITAL_DISTRIBUTED', amount, ...place }];
  });
}

/** Names the payments that replace a payment of capital: the borrower of the shares made them, and no cost changes. */
export function describeManufacturedCapital(dividends: readonly Dividend[]): string[] {
  const rows = dividends.filter(({ type, amount }) => isManufacturedCapital(type ?? '') && amount !== undefined);
  const byName = groupBy(rows, (row) => `${getTicker(row)} ${row.type} ${row.currency}`);
  return [...byName.values()].map((members) => {
    const [first] = members as [Dividend];
    const sum = computeSum(members.flatMap(({ amount }) => amount ?? []));
    const money = [sum.toFixed(2), first.currency].filter((part) => part !== undefined).join(' ');
    return `${getTicker(first) ?? 'A ticker that is not named'}: ${money} of ${first.type} came from the borrower of the shares and not from the company, so it is not deducted from their cost, and no gain includes it.`;
  });
}
