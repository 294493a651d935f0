/** Formats the figures of a disposal as text. */
import Big from 'big.js';
import { formatMoney } from '../format-figures.ts';
import { countDecimals } from './fixed-point.ts';
import type { Disposal, GainsSum } from './gain-types.ts';

/**
 * Rounds to the penny, half up. It first rounds to six decimals, because half a penny that was divided among lots
 * can be short by the last of its twelve decimals.
 */
export const formatPence = (figure: Big): string | undefined => formatMoney(figure.round(6, Big.roundHalfUp));

/** A quantity rounded half up to ten decimals, without trailing zeros. */
export const formatQuantity = (quantity: Big): string => quantity.round(10, Big.roundHalfUp).toFixed();

/** The figures of a sum of disposals as text, rounded to the penny. */
export const formatTotal = ({ disposals, proceeds, cost, gain }: GainsSum) => ({
  disposals,
  proceeds: formatPence(proceeds),
  cost: formatPence(cost),
  gain: formatPence(gain),
});

/** Shares by rule: `same_day 10, section_104 5`. */
export function formatMatchRules({ matches }: Disposal): string {
  const byRule = new Map<string, Big>();
  for (const { rule, quantity } of matches) byRule.set(rule, quantity.plus(byRule.get(rule) ?? 0));
  return [...byRule].map(([rule, quantity]) => `${rule} ${formatQuantity(quantity)}`).join(', ');
}

/** Whether rounding the rows to pennies changes them, so that their sum can differ from the total. */
export const losesPrecision = (disposals: readonly Disposal[]): boolean =>
  disposals.some(({ proceeds, cost }) => countDecimals(proceeds) > 2 || countDecimals(cost) > 2);
