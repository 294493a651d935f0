/**
 * Prices in pence. GBX is not a currency of ISO 4217 but a hundredth of GBP, and about every seventh
 * instrument is quoted in it: an amount shown without this is wrong a hundredfold.
 */
import Big from 'big.js';

const pence = 'GBX';
const pounds = 'GBP';

/** The code in upper case; `GBp`, as some write pence, is GBX. Undefined when there is none. */
export function normalizeCurrency(currency: string | undefined): string | undefined {
  const code = currency?.trim();
  if (!code) return undefined;
  return code === 'GBp' ? pence : code.toUpperCase();
}

export const isPence = (currency: string | undefined): boolean => normalizeCurrency(currency) === pence;

/**
 * An amount (exact decimal string) in the major unit of its currency: 250 GBX is 2.5 GBP, anything else
 * stays as it is. Exact. Throws when the amount is not a decimal number.
 */
export function toMajorUnits<Currency extends string | undefined>(
  amount: string,
  currency: Currency,
): { amount: string; currency: string | Extract<Currency, undefined> };
export function toMajorUnits(amount: string, currency: string | undefined) {
  const exact = new Big(amount);
  // Times a hundredth and not divided by a hundred: big.js rounds quotients.
  if (isPence(currency)) return { amount: exact.times('0.01').toFixed(), currency: pounds };
  return { amount: exact.toFixed(), currency: normalizeCurrency(currency) };
}

/** One sentence for an answer that shows prices of an instrument in this currency; undefined when none is needed. */
export const priceNote = (currency: string | undefined): string | undefined =>
  isPence(currency) ? 'Prices of this instrument are in pence (GBX): 100 GBX are 1 GBP.' : undefined;
