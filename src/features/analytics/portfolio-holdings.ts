/** Converts open positions to figures, with a sentence for each missing one. */
import type Big from 'big.js';
import type { Position } from '../../core/endpoints/index.ts';
import { toBig, zero } from './sums.ts';

/** Amounts in the account's currency; undefined where the service did not report them. */
export interface Holding {
  readonly ticker: string;
  readonly name: string | undefined;
  readonly isin: string | undefined;
  /** The currency in which it trades. */
  readonly currency: string | undefined;
  readonly value: Big | undefined;
  readonly cost: Big | undefined;
  readonly profitLoss: Big | undefined;
  readonly fxImpact: Big | undefined;
}

const figures = {
  value: 'currentValue',
  cost: 'totalCost',
  profitLoss: 'unrealizedProfitLoss',
  fxImpact: 'fxImpact',
} as const;

export function toHoldings(
  positions: readonly Position[],
  accountCurrency: string | undefined,
): { readonly holdings: readonly Holding[]; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const holdings = positions.map((position, index): Holding => {
    const { instrument, walletImpact } = position;
    const ticker = instrument?.ticker ?? instrument?.isin ?? `position ${index + 1}`;
    const isOther = differ(walletImpact?.currency, accountCurrency);
    if (isOther) unknown.push(`${ticker} is valued in ${walletImpact?.currency}, not in the account's currency.`);
    const figure = (key: keyof typeof figures): Big | undefined => {
      const amount = isOther ? undefined : toBig(walletImpact?.[figures[key]]);
      if (amount !== undefined) return amount;
      if (key === 'fxImpact' && walletImpact && !isOther && isOwn(instrument?.currency, accountCurrency)) return zero;
      if (!isOther) unknown.push(`The service does not report ${figures[key]} of ${ticker}.`);
      return undefined;
    };
    return {
      ticker,
      name: instrument?.name,
      isin: instrument?.isin,
      currency: instrument?.currency,
      value: figure('value'),
      cost: figure('cost'),
      profitLoss: figure('profitLoss'),
      fxImpact: figure('fxImpact'),
    };
  });
  return { holdings, unknown };
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/**
 * Whether no exchange rate applies between instrument and account, so that a missing currency effect is zero. GBX
 * counts as GBP.
 */
const isOwn = (currency: string | undefined, accountCurrency: string | undefined): boolean =>
  currency !== undefined && (currency === accountCurrency || (currency === 'GBX' && accountCurrency === 'GBP'));
