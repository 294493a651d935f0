/**
 * Reads the result of plan_orders, submit_draft or list_drafts as a draft, as a recurring plan, or as the list of the
 * open drafts and the recurring plans.
 */

import {
  type Envelope,
  type Fields,
  hasList,
  readFrame,
  readName,
  toDecimal,
  toFields,
  toList,
  toRows,
  toText,
  toTexts,
  toTimestamp,
} from './read-answer.ts';

/** One ticker of a plan. Percentages are of what is planned; undefined means unknown, or no target. */
export interface WeightModel {
  readonly ticker: string;
  /** Undefined where no order of the plan names the instrument. */
  readonly name?: string | undefined;
  readonly before: string | undefined;
  readonly target: string | undefined;
  readonly after: string | undefined;
  readonly valueBefore: string | undefined;
  readonly valueAfter: string | undefined;
  /** A code: why the ticker is not at its target. */
  readonly because: string | undefined;
}

/** One attempt to send the draft. */
export interface AttemptModel {
  readonly outcome: string;
  /** The version that was submitted. */
  readonly version: string | undefined;
  /** What refused it: a rule, and the number of a leg if it is about one. */
  readonly rule: string | undefined;
  readonly leg: string | undefined;
  readonly reason: string | undefined;
  /** While it waits for a person. */
  readonly approval: ApprovalModel | undefined;
  /** The version with the orders that were not sent. */
  readonly remainingVersion: string | undefined;
  readonly warnings: readonly string[];
  /** `gone`: no process is sending it any more, and none has carried on. */
  readonly sender: string | undefined;
  /** Rows: leg, order, outcome, inFlight, orderId, rule, reason; and where the order could be read, its fields. */
  readonly legs: readonly Fields[];
}

/** A draft that waits for a person. */
export interface ApprovalModel {
  /** Of its page; undefined where there is none, or none is known. */
  readonly address: string | undefined;
  readonly expiresAt: number | undefined;
}

/** A plan that makes drafts on its days. Undefined means unknown, or that the plan has none. */
export interface RecurringModel {
  readonly planId: string;
  readonly name: string;
  readonly goal: string | undefined;
  /** Its days in words: `monthly on the 1st`. */
  readonly every: string | undefined;
  /** YYYY-MM-DD, and of the last time what came of it. */
  readonly nextOn: string | undefined;
  readonly lastOn: string | undefined;
  readonly lastProblem: { readonly code: string | undefined; readonly reason: string } | undefined;
  /** In `currency`, the account's. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** Empty for all that is held. The amount is what the weight is of the plan's; undefined for a plan that splits none. */
  readonly targets: readonly (Pick<WeightModel, 'ticker' | 'name'> & {
    readonly percent: string | undefined;
    readonly amount: string | undefined;
  })[];
}

/** Amounts are in `currency`, the account's. Rows have the columns of the result. */
export interface DraftModel {
  readonly frame: Envelope;
  readonly draftId: string | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** `open`, `discarded`, `sent`, `expired`; undefined for a plan, whose draft is new. */
  readonly state: string | undefined;
  /** Undefined for a draft that is not shown by plan_orders. */
  readonly goal: string | undefined;
  readonly expiresAt: number | undefined;
  readonly currency: string | undefined;
  readonly buys: string | undefined;
  readonly sells: string | undefined;
  readonly charges: string | undefined;
  /** False when some charges are unknown and count as 0. */
  readonly chargesKnown: boolean;
  readonly cashBefore: string | undefined;
  readonly cashAfter: string | undefined;
  readonly cashAtWorst: string | undefined;
  /** What the plan does not spend of the amount; undefined when nothing is left. */
  readonly left: string | undefined;
  /** Whether the cash covers the buys; undefined when that is unknown or was not computed. */
  readonly isFunded: boolean | undefined;
  /** Number of legs that no sum includes. */
  readonly unknownValues: number;
  readonly weights: readonly WeightModel[];
  readonly legs: readonly Fields[];
  /** Whether every leg was checked with the account. plan_orders says it for each leg. */
  readonly isReviewed: boolean;
  readonly dropped: readonly Fields[];
  readonly sales: readonly Fields[];
  /** How the sales are matched with purchases. */
  readonly method: string | undefined;
  /** The realised gain of the tax year: taxYear or yearSince, yearGainBefore, yearGainAfter. */
  readonly year: Fields;
  readonly notes: readonly string[];
  readonly attempt: AttemptModel | undefined;
  /** Why an attempt to send it now would send nothing; undefined when it passes, or was not checked. */
  readonly refused: AttemptModel | undefined;
  /** The open drafts, for a result without a draft of its own. */
  readonly drafts: readonly Fields[] | undefined;
  /** What all of them buy and sell: `buys` and `sells`, by currency. Empty when that is unknown. */
  readonly draftTotals: Fields;
  /** The recurring plans, or the one that the result is about. */
  readonly plans: readonly RecurringModel[];
}

/** The outcome of an attempt that was not made. */
export const refusedNow = 'refused_now';

