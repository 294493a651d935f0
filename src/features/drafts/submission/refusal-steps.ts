/** What to do when a draft is refused, by the rule that refused it. */

import type { RuleName } from '../../../core/orders/intent/refusal.ts';
import { countOf } from '../../../core/text/count-of.ts';
import type { DraftRefusal } from './check-submission.ts';

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
  market_unknown: 'Submit the draft again later, or save its sells as a draft and submit that first.',
  no_price: 'Make the leg a limit order with save_draft, or remove it.',
  open_unknown: 'Call get_order with the intentId that the reason names, until its outcome is known.',
  orders_per_day: later,
  orders_per_hour: later,
  orders_per_minute: later,
  repeated_submission:
    'Ask the user whether they want both: then give repeatOf with the submission that the reason names. Otherwise wait until the ten minutes are over.',
  store_unavailable: 'Tell the user what the reason says, and submit the draft again when the store can be written.',
};

const severalSubmissions =
  'repeatOf names one submission, so it cannot help here. Submit the draft again when the ten minutes are over (retryAfterSeconds), or save it without the legs that trade these tickers.';

/** One sentence for the model and the user. */
export function getRefusalStep({ rule, leg, largestQuantity, submissionIds }: DraftRefusal): string {
  if (submissionIds !== undefined) return severalSubmissions;
  if (largestQuantity !== undefined && leg !== undefined)
    return `Tell the user. At most ${countOf(largestQuantity, 'share')} of leg ${leg} would pass: save a smaller leg with save_draft, or plan again.`;
  return steps[rule] ?? 'Tell the user which leg and rule it is; save a changed version, or plan again.';
}

/** The same for a person in a terminal, who types commands. */
export function getPersonRefusalStep(draftId: string, refusal: DraftRefusal): string {
  const { rule, leg, largestQuantity, submissionIds } = refusal;
  const edit = `“brokerage-mcp drafts edit ${draftId} --leg ${leg ?? 'N'}`;
  const submit = `“brokerage-mcp drafts submit ${draftId}`;
  if (submissionIds !== undefined)
    return `--repeat-of names one submission, so it cannot help here. Submit the draft again after ten minutes, or remove the legs that trade these tickers with ${edit} --remove”.`;
  if (largestQuantity !== undefined && leg !== undefined)
    return `At most ${countOf(largestQuantity, 'share')} would pass: ${edit} --quantity ${largestQuantity}” lowers the quantity.`;
  const both = `${submit} --repeat-of SUBMISSION” sends both, with the submission that the reason names.`;
  const fewer = `Submit it again later, or remove legs with ${edit} --remove”.`;
  const personSteps: Partial<Record<RuleName, string>> = {
    approval_missing: 'Enrol with “brokerage-mcp enroll” first.',
    draft_stale: 'Ask for a new plan, which has prices of today.',
    duplicate_order: `${edit} --remove” removes the leg. ${both} Otherwise submit it again when ten minutes have passed and the order is not pending any more.`,
    halted: '“brokerage-mcp resume” lifts the halt.',
    live_not_enabled: 'Enable live orders in the settings of the server.',
    market_closed: 'Submit it again when the market is open.',
    market_unknown: `Submit it again later, or remove the buys with ${edit} --remove” and submit the sells alone.`,
    no_price: `${edit} --remove” removes the leg; or ask for a draft with a limit order.`,
    open_unknown: 'Check the order in the broker’s own app; “brokerage-mcp resume” closes it.',
    orders_per_day: fewer,
    orders_per_hour: fewer,
    orders_per_minute: fewer,
    repeated_submission: both,
    store_unavailable: 'Submit it again when the store can be written.',
  };
  return personSteps[rule] ?? `Change the draft with ${edit}”, or ask for a new one.`;
}
