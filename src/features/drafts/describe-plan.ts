/** Says in a sentence what a plan does, what it leaves, and what comes next. */
import Big from 'big.js';
import { countOf } from '../../core/text/count-of.ts';
import { isPence } from '../../core/text/currency-units.ts';
import { defaultLocale, writeMoney, writePounds } from '../../core/text/format-money.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { listNames } from '../analytics/names.ts';
import { planGoals } from '../planner/plan-goals.ts';
import {
  type AssumedPrice,
  type LeftReason,
  maxLegs,
  type Plan,
  type PlanReason,
  type WeightReason,
} from '../planner/plan-types.ts';
import type { AssessedLeg, DraftAssessment } from './assess-draft.ts';
import type { SavedDraft } from './book/save-draft.ts';
import { goalWords } from './goal-words.ts';
import type { PlanQuestion } from './make-plan.ts';
import type { WhatIf } from './sale-outlook.ts';

export interface PlanSummary {
  readonly question: Pick<PlanQuestion, 'goal' | 'targets' | 'method'>;
  readonly plan: Plan;
  readonly currency: string | undefined;
  /** Prices of orders of the plan that the caller gave. */
  readonly assumed: readonly AssumedPrice[];
  /** What each sell would realise. */
  readonly whatIf: ReadonlyMap<string, Pick<WhatIf, 'gain' | 'method'>>;
}

/**
 * A few sentences: what is bought and sold, how sells were chosen and what they realise, what is left and why, and what
 * gets no order. Amounts are those of the plan.
 */
export function describePlan(summary: PlanSummary): string {
  const { plan, question } = summary;
  const trades = plan.legs.length === 0 ? 'The plan has no order, so no draft was made.' : describeTrades(summary);
  return [
    trades,
    ...describeAssumed(summary),
    ...(planGoals[question.goal].ranksGains && plan.legs.length > 0 ? [describeChoice(question)] : []),
    ...describeGain(summary),
    ...describeLeft(summary),
    ...describeUntraded(summary),
  ].join(' ');
}

/** A price in pence can be meant in pounds, so both are named. */
function describeAssumed({ assumed }: PlanSummary): string[] {
  if (assumed.length === 0) return [];
  const prices = assumed.map(({ ticker, price, currency }) => {
    const inPounds = isPence(currency) ? ` (${writePounds(price, defaultLocale)})` : '';
    return `${writeMoney(price, currency, defaultLocale)}${inPounds} for ${ticker}`;
  });
  return [`This counts on a price per share that the user gave: ${listNames(prices)}.`];
}

/** How a goal that only sells chose what to sell. */
function describeChoice({ targets, method }: PlanSummary['question']): string {
  if (method !== undefined) return `What gains least for its proceeds is sold first (method ${method}).`;
  if (targets) return 'What is most above its target is sold first.';
  return 'The sells are in proportion to all holdings that can be sold; a method would sell what gains least first.';
}

/** The tickers that get no order, by reason. A goal without targets leaves most alone, so only what it drops is named. */
function describeUntraded({ plan, question }: PlanSummary): string[] {
  const traded = new Set(plan.legs.map(({ ticker }) => ticker));
  const reasons = new Map(plan.dropped.map(({ ticker, reason }) => [ticker, droppedReasons[reason]]));
  const kept = planGoals[question.goal].reachesTargets ? plan.weights : [];
  for (const { ticker, percentTarget, because } of kept)
    if (percentTarget !== undefined && !traded.has(ticker) && !reasons.has(ticker))
      reasons.set(ticker, isAtTarget(because) ? atTarget : droppedReasons[because]);
  const groups = groupBy([...reasons], ([, reason]) => reason);
  return [...groups].map(([reason, members]) => `No order for ${listNames(members.map(([name]) => name))}: ${reason}.`);
}

const atTarget = 'the ticker is at its target';

/** Charges and limit prices of other orders change the weight of a ticker that had reached its target. */
const isAtTarget = (because: WeightReason | undefined): because is 'charges' | 'limit_price' | undefined =>
  because === undefined || because === 'charges' || because === 'limit_price';

export const droppedReasons: Readonly<Record<PlanReason, string>> = {
  within_band: 'the deviation is within the band',
  cash: 'the amount or the proceeds, or the cash with its margin and charges, do not suffice',
  below_minimum: 'an order would be below the least value of an order',
  rounding: 'an order would be less than one step of the quantity',
  not_sellable: 'the shares are in pies or in pending orders',
  in_other_account: 'the shares are in another account',
  sells_not_allowed: 'no sales are allowed',
  above_target: 'the ticker is above its target',
  no_price: 'a price or exchange rate is unknown; a price that the user gives for a target is used',
  cost_unknown: 'the cost of the shares is unknown; "brokerage-mcp cost-basis" enters it',
  leg_limit: `a plan has at most ${maxLegs} orders; name other tickers in targets`,
};