export function readDraft(answer: Fields): DraftModel | undefined {
  const isList = typeof answer.drafts === 'number' && hasList(answer);
  const isKnown = [answer.draftId, answer.goal, answer.planId].some((value) => toText(value) !== undefined);
  if (!isList && !isKnown) return undefined;
  const totals = toFields(answer.totals);
  const cash = toFields(answer.cash);
  const withName = (row: Fields): Fields => ({ ...row, name: readName(answer, row.ticker) });
  const rows = toRows(answer).map((row) =>
    isList
      ? {
          ...row,
          ...toFields(toFields(answer.draftValues)[toText(row.draftId) ?? '']),
          approval: toFields(answer.draftApprovals)[toText(row.draftId) ?? ''],
        }
      : withName(row),
  );
  return {
    frame: readFrame(answer),
    draftId: toText(answer.draftId),
    name: toText(answer.name),
    version: toText(answer.version),
    state: toText(answer.state),
    goal: toText(answer.goal),
    expiresAt: toTimestamp(answer.expiresAt),
    currency: toText(answer.currency) ?? toText(totals.currency),
    buys: toDecimal(totals.buys) ?? toDecimal(totals.bought),
    sells: toDecimal(totals.sells) ?? toDecimal(totals.sold),
    charges: toDecimal(totals.charges),
    chargesKnown: answer.chargesKnown !== false,
    cashBefore: toDecimal(cash.before) ?? toDecimal(totals.cash),
    cashAfter: toDecimal(cash.after),
    cashAtWorst: toDecimal(cash.afterAtWorst),
    left: toDecimal(toFields(answer.left).amount),
    isFunded: typeof totals.isFunded === 'boolean' ? totals.isFunded : undefined,
    unknownValues: Number(toDecimal(totals.unknownValues) ?? 0),
    weights: toRows(answer.weights).map(withName).map(readWeight),
    legs: isList ? [] : rows,
    // list_drafts has totals for a draft whose legs it checked, and is complete when it could check all of them.
    isReviewed: answer.goal === undefined && answer.totals !== undefined && answer.complete === true,
    dropped: toRows(answer.dropped).map(withName),
    sales: toRows(answer.whatIf).map(withName),
    method: toText(answer.method),
    year: toFields(answer.realisedGain),
    notes: toTexts(answer.notes),
    attempt: readAttempt(answer.outcome === undefined ? toFields(answer.submission) : answer, answer),
    refused: readAttempt({ ...toFields(answer.refused), outcome: answer.refused && refusedNow }, answer),
    drafts: isList ? rows.toSorted(byChange) : undefined,
    draftTotals: toFields(answer.draftTotals),
    plans: (answer.planId === undefined ? toList(answer.plans) : [answer]).map((row) =>
      readRecurring(toFields(row), answer),
    ),
  };
}

/** Newest first. A draft without a time stays in its place after the others. */
const byChange = (one: Fields, other: Fields): number =>
  (toTimestamp(other.changedAt) ?? 0) - (toTimestamp(one.changedAt) ?? 0);

const readRecurring = (row: Fields, answer: Fields): RecurringModel => ({
  planId: toText(row.planId) ?? 'unknown',
  name: toText(row.name) ?? 'Recurring plan',
  goal: toText(row.goal),
  every: toText(row.every),
  nextOn: toText(row.nextOn),
  lastOn: toText(row.lastOn),
  lastProblem: readProblem(row, answer),
  amount: toDecimal(row.amount),
  currency: toText(row.currency),
  targets: Object.entries(toFields(row.targets)).map(([ticker, percent]) => ({
    ticker,
    name: readName(answer, ticker),
    percent: toDecimal(percent),
    amount: toDecimal(toFields(toFields(answer.targetAmounts)[toText(row.planId) ?? ''])[ticker]),
  })),
});

/** A host can drop what only the picture needs: then the reason and its step are one text. */
function readProblem(row: Fields, answer: Fields): RecurringModel['lastProblem'] {
  const { code, reason } = toFields(toFields(answer.planProblems)[toText(row.planId) ?? '']);
  const said = toText(reason) ?? toText(row.lastProblem);
  return said === undefined ? undefined : { code: toText(code), reason: said };
}

const readWeight = (row: Fields): WeightModel => ({
  ticker: toText(row.ticker) ?? 'unknown',
  name: toText(row.name),
  before: toDecimal(row.percentBefore),
  target: toDecimal(row.percentTarget),
  after: toDecimal(row.percentAfter),
  valueBefore: toDecimal(row.valueBefore),
  valueAfter: toDecimal(row.valueAfter),
  because: toText(row.because),
});

function readAttempt(part: Fields, answer: Fields): AttemptModel | undefined {
  const outcome = toText(part.outcome);
  if (outcome === undefined) return undefined;
  return {
    outcome,
    version: toText(part.version),
    rule: toText(part.rule),
    leg: toText(part.leg),
    reason: toText(part.reason),
    approval: readApproval(part.approval),
    remainingVersion: toText(part.remainingVersion),
    warnings: toTexts(part.warnings),
    sender: toText(part.sender),
    legs: toList(part.legs)
      .map(toFields)
      .map((leg) => ({ ...leg, ...readOrder(leg.order, answer) })),
  };
}

/** Undefined for a part that is not there. */
export const readApproval = (part: unknown): ApprovalModel | undefined => {
  if (part === undefined) return undefined;
  const { address, expiresAt } = toFields(part);
  return { address: toText(address), expiresAt: toTimestamp(expiresAt) };
};

/** `BUY 3 A_US_EQ` as the fields of an order; another text has none. */
function readOrder(order: unknown, answer: Fields): Fields {
  const [, side, quantity, ticker] = /^(BUY|SELL) ([\d.]+) (\S+)$/.exec(toText(order) ?? '') ?? [];
  return side === undefined ? {} : { side, quantity, ticker, name: readName(answer, ticker) };
}
