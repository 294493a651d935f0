/** Converts matched sales to disposals: exact decimals, in shares as they were at the sale. */

import Big from 'big.js';
import { type FixedPointScale, fromUnits, prorate, toShares, toUnits } from './fixed-point.ts';
import type {
  Disposal,
  GainsMethod,
  GainsSum,
  GainsTotals,
  Match,
  RealisedGains,
  UnmatchedSale,
} from './gain-types.ts';
import { isPoolCostUnknown, lotNameSeparator, type MatchedSale } from './lot-matching.ts';

/** Figures of the units that have a cost, as integers (fixed-point.ts). */
interface SaleFigures {
  readonly proceeds: bigint;
  readonly cost: bigint;
}

export function computeFigures({ units, amount, pieces, missing }: MatchedSale): SaleFigures {
  let cost = 0n;
  for (const piece of pieces) cost += piece.cost;
  return { proceeds: prorate(amount, units - missing, units), cost };
}

/**
 * A disposal that computes its decimals when they are read: a response shows one page of decades of sales, and
 * converting all of them takes longer than everything else. A class, because an object literal would have its own
 * getters for each sale.
 */
class MatchedDisposal implements Disposal {
  readonly at: number;
  readonly ticker: string;
  private readonly sale: MatchedSale;
  private readonly scale: FixedPointScale;

  constructor(sale: MatchedSale, scale: FixedPointScale) {
    this.at = sale.at;
    this.ticker = sale.ticker;
    this.sale = sale;
    this.scale = scale;
  }

  get quantity(): Big {
    return toSaleShares(this.sale, this.sale.units - this.sale.missing, this.scale);
  }

  get proceeds(): Big {
    return fromUnits(computeFigures(this.sale).proceeds, this.scale.money);
  }

  get cost(): Big {
    return fromUnits(computeFigures(this.sale).cost, this.scale.money);
  }

  get gain(): Big {
    const { proceeds, cost } = computeFigures(this.sale);
    return fromUnits(proceeds - cost, this.scale.money);
  }

  get charges(): Big | undefined {
    const valueCurrency = this.currency;
    const { units, missing, trades } = this.sale;
    let sum = new Big(0);
    for (const { charges } of trades)
      for (const { amount, currency } of charges) {
        if (currency !== undefined && valueCurrency !== undefined && currency !== valueCurrency) return undefined;
        sum = sum.plus(amount);
      }
    // The part of the sale that is in no figure has its part of the charges.
    return missing === 0n
      ? sum
      : fromUnits(prorate(toUnits(sum, this.scale.money), units - missing, units), this.scale.money);
  }

  get currency(): string | undefined {
    return this.sale.trades[0]?.valueCurrency;
  }

  get account(): string | undefined {
    return nameAccounts(this.sale);
  }

  get poolAfter(): Disposal['poolAfter'] {
    const { poolAfter } = this.sale;
    if (!poolAfter) return undefined;
    return {
      quantity: toSaleShares(this.sale, poolAfter.units, this.scale),
      cost: isPoolCostUnknown(poolAfter) ? undefined : fromUnits(poolAfter.cost, this.scale.money),
    };
  }

  get matches(): readonly Match[] {
    return this.sale.pieces.map(({ rule, units, cost, acquiredAt }) => ({
      rule,
      quantity: toSaleShares(this.sale, units, this.scale),
      cost: fromUnits(cost, this.scale.money),
      ...(acquiredAt === undefined ? {} : { acquiredAt }),
    }));
  }
}

/** The accounts of the sales that are one disposal; undefined where one account is read. */
export const nameAccounts = ({ trades }: MatchedSale): string | undefined =>
  [...new Set(trades.flatMap(({ account }) => account ?? []))].join(lotNameSeparator) || undefined;

export const toDisposal = (sale: MatchedSale, scale: FixedPointScale): Disposal => new MatchedDisposal(sale, scale);

/** The parts of a sale without a known cost, one for each reason. */
export function toUnmatchedSales(sale: MatchedSale, method: GainsMethod, scale: FixedPointScale): UnmatchedSale[] {
  const { at, ticker, amount, missing, transferred } = sale;
  if (missing === 0n) return [];
  const withoutCost = amount - computeFigures(sale).proceeds;
  const ofTransferred = prorate(withoutCost, transferred, missing);
  const toPart = (part: bigint, proceeds: bigint, reason: UnmatchedSale['reason']): UnmatchedSale[] =>
    part === 0n
      ? []
      : [
          {
            at,
            ticker,
            side: 'SELL',
            quantity: toSaleShares(sale, part, scale),
            proceeds: fromUnits(proceeds, scale.money),
            reason,
            account: nameAccounts(sale),
          },
        ];
  return [
    ...toPart(transferred, ofTransferred, 'original_cost_unknown'),
    ...toPart(
      missing - transferred,
      withoutCost - ofTransferred,
      method === 'broker' ? 'no_broker_result' : 'not_held',
    ),
  ];
}

const toSaleShares = ({ weight }: MatchedSale, units: bigint, scale: FixedPointScale): Big =>
  toShares(units, weight, scale);

// Exact sums over disposals, because a sum of rounded rows would be off by pennies.

/** As integers (fixed-point.ts). */
export interface Sums {
  disposals: number;
  proceeds: bigint;
  cost: bigint;
  gains: bigint;
  /** Zero or less. */
  losses: bigint;
}

export const emptyTotals = (): Sums => ({ disposals: 0, proceeds: 0n, cost: 0n, gains: 0n, losses: 0n });

export function addSale(sums: Sums, { proceeds, cost }: SaleFigures): void {
  sums.disposals++;
  sums.proceeds += proceeds;
  sums.cost += cost;
  if (proceeds > cost) sums.gains += proceeds - cost;
  else sums.losses += proceeds - cost;
}

export function computeTotals(parts: Iterable<Sums>, scale: FixedPointScale): GainsTotals {
  const total = emptyTotals();
  for (const part of parts) {
    total.disposals += part.disposals;
    total.proceeds += part.proceeds;
    total.cost += part.cost;
    total.gains += part.gains;
    total.losses += part.losses;
  }
  return {
    ...toGainsSum(total, scale),
    gains: fromUnits(total.gains, scale.money),
    losses: fromUnits(total.losses, scale.money),
  };
}

export const totalsByTicker = (
  sums: Iterable<readonly [ticker: string, sums: Sums, currency: string | undefined]>,
  scale: FixedPointScale,
): RealisedGains['byTicker'] =>
  [...sums]
    .map(([ticker, part, currency]) => ({ ticker, currency, ...toGainsSum(part, scale) }))
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));

const toGainsSum = ({ disposals, proceeds, cost }: Sums, { money }: FixedPointScale): GainsSum => ({
  disposals,
  proceeds: fromUnits(proceeds, money),
  cost: fromUnits(cost, money),
  gain: fromUnits(proceeds - cost, money),
});
