import * as z from 'zod';
import { endpoints } from '../../core/endpoints/index.ts';
import { orderSides } from '../../core/endpoints/orders.ts';
import { nameInstruments } from '../../core/instruments/name-instruments.ts';
import {
  boundedNumber,
  flag,
  money,
  moneyOrNone,
  ticker,
  timeValidity,
  withJsonSchema,
} from '../../core/mcp/arguments.ts';
import { saleMethod, saleMethods } from '../../core/mcp/order-arguments.ts';
import {
  amount,
  count,
  group,
  listOutput,
  oneOf,
  ruleNames,
  table,
  text,
  texts,
  yearGainOutput,
  yesNo,
} from '../../core/mcp/output-schemas.ts';
import { type Columns, type ListPage, toTable } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import { countOf } from '../../core/text/count-of.ts';
import { defaultLocale, writeMoney } from '../../core/text/format-money.ts';
import { separateShared } from '../../core/text/shared-texts.ts';
import { readBefore } from '../../core/tools/trading-tools.ts';
import { listNames } from '../analytics/names.ts';
import { getRetryAfter, historyProgress } from '../history/coverage-notes.ts';
import { planGoals } from '../planner/plan-goals.ts';
import { maxLegs, type Plan, type PlanLeg, type PlanWeight } from '../planner/plan-types.ts';
import { type AssessedLeg, assessDraft } from './assess-draft.ts';
import { namePlan, planSource, toDraftLegs } from './book/draft-plan.ts';
import { createDraft } from './book/save-draft.ts';
import { describePlan, planNextStep } from './describe-plan.ts';
import { draftRefusalOutput } from './draft-outputs.ts';
import type { DraftToolDeps } from './draft-tool-deps.ts';
import { getSender, savedFields } from './draft-tool-deps.ts';
import { goalNames, goalPurposes, goals, goalWords, joinWithOr, listGoalsWith, listUnused } from './goal-words.ts';
import { type AccountPlan, getHistoryWaitMs, makePlan, type PlanQuestion } from './make-plan.ts';
import { every, keepRecurring, nameTargets, recurringOutput, splitAmounts } from './recurring/recurring-answers.ts';
import { explainRounding, type WhatIf } from './sale-outlook.ts';
import { checkWeights, describeCounted } from './weigh-accounts.ts';

const percent = (name: string, description: string) => boundedNumber(name, { min: 0, max: 100 }, description);
const maxMoney = 1e12;

/** A list of tickers with one number each, shown in few tokens. */
const tickerNumbers = <Name extends string>(name: Name, value: z.ZodType<string>, description: string) =>
  withJsonSchema(
    z
      .array(z.strictObject({ ticker: ticker(), [name]: value }), 'must be a list')
      .min(1, 'must not be empty')
      .max(maxLegs, `has more than ${maxLegs} tickers`),
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { ticker: { type: 'string' }, [name]: { type: 'number' } },
      },
      description: `1 to ${maxLegs}; ${description}`,
    },
  ).optional();

const input = z
  .strictObject({
    goal: z
      .enum(goals, `must be ${goalNames}`)
      .meta({ description: goals.map((goal) => goalWords[goal].meaning).join('; ') }),
    targets: tickerNumbers('weightPercent', percent('weightPercent', ''), 'sum at most 100; else all held'),
    amount: moneyOrNone('amount', "Account's currency").optional(),
    band: percent('band', 'Percentage points, default 1').optional(),
    minOrderValue: money('minOrderValue', 'Default 5').optional(),
    keepCash: boundedNumber('keepCash', { min: 0, max: maxMoney }, 'Cash to keep').optional(),
    allowSells: flag(`${listGoalsWith('allowSells').join(', ')}, default true`).optional(),
    orderType: z
      .enum(['MARKET', 'LIMIT'], 'must be MARKET or LIMIT')
      .optional()
      .meta({ description: 'Default MARKET' }),
    limitOffsetPercent: boundedNumber(
      'limitOffsetPercent',
      { min: -50, max: 50 },
      '-50 to 50; positive is worse',
    ).optional(),
    timeValidity: timeValidity('Of LIMIT').optional(),
    assumedPrices: tickerNumbers('price', money('price', ''), "the user's"),
    method: saleMethod('Of sales; raise: least gain first'),
    every: every(),
  })
  .refine(
    (args) => args.orderType === 'LIMIT' || (args.limitOffsetPercent === undefined && args.timeValidity === undefined),
    'limitOffsetPercent and timeValidity need orderType LIMIT',
  )
  .superRefine((args, context) => {
    const unused = listUnused(args);
    const [first] = unused;
    const other = first && unused.length === 1 ? `, or choose the goal ${joinWithOr(listGoalsWith(first))}` : '';
    for (const argument of unused)
      context.addIssue({
        code: 'custom',
        message: `The goal ${args.goal} does not use ${argument}`,
        params: { next: `Omit ${listNames(unused)}${other}.` },
      });
  });

