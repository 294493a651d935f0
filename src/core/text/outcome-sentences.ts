/**
 * What became of an order, in words for a person. The `message` and `next` of a tool's result also tell a
 * model what to do, so views do not show them.
 */
import type { ApprovalMethod } from '../orders/intent/approval-methods.ts';
import type { OutcomeName } from '../orders/intent/outcome.ts';
import type { RuleName } from '../orders/intent/refusal.ts';

/** Selects the colour of a title: `care` asks for attention, `calm` is neutral. */
export type OutcomeTone = 'good' | 'bad' | 'care' | 'calm';

interface OutcomeTitle {
  readonly title: string;
  readonly tone: OutcomeTone;
}

// Titles and sentences are apart, because each view contains only what it shows.
export const orderTitles: Readonly<Record<OutcomeName, OutcomeTitle>> = {
  pending_approval: { title: 'Waiting for approval', tone: 'care' },
  placed: { title: 'Placed', tone: 'good' },
  declined: { title: 'Not approved', tone: 'bad' },
  expired: { title: 'Expired', tone: 'bad' },
  refused: { title: 'Refused by a rule', tone: 'bad' },
  rejected: { title: 'Rejected by the broker', tone: 'bad' },
  not_sent: { title: 'Not sent', tone: 'bad' },
  unknown: { title: 'Unknown: the order may be live', tone: 'care' },
};

export const orderSentences: Readonly<Record<OutcomeName, string>> = {
  pending_approval: 'Nothing has been sent. The order is sent when you approve it.',
  placed: 'The broker accepted the order.',
  declined: 'The order was not approved; nothing was sent.',
  expired: 'The time ended before the order was sent; nothing was sent.',
  refused: 'A rule of this server refused the order; nothing was sent.',
  rejected: 'The broker rejected the order; no order exists.',
  not_sent: 'Nothing was sent; no order exists.',
  unknown: 'It is not known whether the order exists. Check the broker’s app before you place it again.',
};

/** Where a person approves an order; in a terminal too, with its command. */
export const approvalSteps: Readonly<Record<Exclude<ApprovalMethod, 'terminal'>, string>> = {
  page: 'Approve it on its page, on the computer that runs the server.',
  elicitation: 'Approve it in the form that your program shows.',
};

/** What a rule is about, after “Refused: ”. */
export const ruleTitles: Readonly<Record<RuleName, string>> = {
  account_unclear: 'the account is unclear',
  approval_invalid: 'the approval is not valid',
  approval_missing: 'orders need an approval, which is not set up',
  approvals_used: 'a person was asked too often',
  cash: 'not enough cash',
  draft_stale: 'the draft is too old',
  duplicate_order: 'the same order exists',
  halted: 'trading is halted',
  instrument_type: 'this type of instrument is not allowed',
  internal: 'an internal error',
  live_not_enabled: 'live orders are not enabled',
  live_service: 'the service is a live one',
  market_closed: 'the market is closed',
  market_unknown: 'whether the market is open is unknown',
  max_day_value: 'the value per day',
  max_open_quantity: 'the maximum that may be held',
  max_order_quantity: 'the shares per order',
  max_order_value: 'the value per order',
  no_price: 'no price is known',
  open_unknown: 'the outcome of an earlier order is unknown',
  orders_per_day: 'the orders per day',
  orders_per_hour: 'the orders per hour',
  orders_per_minute: 'the orders per minute',
  pending_orders: 'the pending orders of the ticker',
  price_distance: 'the price is too far from the last one',
  repeated_submission: 'a draft traded this ticker recently',
  shares: 'not enough shares',
  store_changed: 'the store is not the one that was used before',
  store_unavailable: 'the store cannot be used',
  submission_ended: 'the sending had ended',
  tickers: 'this ticker is not allowed',
  value_unknown: 'the value is unknown',
};

/** Names of a result are text: an unknown name has no entry. */
export const lookUp = <Entry>(table: Readonly<Record<string, Entry>>, name: string | undefined): Entry | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
