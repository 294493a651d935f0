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

/** One match: how many shares as a decimal, the purchase that they are from in words, and their cost as money. */
export interface Match {
  readonly quantity?: string | undefined;
  readonly source: string;
  readonly cost?: string | undefined;
}

/** Reads each `section_104 5 of 2025-03-01 = 20.00`; a text of another form is a source alone. */
export function readMatches(
  text: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): readonly Match[] {
  if (text === undefined) return [{ source: unknown }];
  return text.split(', ').map((part) => {
    const [, rule = '', quantity, day, cost] =
      /^([a-z0-9_]+) (-?[\d.]+)(?: of (\d{4}-\d\d-\d\d))?(?: = (-?[\d.]+))?$/.exec(part) ?? [];
    if (quantity === undefined) return { source: part.replace(/_/g, ' ') };
    const source = `${ruleWords[rule] ?? rule.replace(/_/g, ' ')}${day === undefined ? '' : ` (${formatDay(day, look)})`}`;
    return { quantity, source, cost: cost && formatMoney(cost, currency, look) };
  });
}

/** Each match as a clause: `5 from the pool for £20.00`. */
export const listMatches = (
  text: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): readonly string[] =>
  readMatches(text, currency, look).map(({ quantity, source, cost }) =>
    [quantity && `${formatNumber(quantity, look)} from`, source, cost && `for ${cost}`].filter(Boolean).join(' '),
  );

export const sayMatches = (...args: Parameters<typeof listMatches>): string => listMatches(...args).join('; ');

/** `5 = 20.00`, the shares of a pool and their cost, in words. */
export const sayPool = (text: string, currency: string | undefined, look: FormatOptions): string => {
  const [, quantity, cost] = /^(-?[\d.]+) = (-?[\d.]+)$/.exec(text) ?? [];
  return quantity === undefined ? text : `${formatNumber(quantity, look)} for ${formatMoney(cost, currency, look)}`;
};

const methods: Readonly<Record<string, string>> = {
  broker: 'the broker’s own figures',
  fifo: 'first in, first out',
  average: 'average cost',
  uk_section_104: 'UK matching rules',
};

/** What a person calls a method of matching; one that has no words stays as it is. */
export const nameMethod = (method: string): string => methods[method] ?? method;
