/** What became of an order, in words for a person: no word may promise more than is known. */
import { expect, test } from 'vitest';
import type { OutcomeName } from '../../../src/core/orders/intent/outcome.ts';
import type { RuleName } from '../../../src/core/orders/intent/refusal.ts';
import {
  approvalSteps,
  type OutcomeTone,
  orderSentences,
  orderTitles,
  ruleTitles,
} from '../../../src/core/text/outcome-sentences.ts';

test.each<[OutcomeName, string, OutcomeTone, RegExp]>([
  ['pending_approval', 'Waiting for approval', 'care', /^Nothing has been sent\. /],
  ['placed', 'Placed', 'good', /^The broker accepted the order\.$/],
  ['declined', 'Not approved', 'bad', /not approved; nothing was sent\.$/],
  ['expired', 'Expired', 'bad', /time ended .* nothing was sent\.$/],
  ['refused', 'Refused by a rule', 'bad', /this server refused the order; nothing was sent\.$/],
  ['rejected', 'Rejected by the broker', 'bad', /^The broker rejected the order; no order exists\.$/],
  ['not_sent', 'Not sent', 'bad', /^Nothing was sent; no order exists\.$/],
  ['unknown', 'Unknown: the order may be live', 'care', /^It is not known whether the order exists\. /],
])('an order that is %s is called “%s”', (outcome, title, tone, sentence) => {
  expect(orderTitles[outcome]).toEqual({ title, tone });
  expect(orderSentences[outcome]).toMatch(sentence);
});

const ruleWords: Readonly<Record<RuleName, RegExp>> = {
  orders_per_minute: /orders per minute/,
  orders_per_hour: /orders per hour/,
  orders_per_day: /orders per day/,
  max_order_value: /value per order/,
  max_day_value: /value per day/,
  max_order_quantity: /shares per order/,
  max_open_quantity: /may be held/,
  pending_orders: /pending orders/,
  cash: /not enough cash/,
  shares: /not enough shares/,
  value_unknown: /value is unknown/,
  no_price: /no price/,
  price_distance: /price is too far/,
  market_closed: /market is closed/,
  market_unknown: /open is unknown/,
  approval_missing: /approval, which is not set up/,
  approval_invalid: /approval is not valid/,
  approvals_used: /asked too often/,
  duplicate_order: /same order exists/,
  repeated_submission: /draft traded this ticker/,
  open_unknown: /earlier order is unknown/,
  draft_stale: /draft is too old/,
  submission_ended: /sending had ended/,
  halted: /halted/,
  live_not_enabled: /live orders are not enabled/,
  live_service: /service is a live one/,
  store_changed: /store is not the one/,
  store_unavailable: /store cannot be used/,
  account_unclear: /account is unclear/,
  instrument_type: /type of instrument is not allowed/,
  tickers: /ticker is not allowed/,
  internal: /internal error/,
};

test.each(Object.entries(ruleWords) as [RuleName, RegExp][])(
  'a refusal by the rule %s says what it is about',
  (rule, words) => {
    expect(ruleTitles[rule]).toMatch(words);
  },
);

test('each way to approve but the terminal names where the question is', () => {
  expect(approvalSteps.page).toBe('Approve it on its page, on the computer that runs the server.');
  expect(approvalSteps.elicitation).toBe('Approve it in the form that your program shows.');
});