type LegRow = PlanLeg & {
  readonly number: number;
  readonly review: AssessedLeg | undefined;
};

const legColumns: Columns<LegRow> = {
  leg: ({ number }) => number,
  side: ({ side }) => side,
  quantity: ({ quantity }) => quantity,
  ticker: ({ ticker }) => ticker,
  type: ({ type }) => type,
  limitPrice: ({ limitPrice }) => limitPrice,
  priceCurrency: ({ review }) => review?.priceCurrency,
  value: ({ value }) => value,
  charges: ({ charges, chargesKnown }) =>
    chargesKnown
      ? charges.map(({ kind, amount, fills }) => `${kind} ${amount} (${countOf(fills, 'fill')})`).join(', ')
      : undefined,
  bound: ({ bound }) => bound,
  dependsOnSells: ({ dependsOnSells }) => dependsOnSells,
  priceFrom: ({ priceFrom }) => priceFrom,
  quantityDecimals: ({ quantityDecimals }) => quantityDecimals,
  // Of the leg itself; `refused` says what refuses the draft.
  passes: ({ review }) => review && review.refusal === undefined,
  rule: ({ review }) => review?.refusal?.rule,
  largestQuantity: ({ review }) => review?.refusal?.largestQuantity,
};

const weightColumns: Columns<PlanWeight> = {
  ticker: ({ ticker }) => ticker,
  valueBefore: ({ valueBefore }) => valueBefore,
  percentBefore: ({ percentBefore }) => percentBefore,
  percentTarget: ({ percentTarget }) => percentTarget,
  valueAfter: ({ valueAfter }) => valueAfter,
  percentAfter: ({ percentAfter }) => percentAfter,
  because: ({ because }) => because,
};

/** Whether the plan has something to say of a ticker: of what `raise` may sell, it leaves most as it is. */
export const isTold = ({ percentTarget, because, valueBefore, valueAfter }: PlanWeight): boolean =>
  percentTarget !== undefined || because !== undefined || valueBefore !== valueAfter;

const droppedColumns: Columns<Plan['dropped'][number]> = {
  ticker: ({ ticker }) => ticker,
  side: ({ side }) => side,
  value: ({ value }) => value,
  reason: ({ reason }) => reason,
};

const saleColumns: Columns<readonly [ticker: string, whatIf: WhatIf]> = {
  ticker: ([ticker]) => ticker,
  gain: ([, { gain }]) => gain,
  proceeds: ([, { proceeds }]) => proceeds,
  cost: ([, { cost }]) => cost,
  quantityLeft: ([, { quantityLeft }]) => quantityLeft,
  costLeft: ([, { costLeft }]) => costLeft,
  matches: ([, { matches }]) =>
    matches?.map(
      ({ rule, quantity, cost, acquiredOn: day }) => `${rule} ${quantity}${day ? ` of ${day}` : ''} = ${cost}`,
    ),
  recentPurchases: ([, { recentPurchases }]) =>
    recentPurchases?.map(({ quantity, ticker, on }) => `${quantity} ${ticker} on ${on}`),
  missing: ([, { missing }]) => missing?.reason,
};

