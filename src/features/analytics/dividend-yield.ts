/** A year's dividends per share relative to the cost of a share that is still held. */
import Big from 'big.js';
import type { Position } from '../../core/endpoints/index.ts';
import { groupBy } from '../../core/text/group-by.ts';
import type { Payment } from './dividend-payments.ts';
import { isCapitalPayment } from './dividend-treatments.ts';
import { computePercent, computeSum, quotient, sumIfComplete, toBig, zero } from './sums.ts';

export interface YieldOnCost {
  /** For all holdings; undefined with a reason. */
  readonly percent: Big | undefined;
  readonly reason: string | undefined;
  /**
   * What the payments of the trailing year would be with the shares held now, and the cost of these; in the account's
   * currency.
   */
  readonly dividends: Big | undefined;
  readonly cost: Big | undefined;
  /** In percent, for each ticker held for which it is known. */
  readonly byTicker: ReadonlyMap<string, Big>;
}

/**
 * The yield of current holdings: each payment of the trailing year per share, times the shares held now, in percent of
 * their cost. So shares bought or sold within that year do not change it; a split within it does. Payments of capital
 * are left out. `trailing` are payments in the account's currency.
 */
export function yieldOnCost(
  trailing: readonly Payment[],
  positions: readonly Position[] | undefined,
  onlyTicker: string | undefined,
): YieldOnCost {
  const held = positions?.filter(({ instrument }) => onlyTicker === undefined || instrument?.ticker === onlyTicker);
  const byPosition = groupBy(held ?? [], ({ instrument }) => instrument?.ticker ?? 'unknown');
  const income = trailing.filter(({ type, ticker }) => byPosition.has(ticker) && !isCapitalPayment(type));
  const payments = groupBy(income, ({ ticker }) => ticker);
  const holdings = [...byPosition].map(([ticker, rows]) => ({
    ticker,
    cost: sumIfComplete(rows.map(({ walletImpact }) => toBig(walletImpact?.totalCost))),
    dividends: scalePayments(payments.get(ticker) ?? [], sumIfComplete(rows.map(({ quantity }) => toBig(quantity)))),
  }));
  const cost = held && sumIfComplete(holdings.map((holding) => holding.cost));
  const dividends = sumIfComplete(holdings.map((holding) => holding.dividends));
  const percent = computePercent(dividends, cost);
  return {
    percent,
    reason: percent ? undefined : explainMissingYield(held, cost, dividends),
    dividends,
    cost,
    byTicker: new Map(
      holdings.flatMap((holding) => {
        const own = computePercent(holding.dividends, holding.cost);
        return own ? [[holding.ticker, own] as const] : [];
      }),
    ),
  };
}

/** The payments with the quantity held now; undefined when a payment or the holding has no quantity. */
function scalePayments(payments: readonly Payment[], held: Big | undefined): Big | undefined {
  if (payments.length === 0) return zero;
  if (!held || payments.some(({ quantity }) => quantity === undefined || new Big(quantity).eq(0))) return undefined;
  return computeSum(
    payments.map(({ amount = '0', quantity = '1' }) => quotient(held.times(amount), new Big(quantity).abs())),
  );
}

function explainMissingYield(
  held: readonly Position[] | undefined,
  cost: Big | undefined,
  dividends: Big | undefined,
): string {
  if (!held) return 'The positions are unknown.';
  if (held.length === 0) return 'No shares are held now.';
  if (!cost) return 'The service does not report the total cost of every position.';
  return dividends
    ? 'The cost of the shares held is zero.'
    : 'The service does not report the quantity of every payment and position.';
}
