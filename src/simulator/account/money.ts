import type Big from 'big.js';

/** Rounds half up to the penny. */
export const roundToPence = (amount: Big): Big => amount.round(2, 1);

/** Converts an amount in another currency, or in pence, to the account's currency; `rate` is units per pound. */
export function toAccountCurrency(amount: Big, rate: Big): Big {
  // Half of all rows have one of these two rates, and skipping the division saves time: it is slow in big.js.
  if (rate.eq(1)) return amount;
  return rate.eq(100) ? amount.times('0.01') : amount.div(rate);
}