export const planOrdersTool = defineTool({
  name: 'plan_orders',
  title: 'Plan orders',
  toolset: 'drafting',
  effect: 'drafts',
  weighsAccounts: true,
  endpoints: [...readBefore, endpoints.listDividends],
  description: `Drafts orders that ${goalPurposes}, once or regularly (savings plan, dollar cost averaging). Sends nothing.`,
  searchHint:
    'rebalance my portfolio, get back to 60/40, I want 70% stocks and 30% bonds, bring it back in line with my targets, invest monthly amount, put 200 month into it every month week, dollar cost average, DCA, savings plan, standing order, invest split amount across my funds, spend spare cash, sell to raise cash with the least gain tax, I need money out, tax loss harvesting, harvest losses, buy for amount, what trades would get me to 10 %, allocation, how should I invest, spread money over, split it evenly equally over these tickers, regular investment, monthly saving, each month, weekly, automatically invest, use up my cash, put my spare cash to work, free up cash, withdraw money, sell whatever has the least tax, target weights, reach target, reduce increase position to percent, trim, overweight, buy for amount of money, for 200 euros of something I do not hold yet at limit price, how should I invest 3000 across what I already hold, across, already, trim everything by a quarter or by half, cut it down, what should I sell, what should I buy, need cash by Friday, pay in and invest, I have got a grand to put in, split it between my funds, rebalancing, equal weight, even, balanced, into the world ETF, recurring, automatic, automate, top up, sell everything, sell all, liquidate everything, close out, in the same proportions, a fifth, a third of the portfolio, percent of my account, without selling anything, sort out my portfolio, too much in one, start a monthly plan, set up, drip feed, make it 10 percent, match these weights, model portfolio, move money from one to the other, switch, swap, buy for £100 worth, cash out, use my allowance before the tax year ends, sell the losers, fractional shares, turn these positions into cash',
  view: 'draft',
  input,
  output: () => ({
    ...listOutput(),
    ...table(legColumns, {
      leg: z.number(),
      side: z.enum(orderSides),
      dependsOnSells: z.boolean(),
      quantityDecimals: z.number(),
      passes: z.boolean(),
      rule: z.enum(ruleNames),
    }),
    ...recurringOutput(),
    message: z.string(),
    next: z.string(),
    draftId: text(),
    version: count(),
    expiresAt: text(),
    legs: count(),
    sent: yesNo(),
    refused: group(draftRefusalOutput()),
    retryAfterSeconds: count(),
    base: amount(),
    cash: group({ before: amount(), after: amount(), keep: amount(), afterAtWorst: amount() }),
    totals: group({ buys: amount(), sells: amount(), charges: amount(), netProceeds: amount() }),
    left: group({ amount: amount(), because: texts() }),
    chargesKnown: yesNo(),
    weights: group(table(weightColumns)),
    unchanged: count(),
    dropped: group(table(droppedColumns, { side: z.enum(orderSides) })),
    method: oneOf(saleMethods),
    whatIf: group(table(saleColumns, { matches: z.array(z.string()), recentPurchases: z.array(z.string()) })),
    realisedGain: group(yearGainOutput()),
    otherPositions: count(),
    notes: texts(),
  }),
  run: async ({ every: schedule, ...args }, call, deps: DraftToolDeps) => {
    const question = args as PlanQuestion;
    const { beside } = call;
    if (beside) checkWeights(question, schedule !== undefined);
    if (schedule) {
      const { readOnly } = deps.config;
      const { signal } = call;
      const fields = await keepRecurring(deps.recurringPlans, schedule, question, { signal, readOnly });
      return {
        fields,
        viewData: {
          names: nameTargets([question], deps),
          targetAmounts: splitAmounts([{ id: fields.planId, question }]),
        },
      };
    }
    const waitUntil = deps.clock.now() + getHistoryWaitMs(question);
    const made = await makePlan(deps, question, call.context(), {
      beside,
      context: call.context({ waitUntil }),
      onProgress: historyProgress(call),
    });
    const kept = await keepPlan(made, args, call, deps);
    const { coverage } = made.history;
    return {
      asOf: made.asOf,
      fields: {
        goal: args.goal,
        message: describePlan({ ...made, question }),
        next: planNextStep(kept, made.plan, getSender(deps)),
        ...kept.fields,
        // With more of the history, the estimates can change.
        ...(coverage && !coverage.complete ? { retryAfterSeconds: getRetryAfter([coverage]) } : {}),
        ...formatPlan(made, args.goal, kept),
      },
      viewData: {
        names: nameInstruments(
          deps.directory,
          [...made.plan.weights, ...made.plan.dropped].map(({ ticker }) => ticker),
        ),
      },
      list: listLegs(made.plan.legs, kept),
    };
  },
});

