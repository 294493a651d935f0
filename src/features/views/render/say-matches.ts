/** How a sale was matched with purchases, in words. */

import { type FormatOptions, formatDay, formatMoney, formatNumber, unknown } from './format-values.ts';

const ruleWords: Readonly<Record<string, string>> = {
  same_day: 'the same day',
  thirty_day: 'the next 30 days',
  section_104: 'the pool',
  fifo: 'the first bought',
  average: 'the average',
  broker: 'the broker’s figures',
  entered: 'an entered cost',
};

/** Each `section_104 5 of 2025-03-01 = 20.00` in words; a text of another form stays as it is. */
export function listMatches(
  text: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): readonly string[] {
  if (text === undefined) return [unknown];
  return text.split(', ').map((part) => {
    const [, rule = '', quantity, day, cost] =
      /^([a-z0-9_]+) (-?[\d.]+)(?: of (\d{4}-\d\d-\d\d))?(?: = (-?[\d.]+))?$/.exec(part) ?? [];
    if (quantity === undefined) return part.replace(/_/g, ' ');
    const from = `${ruleWords[rule] ?? rule.replace(/_/g, ' ')}${day === undefined ? '' : ` (${formatDay(day, look)})`}`;
    const price = cost === undefined ? '' : ` for ${formatMoney(cost, currency, look)}`;
    return `${formatNumber(quantity, look)} from ${from}${price}`;
  });
}

export const sayMatches = (...args: Parameters<typeof listMatches>): string => listMatches(...args).join('; ');

/** `5 = 20.00`, the shares of a pool and their cost, in words. */
export const sayPool = (text: string, currency: string | undefined, look: FormatOptions): string => {
  const [, quantity, cost] = /^(-?[\d.]+) = (-?[\d.]+)$/.exec(text) ?? [];
  return quantity === undefined ? text : `${formatNumber(quantity, look)} for ${formatMoney(cost, currency, look)}`;
};