function describeTrades({ question: { goal }, plan, currency }: PlanSummary): string {
  const { buys, sells, charges } = plan.totals;
  const money = toMoney(currency);
  const count = (side: string) => countOf(plan.legs.filter((leg) => leg.side === side).length, 'order');
  const parts = [
    ...(sells === '0.00' ? [] : [`${count('SELL')} to sell for about ${money(sells)}`]),
    ...(buys === '0.00' ? [] : [`${count('BUY')} to buy for about ${money(buys)}`]),
  ];
  const net = new Big(sells).minus(charges).toFixed(2);
  const before = plan.chargesKnown ? '' : ' before the unknown charges';
  const brought = planGoals[goal].reachesTargets ? '' : `, which brings ${money(net)}${before}`;
  return `${goalWords[goal].title}: ${parts.join(' and ')}, ${describeCharges(plan, money)}${brought}. Nothing was sent.`;
}

function describeCharges({ totals, legs }: Plan, money: (amount: string) => string): string {
  const known = totals.charges === '0.00' ? 'no charges expected' : `charges of about ${money(totals.charges)}`;
  const unknown = legs.filter(({ chargesKnown }) => !chargesKnown).length;
  if (unknown === 0) return totals.charges === '0.00' ? known : `with ${known}`;
  return unknown === legs.length ? 'charges unknown' : `${known}, and unknown for ${countOf(unknown, 'order')}`;
}

/** The sum of the gains as they are listed. */
function describeGain({ whatIf, currency }: PlanSummary): string[] {
  const sales = [...whatIf.values()];
  const [first] = sales;
  if (!first) return [];
  const which = sales.length === 1 ? 'sell' : countOf(sales.length, 'sell');
  const gain = sales.reduce<Big | undefined>(
    (sum, { gain: one }) => (one === undefined ? undefined : sum?.plus(one)),
    new Big(0),
  );
  if (!gain) return [`What the ${which} would realise is unknown.`];
  const amount = toMoney(currency)(gain.abs().toFixed(2));
  return [`The ${which} would realise a ${gain.lt(0) ? 'loss' : 'gain'} of ${amount} (method ${first.method}).`];
}

const toMoney = (currency: string | undefined) => (amount: string) => writeMoney(amount, currency, defaultLocale);

function describeLeft({ plan, currency }: PlanSummary): string[] {
  const { left } = plan;
  if (!left) return [];
  const money = toMoney(currency);
  const reasons = left.because.map((reason) => leftReasons[reason](money(plan.cash.before))).join('; ');
  return [`${money(left.amount)} is not spent${reasons === '' ? '' : `: ${reasons}`}.`];
}

const leftReasons: Record<LeftReason, (cash: string) => string> = {
  cash: (cash) => `the cash, ${cash}, has to cover market orders with a margin of 2.0%, and charges`,
  below_minimum: () => 'an order would be below the least value of an order',
  rounding: () => 'quantities are rounded down',
  targets_reached: () => 'the targets need no more',
};

/** Who can send a draft: a tool of this server, or only a person in a terminal. */
export type Sender = 'tool' | 'person';

/** Says how a version of a draft is sent, once the user wants it. */
export const describeSending = (
  { draftId, version }: Pick<SavedDraft, 'draftId' | 'version'>,
  sender: Sender,
): string =>
  sender === 'tool'
    ? `Show it to the user; if they want it, call submit_draft with draftId ${draftId} and version ${version}.`
    : `Show it to the user, who can send it with "brokerage-mcp drafts submit ${draftId}" in a terminal.`;

/** What to do after a plan. `saved` is undefined when no draft was made. */
export function planNextStep(
  {
    saved,
    reviewed,
    refused: whole,
  }: {
    readonly saved: SavedDraft | undefined;
    readonly reviewed: readonly AssessedLeg[];
    readonly refused: DraftAssessment['refused'];
  },
  { dropped }: Pick<Plan, 'dropped'>,
  sender: Sender,
): string {
  if (!saved)
    return dropped.length === 0
      ? 'Tell the user that nothing has to be done, or plan with a smaller band or a larger amount.'
      : 'Tell the user why the orders were left out. Depending on the reason, a larger amount, a smaller minOrderValue or other targets change it.';
  if (whole)
    return `${whole.leg === undefined ? 'The draft' : `Leg ${whole.leg}`} breaks the rule ${whole.rule}: the draft would be refused now. ${whole.next}`;
  const refused = reviewed.findIndex(({ refusal }) => refusal !== undefined);
  if (refused === -1) return describeSending(saved, sender);
  const { rule, largestQuantity } = reviewed[refused]?.refusal ?? {};
  const most = largestQuantity === undefined ? '' : `; at most ${countOf(largestQuantity, 'share')} would pass`;
  return `Leg ${refused + 1} breaks the rule ${rule}${most}. Tell the user, and plan less or save a smaller leg with save_draft.`;
}
