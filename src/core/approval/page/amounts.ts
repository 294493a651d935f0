/** Formats exact decimal strings for a person; nothing is rounded. */
import { isPence } from '../../text/currency-units.ts';
import { type Html, html } from './html.ts';

/**
 * Separates thousands by a narrow space, because some readers take 1,000 for one thousand and others for one. Text
 * that is not a plain decimal is returned unchanged.
 */
export function groupThousands(decimal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(decimal.trim());
  if (!match) return decimal;
  const [, sign = '', whole = '', fraction = ''] = match;
  return `${sign === '-' ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')}${fraction}`;
}

/** An amount of money has two decimals or more: `70` is written `70.00`. */
const withPence = (decimal: string): string =>
  decimal.replace(/^(-?\d+)(?:\.(\d?))?$/, (_, whole, fraction = '') => `${whole}.${fraction.padEnd(2, '0')}`);

/** A price of the instrument. Pence are marked each time. */
export const price = (amount: string, currency: string | undefined): Html =>
  html`<b>${groupThousands(withPence(amount))}</b> ${currency ?? 'in an unknown currency'}${isPence(currency) && html` (pence)`}`;

/** An amount in the account currency. */
export const amount = (value: string, currency: string | undefined): Html =>
  html`<b>${groupThousands(withPence(value))}</b> ${currency ?? 'in the account’s currency'}`;
