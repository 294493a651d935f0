/** What to do when a draft is refused, by the rule that refused it. */
import type { RuleName } from '../../orders/intent/refusal.ts';
import type { PlanRefusal } from './check-plan.ts';

const later = 'Submit it again later, or send fewer legs.';

/** Rules that a smaller quantity does not satisfy. */
const steps: Partial<Record<RuleName, string>> = {
  approval_missing:
    'Tell the user: orders need the approval of a human here, so the owner must first run "brokerage-mcp enroll" in a terminal.',
  approvals_used: 'Ask the user whether they still want it, and submit a new draft then.',
  draft_stale: 'Plan again, or make a new draft with save_draft: it is sized with prices of today.',
  duplicate_order:
    'Tell the user that this order exists. Remove the leg with save_draft, give repeatOf if the reason names a submission and the user wants both, or submit again when ten minutes have passed and the order is not pending any more.',
  halted: 'Tell the user that trading is halted; the owner lifts it with "brokerage-mcp resume" in a terminal.',
  live_not_enabled: 'Tell the user; only the owner can enable live orders, in the settings of the server.',
  market_closed: 'Submit the draft again when the market is open.',
  no_price: 'Make the leg a limit order with save_draft, or remove it.',
  open_unknown: 'Call get_order with the intentId that the reason names, until its outcome is known.',
  orders_per_day: later,
  orders_per_hour: later,
  orders_per_minute: later,
  repeated_submission: 'Ask the user whether they want both.',
  store_unavailable: 'Tell the user what the reason says, and submit the draft again when the store can be written.',
};

const severalSubmissions =
  'repeatOf names one submission, so it cannot help here. Submit the draft again when the ten minutes are over (retryAfterSeconds), or save it without the legs that trade these tickers.';

/** One sentence for the model and the user. */
export function getRefusalStep({ rule, leg, largestQuantity, submissionIds }: PlanRefusal): string {
  if (submissionIds !== undefined) return severalSubmissions;
  if (largestQuantity !== undefined && leg !== undefined)
    return `Tell the user. At most ${largestQuantity} shares of leg ${leg} would pass: save a smaller leg with save_draft, or plan again.`;
  return steps[rule] ?? 'Tell the user which leg and rule it is; save a changed version, or plan again.';
}
