/** Formats exact figures as text, rounded half up. Undefined stays undefined. */

import Big from 'big.js';

type Figure = Big | number | undefined;
/** What is known has a text. */
type TextOf<F extends Figure> = F extends undefined ? undefined : string;

function rounded<F extends Figure>(figure: F, decimals: number): TextOf<F>;
function rounded(figure: Figure, decimals: number): string | undefined {
  if (figure === undefined) return undefined;
  const value = new Big(figure).round(decimals, Big.roundHalfUp);
  // big.js has a negative zero, and "-0.00" suggests a loss.
  return (value.eq(0) ? new Big(0) : value).toFixed(decimals);
}

/** An amount with two decimals. */
export const formatMoney = <F extends Figure>(amount: F): TextOf<F> => rounded(amount, 2);
/** A percentage with two decimals, without a percent sign. */
export const formatPercent = <F extends Figure>(value: F): TextOf<F> => rounded(value, 2);
/** A ratio with four decimals. */
export const formatRatio = <F extends Figure>(value: F): TextOf<F> => rounded(value, 4);
