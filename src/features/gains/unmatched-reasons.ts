/** Why a trade is in no figure, in words. */
import type { UnmatchedReason } from './gain-types.ts';

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
