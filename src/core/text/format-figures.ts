/** Formats exact figures as text, rounded half up. Undefined stays undefined. */

import Big from 'big.js';

type Figure = Big | number | undefined;

function rounded(figure: Figure, decimals: number): string | undefined {
  if (figure === undefined) return undefined;
  const value = new Big(figure).round(decimals, Big.roundHalfUp);
  // big.js has a negative zero, and "-0.00" suggests a loss.
  return (value.eq(0) ? new Big(0) : value).toFixed(decimals);
}

/** An amount with two decimals. */
export const formatMoney = (amount: Figure): string | undefined => rounded(amount, 2);
/** A percentage with two decimals, without a percent sign. */
export const formatPercent = (value: Figure): string | undefined => rounded(value, 2);
/** A ratio with four decimals. */
export const formatRatio = (value: Figure): string | undefined => rounded(value, 4);
