/** Formats the figures of a disposal as text. */

import Big from 'big.js';
import * as z from 'zod';
import { orderSides } from '../../core/endpoints/orders.ts';
import { amount, count, oneOf, text, yesNo } from '../../core/mcp/output-schemas.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import { countDecimals } from './fixed-point.ts';
import type { Disposal, GainsSum, Match, UnmatchedReason } from './gain-types.ts';

/**
 * Rounds to the penny, half up. It first rounds to 16 decimals, because half a penny that was divided among lots can
 * be short by the last of its 24 decimals.
 */
export const formatPence = (figure: Big): string | undefined => formatMoney(figure.round(16, Big.roundHalfUp));

/** A quantity rounded half up to ten decimals, without trailing zeros. */
export const formatQuantity = (quantity: Big): string => quantity.round(10, Big.roundHalfUp).toFixed();

/** The figures of a sum of disposals as text, rounded to the penny. */
export const formatTotal = ({ disposals, proceeds, cost, gain }: GainsSum) => ({
  disposals,
  proceeds: formatPence(proceeds),
  cost: formatPence(cost),
  gain: formatPence(gain),
});

/**
 * The shares that a sale was matched with: `thirty_day 5 of 2024-06-20 = 45.00, section_104 5 = 50.00`. A pool has no
 * date. `toDate` writes the day of a moment (ms).
 */
export const formatMatches = ({ matches }: Disposal, toDate: (at: number) => string): string =>
  joinMatches(matches)
    .map(({ rule, quantity, cost, acquiredAt }) => {
      const when = acquiredAt === undefined ? '' : ` of ${toDate(acquiredAt)}`;
      return `${rule} ${formatQuantity(quantity)}${when} = ${formatPence(cost)}`;
    })
    .join(', ');

/** Matches with shares of one moment by one rule are one. */
function joinMatches(matches: readonly Match[]): readonly Match[] {
  const joined = new Map<string, Match>();
  for (const match of matches) {
    const key = `${match.rule} ${match.acquiredAt ?? ''}`;
    const known = joined.get(key);
    joined.set(
      key,
      known ? { ...known, quantity: known.quantity.plus(match.quantity), cost: known.cost.plus(match.cost) } : match,
    );
  }
  return [...joined.values()];
}

/** The section 104 pool after a sale: `5 = 50.00`, or `5 = unknown`; undefined for other methods. */
export const formatPool = ({ poolAfter }: Disposal): string | undefined =>
  poolAfter && `${formatQuantity(poolAfter.quantity)} = ${poolAfter.cost ? formatPence(poolAfter.cost) : 'unknown'}`;

/** Shares by rule: `same_day 10, section_104 5`. */
export function formatMatchRules({ matches }: Disposal): string {
  const byRule = new Map<string, Big>();
  for (const { rule, quantity } of matches) byRule.set(rule, quantity.plus(byRule.get(rule) ?? 0));
  return [...byRule].map(([rule, quantity]) => `${rule} ${formatQuantity(quantity)}`).join(', ');
}

/** Whether rounding the rows to pennies changes them, so that their sum can differ from the total. */
export const losesPrecision = (disposals: readonly Disposal[]): boolean =>
  disposals.some(({ proceeds, cost }) => countDecimals(proceeds) > 2 || countDecimals(cost) > 2);

/** What a reader must know about the costs by the UK rules. */
export const conversionFeesNote =
  'Charges of purchases and sales, currency conversion fees among them, are treated as allowable costs.';

/** What a reader must know about rows that lose precision. */
export const roundingNote =
  'Every figure is rounded from an exact one, so a row or a sum of rows can differ from its parts by a penny.';

// Why a trade is in no figure, in words.

const sentences: Readonly<Record<UnmatchedReason, string>> = {
  no_quantity: 'The row has no quantity.',
  no_value_of_sale: 'The service reports no value for this sale.',
  no_value_of_purchase:
    'The service reports no value for this purchase, so the cost of its shares is unknown and they are omitted.',
  not_held: 'More shares were sold than are known to have been held: earlier purchases may be missing.',
  original_cost_unknown:
    'Shares came by a transfer or a take-over, and what they cost originally is unknown; enter it with `brokerage-mcp cost-basis`.',
  exchanged_cost_unknown:
    'Shares came in exchange for others, and the rows do not show whose cost they have (TCGA 1992 ss 127 and 135); enter it with `brokerage-mcp cost-basis`.',
  capital_beyond_cost:
    'More capital was returned than the shares still held had cost; the excess is a gain (TCGA 1992 s 122) that no figure includes.',
  spin_off_beyond_cost: 'More cost was entered for the shares of a spin-off than the shares of the company had.',
  apportionment_needed:
    'The shares were exchanged for cash and other shares, so their cost has to be apportioned between the two (TCGA 1992 s 129): enter the part of the cash here, and the rest as the cost of the other shares.',
  capital_distribution:
    'The payment can be a part disposal: it is capital, and too large to be certainly small (TCGA 1992 s 122), or paid in a liquidation. Enter the part of the cost that belongs to it, which is the payment itself if it is small.',
  no_broker_result: 'The service reports no realised result for this sale.',
  several_currencies: 'The shares were bought and sold in different currencies, and their cost is not converted.',
};

export const describeUnmatched = (reason: UnmatchedReason): string => sentences[reason];

export function listCurrencies(trades: readonly { readonly valueCurrency?: string | undefined }[]): string[] {
  const currencies = new Set<string>();
  for (const { valueCurrency } of trades) if (valueCurrency !== undefined) currencies.add(valueCurrency);
  return [...currencies].sort();
}

// Schemas of these figures in a result.

export const totalsOutput = () => ({
  provisional: yesNo(),
  disposals: z.number(),
  proceeds: amount(),
  cost: amount(),
  gain: amount(),
  gains: amount(),
  losses: amount(),
});

export const returnOutput = () => ({
  note: text(),
  disposals: count(),
  grossProceeds: amount(),
  allowableCosts: amount(),
  gains: amount(),
  losses: amount(),
});

export const unmatchedOutput = () => ({
  at: text(),
  ticker: text(),
  side: oneOf(orderSides),
  account: text(),
  reason: text(),
  code: text(),
  quantity: amount(),
  proceeds: amount(),
  next: text(),
});
