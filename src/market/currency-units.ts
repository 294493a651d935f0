/**
 * Prices in pence. GBX is not a currency of ISO 4217 but a hundredth of GBP, and about every seventh
 * instrument is quoted in it: an amount shown without this is wrong a hundredfold.
 */

const pence = 'GBX';

/** The code in upper case; `GBp`, as some write pence, is GBX. Undefined when there is none. */
export function normalizeCurrency(currency: string | undefined): string | undefined {
  const code = currency?.trim();
  if (!code) return undefined;
  return code === 'GBp' ? pence : code.toUpperCase();
}

export const isPence = (currency: string | undefined): boolean => normalizeCurrency(currency) === pence;
