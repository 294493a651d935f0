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

/** Says it of an instrument. It asks for no attention, so that pages can tell it from a warning by this constant. */
export const penceFact = 'Prices of this instrument are in pence (GBX).';

/** Whether prices in this currency are in pence. */
export const isPence = (currency: string | undefined): boolean => normalizeCurrency(currency) === pence;
