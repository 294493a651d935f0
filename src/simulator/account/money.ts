import type Big from 'big.js';

/** Half up, to the penny. */
export const roundToPence = (amount: Big): Big => amount.round(2, 1);

/** An amount in another currency, or in pence, in the account's; `rate` is units for one pound. */
export function toAccountCurrency(amount: Big, rate: Big): Big {
  // The two rates that half of all rows have need no division, which is what big.js is slow at.
  if (rate.eq(1)) return amount;
  return rate.eq(100) ? amount.times('0.01') : amount.div(rate);
}
