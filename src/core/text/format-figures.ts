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

/**
 * Prices in pence. GBX is not an ISO 4217 currency but a hundredth of GBP, and about every seventh instrument is
 * quoted in it. Showing such an amount as pounds is wrong by a factor of 100.
 */

const pence = 'GBX';

/** The code in upper case. `GBp`, another way to write pence, becomes GBX. Undefined when there is none. */
export function normalizeCurrency(currency: string | undefined): string | undefined {
  const code = currency?.trim();
  if (!code) return undefined;
  return code === 'GBp' ? pence : code.toUpperCase();
}

/** Whether prices in this currency are in pence. */
export const isPence = (currency: string | undefined): boolean => normalizeCurrency(currency) === pence;

/** Returns `1 ticker` or `2 tickers`. A quantity of shares is a decimal as a string. */
export const countOf = (count: number | string, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

/** A duration (ms) in words: `8 seconds`. */
export const secondsOf = (ms: number): string => countOf(Math.max(0, Math.round(ms / 1000)), 'second');

/** Returns a constant as words: `STOP_LIMIT` becomes `Stop limit`. */
export const formatConstant = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1).replace(/_/g, ' ').toLowerCase();
