/** Exact figures as the text of an answer, rounded half up. Undefined stays undefined. */
import Big from 'big.js';

type Figure = Big | number | undefined;

function rounded(figure: Figure, decimals: number): string | undefined {
  if (figure === undefined) return undefined;
  const value = new Big(figure).round(decimals, Big.roundHalfUp);
  // big.js has a negative zero, and "-0.00" reads like a loss.
  return (value.eq(0) ? new Big(0) : value).toFixed(decimals);
}

export const formatMoney = (amount: Figure): string | undefined => rounded(amount, 2);
export const formatPercent = (value: Figure): string | undefined => rounded(value, 2);
export const formatRatio = (value: Figure): string | undefined => rounded(value, 4);
