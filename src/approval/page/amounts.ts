/** Exact decimal strings as a person reads them; nothing is rounded. */
import { type Html, html } from './html.ts';

/**
 * Thousands apart by a narrow space: 1,000 is one thousand to some readers and one to others.
 * Anything but a plain decimal stays as it is.
 */
export function groupThousands(decimal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(decimal.trim());
  if (!match) return decimal;
  const [, sign = '', whole = '', fraction = ''] = match;
  return `${sign === '-' ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')}${fraction}`;
}

export const isPence = (currency: string | undefined): boolean =>
  currency?.trim() === 'GBp' || currency?.trim().toUpperCase() === 'GBX';

/** A price of the instrument; pence are said each time. */
export const price = (amount: string, currency: string | undefined): Html =>
  html`<b>${groupThousands(amount)}</b> ${currency ?? 'in an unknown currency'}${isPence(currency) && html` (pence)`}`;

/** An amount of the account. */
export const amount = (value: string, currency: string | undefined): Html =>
  html`<b>${groupThousands(value)}</b> ${currency ?? 'in the account’s currency'}`;