/** Keeps the legs as a draft, and checks them against the rules. */
async function keepPlan(
  made: AccountPlan,
  args: Omit<z.output<typeof input>, 'every'>,
  call: ToolCall,
  deps: DraftToolDeps,
) {
  const { plan, prices } = made;
  const { goal, timeValidity: validity } = args;
  if (plan.legs.length === 0)
    return { saved: undefined, fields: { sent: false }, reviewed: [], refused: undefined, first: [], notes: [] };
  const legs = toDraftLegs(plan, { goal, prices, timeValidity: validity });
  const review = await assessDraft(deps.drafts, { legs }, call.context());
  const tickers = plan[goalWords[goal].counted].length;
  const name = namePlan({ goal, amount: args.amount, currency: made.currency, tickers });
  const saved = await createDraft(deps.drafts, { name, legs, source: planSource });
  const { shared, own } = separateShared(review.legs.map(({ warnings }) => warnings));
  const warnings = own.flatMap((texts, index) => texts.map((text) => `${legs[index]?.ticker}: ${text}`));
  return {
    saved,
    fields: { ...savedFields(saved), name, legs: legs.length, sent: false, refused: review.refused },
    reviewed: review.legs,
    refused: review.refused,
    first: [...new Set(review.legs.flatMap(({ repeats }) => repeats?.text ?? []))],
    notes: [
      ...(review.problem === undefined ? [] : [`The legs could not all be checked: ${review.problem}`]),
      ...shared,
      ...warnings,
    ],
  };
}

const listLegs = (legs: readonly PlanLeg[], { reviewed }: { readonly reviewed: readonly AssessedLeg[] }): ListPage => ({
  ...toTable(
    legs.map((leg, index) => ({
      ...leg,
      number: index + 1,
      review: reviewed[index],
    })),
    legColumns,
  ),
  cursorAfter: () => undefined,
  rest: 'the draft has all of them',
});

function formatPlan(
  made: AccountPlan,
  goal: PlanQuestion['goal'],
  others: { readonly first: readonly string[]; readonly notes: readonly string[] },
) {
  const { plan, whatIf, year, history, currency, untouched } = made;
  const sales = [...whatIf];
  const [first] = sales;
  const unchanged = plan.weights.filter((weight) => !isTold(weight)).length;
  const rounding = year
    ? explainRounding(
        sales.map(([, { gain }]) => gain),
        year,
      )
    : [];
  const remarks = new Set([...sales.flatMap(([, { remarks = [] }]) => remarks), ...rounding]);
  // A long result is shortened from the end of its lists, so what decides whether the draft can be sent comes first.
  const notes = [...others.first, ...describeBasis(made, goal), ...remarks, ...others.notes];
  return {
    currency,
    complete: history.coverage?.complete === true,
    base: plan.base,
    cash: plan.cash,
    totals: plan.totals,
    left: plan.left,
    chargesKnown: plan.chargesKnown,
    weights: toTable(plan.weights.filter(isTold), weightColumns),
    ...(unchanged > 0 ? { unchanged } : {}),
    ...(plan.dropped.length > 0 ? { dropped: toTable(plan.dropped, droppedColumns) } : {}),
    ...(first ? { method: first[1].method, whatIf: toTable(sales, saleColumns), realisedGain: year } : {}),
    ...(untouched > 0 ? { otherPositions: untouched } : {}),
    notes,
  };
}

function describeBase({ plan, counted }: AccountPlan, money: (amount: string) => string): string {
  const base = `Percentages after the plan are of ${money(plan.base)}`;
  if (counted) return `${base}: the planned tickers and the cash that stays in all accounts.`;
  return plan.left
    ? `${base}: the planned tickers, and the ${money(plan.left.amount)} that is not spent.`
    : `${base}, which the planned tickers are worth after it.`;
}

/** What the figures rest on. */
function describeBasis(made: AccountPlan, goal: PlanQuestion['goal']): string[] {
  const { plan, history, untouched, opposed, currency, counted } = made;
  const money = (amount: string) => writeMoney(amount, currency, defaultLocale);
  const notes = counted ? describeCounted(counted, plan, money) : [];
  // After a plan that sells all of its tickers there is nothing to be a percentage of.
  if (plan.base !== '0.00') notes.push(describeBase(made, money));
  for (const { ticker, side, orders } of opposed)
    notes.push(
      `${ticker} has ${countOf(orders, `open ${side} order`)}, which the plan counts as filled and trades against: cancel what the user no longer wants.`,
    );
  if (untouched > 0) notes.push('Other positions are not part of the plan and stay as they are.');
  if (!plan.chargesKnown)
    notes.push(
      planGoals[goal].reachesTargets
        ? 'No own fill shows the charges of some legs; they count as 0.'
        : 'No own fill shows the charges of some legs: the amount is before charges there.',
    );
  if (plan.legs.some(({ quantityDecimals }) => quantityDecimals === 0))
    notes.push('A ticker that was never traded in fractions is planned in integer quantities.');
  if (history.coverage?.complete !== true)
    notes.push('The order history is not complete: prices, decimals and charges come from the fills read so far.');
  return notes;
}
