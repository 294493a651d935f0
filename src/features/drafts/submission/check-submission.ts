/** Decides in one transaction whether the legs of a draft may be sent, all of them. */

import type { TradingSettings } from '../../../core/approval/enrollment/live-origin-guard.ts';
import { isWithin } from '../../../core/clock.ts';
import { approvalInForce } from '../../../core/orders/halt/trading-state.ts';
import { findDuplicate } from '../../../core/orders/intent/duplicates.ts';
import { orderFingerprint } from '../../../core/orders/intent/order-request.ts';
import type { Refusal, RuleName } from '../../../core/orders/intent/refusal.ts';
import { evaluateDraft } from '../../../core/orders/risk/evaluate-draft.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { findRecentTrade } from '../book/recent-trade.ts';
import { type DraftFacts, type LegToCheck, refuseClosedMarket, refuseStale } from './draft-facts.ts';
import { type SubmissionDeps, type SubmissionView, submissionMs } from './submission.ts';

/** A refusal, and the number of the leg that it is about; undefined when it is about the draft. */
export type DraftRefusal = Refusal & {
  readonly leg?: number | undefined;
  /** Seconds after which this rule lets the same draft pass, if that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** The submissions that the draft repeats, when they are several: `repeatOf` can name only one. */
  readonly submissionIds?: readonly string[] | undefined;
};

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000));

export interface SubmissionCheck {
  readonly facts: DraftFacts;
  readonly accountKey: string;
  readonly now: number;
  readonly draftId: string;
  readonly version: number;
  /** The attempt that this one repeats, and the intents that its legs repeat, by the number of the leg. */
  readonly repeatOf: string | undefined;
  readonly repeats: ReadonlyMap<number, string>;
  /** The owner submits it in a terminal: the limits of how often a person is asked are for tools. */
  readonly isInTerminal?: boolean | undefined;
}

/** The first reason not to send the draft; undefined when every leg may be sent. */
export async function refuseDraft(
  tx: SubmissionView,
  deps: SubmissionDeps,
  check: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const { settings } = deps;
  const { facts, accountKey, now } = check;
  const isAsked = !check.isInTerminal && (await approvalInForce(settings, tx)) !== 'none';
  const asked = isAsked ? await refuseApproval(tx, check) : undefined;
  if (asked) return asked;
  const several = await refuseSeveral(tx, check);
  for (const leg of facts.legs) {
    const refusal =
      refuseStale(leg) ??
      refuseAssumedPrice(leg, settings) ??
      refuseClosedMarket(leg, facts, now) ??
      (several?.leg === leg.number ? several : undefined) ??
      (await refuseDuplicate(tx, deps, leg, check)) ??
      (await refuseRepeatedTrade(tx, leg, check));
    if (refusal) return { ...refusal, leg: leg.number };
  }
  const found = await evaluateDraft(tx, {
    settings,
    orders: facts.legs,
    accountKey,
    limits: facts.limits,
    now,
    withinMs: submissionMs,
  });
  return found && { ...found.refusal, leg: facts.legs[found.index]?.number };
}

/** How often a person is asked for one version of a draft, and for all drafts of an account in an hour. */
const maxPerVersion = 3;
const maxPerHour = 10;
const hourMs = 3_600_000;

/** A person who does not approve a draft is not asked for ever. */
async function refuseApproval(
  tx: SubmissionView,
  { accountKey, draftId, version, now }: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const attempts = await tx.listSubmissions({ accountKey, draftId });
  if (attempts.filter((attempt) => attempt.version === version && attempt.approval).length >= maxPerVersion)
    return {
      rule: 'approvals_used',
      reason: `A person was asked ${maxPerVersion} times to approve this version of the draft.`,
    };
  const recent = await tx.listSubmissions({ accountKey, createdSince: now - hourMs });
  // Newest first.
  const asked = recent.filter(({ approval, createdAt }) => approval && isWithin(createdAt, now, hourMs));
  const oldest = asked[maxPerHour - 1]?.createdAt;
  if (oldest === undefined) return undefined;
  return {
    retryAfterSeconds: secondsUntil(oldest + hourMs, now),
    rule: 'approvals_used',
    reason: `A person was asked ${maxPerHour} times to approve a draft in the last hour.`,
  };
}

/** With live money an assumed price may size a leg, but the price that is paid must be bounded. */
const refuseAssumedPrice = ({ leg }: LegToCheck, { environment }: TradingSettings): Refusal | undefined =>
  environment === 'live' && leg.isPriceAssumed && leg.type !== 'LIMIT'
    ? { rule: 'no_price', reason: 'The price of this leg was assumed, so it must be a limit order.' }
    : undefined;

/** A leg that equals an order of the last ten minutes would place nothing, so it refuses the draft. */
async function refuseDuplicate(
  tx: SubmissionView,
  { environment }: SubmissionDeps,
  { number, order, facts }: LegToCheck,
  { accountKey, now, repeats, repeatOf }: SubmissionCheck,
): Promise<Refusal | undefined> {
  const fingerprint = orderFingerprint(order, { environment, accountKey });
  const pendingIds = facts.pending.flatMap(({ id }) => id ?? []);
  const found = await findDuplicate(tx, { fingerprint, repeatOf: repeats.get(number), now, pendingIds });
  if (found.kind !== 'existing') return undefined;
  const { id, orderId, leg, state } = found.intent;
  // Only an order that was placed, by an attempt that is not repeated already, can be sent again by naming the attempt.
  const sender = state === 'PLACED' && leg?.submissionId !== repeatOf ? leg?.submissionId : undefined;
  return {
    rule: 'duplicate_order',
    reason: `The same order exists${orderId === undefined ? '' : ` as order ${orderId}`} (intent ${id}); the draft would place it a second time.${sender === undefined ? '' : ` A draft sent it, in submission ${sender}.`}`,
  };
}

/** A draft that repeats trades of several submissions: naming one of them would refuse it for another. */
async function refuseSeveral(tx: SubmissionView, check: SubmissionCheck): Promise<DraftRefusal | undefined> {
  const repeated = [];
  for (const { number, order } of check.facts.legs) {
    const recent = await findRecentTrade(tx, order, check);
    if (recent) repeated.push({ number, ...recent });
  }
  const submissionIds = [...new Set(repeated.map(({ submissionId }) => submissionId))];
  if (submissionIds.length < 2) return undefined;
  const legs = repeated.map(({ number }) => number);
  return {
    leg: legs[0],
    submissionIds,
    retryAfterSeconds: secondsUntil(Math.max(...repeated.map(({ until }) => until)), check.now),
    rule: 'repeated_submission',
    reason: `Legs ${legs.join(', ')} trade tickers that ${submissionIds.length} submissions traded in the same direction less than ten minutes ago.`,
  };
}

/** A second draft that trades a ticker in the same direction needs `repeatOf`. */
async function refuseRepeatedTrade(
  tx: SubmissionView,
  { order }: LegToCheck,
  check: SubmissionCheck,
): Promise<DraftRefusal | undefined> {
  const recent = await findRecentTrade(tx, order, check);
  if (!recent || recent.submissionId === check.repeatOf) return undefined;
  const retryAfterSeconds = secondsUntil(recent.until, check.now);
  return { retryAfterSeconds, rule: 'repeated_submission', reason: recent.text };
}

// What to do when a draft is refused, by the rule that refused it.

/** What to do, for the model and for a person in a terminal, who types commands. */
interface RefusalStep {
  readonly model: string;
  readonly person: (commands: DraftCommands) => string;
}

/** The beginnings of commands about a draft, with an opening quotation mark. */
interface DraftCommands {
  readonly edit: string;
  readonly submit: string;
}

const changeDraft: RefusalStep = {
  model: 'Tell the user which leg and rule it is; save a changed version, or plan again.',
  person: ({ edit }) => `Change the draft with ${edit}”, or ask for a new one.`,
};

const fewerLegs: RefusalStep = {
  model: 'Submit it again later, or send fewer legs.',
  person: ({ edit }) => `Submit it again later, or remove legs with ${edit} --remove”.`,
};

const askOwner: RefusalStep = {
  model: 'Tell the user what the reason says: only the owner can change it.',
  person: () => 'Do what the reason says, and submit it again.',
};

const submitAgain: RefusalStep = {
  model: 'Tell the user what the reason says, and submit the draft again if they still want it.',
  person: () => 'Submit it again.',
};

const repeatBoth = ({ submit }: DraftCommands): string =>
  `${submit} --repeat-of SUBMISSION” sends both, with the submission that the reason names.`;

const steps: Readonly<Record<RuleName, RefusalStep>> = {
  account_unclear: askOwner,
  approval_invalid: submitAgain,
  approval_missing: {
    model:
      'Tell the user: orders need the approval of a human here, so the owner must first run "brokerage-mcp enroll" in a terminal.',
    person: () => 'Enrol with “brokerage-mcp enroll” first.',
  },
  approvals_used: {
    model: 'Ask the user whether they still want it, and submit a new draft then.',
    person: () => 'Ask for a new draft.',
  },
  cash: changeDraft,
  draft_stale: {
    model: 'Plan again, or make a new draft with save_draft: it is sized with prices of today.',
    person: () => 'Ask for a new plan, which has prices of today.',
  },
  duplicate_order: {
    model:
      'Tell the user that this order exists. Remove the leg with save_draft, give repeatOf if the reason names a submission and the user wants both, or submit again when ten minutes have passed and the order is not pending any more.',
    person: (commands) =>
      `${commands.edit} --remove” removes the leg. ${repeatBoth(commands)} Otherwise submit it again when ten minutes have passed and the order is not pending any more.`,
  },
  halted: {
    model: 'Tell the user that trading is halted; the owner lifts it with "brokerage-mcp resume" in a terminal.',
    person: () => '“brokerage-mcp resume” lifts the halt.',
  },
  instrument_type: changeDraft,
  internal: submitAgain,
  live_not_enabled: {
    model: 'Tell the user; only the owner can enable live orders, in the settings of the server.',
    person: () => 'Enable live orders in the settings of the server.',
  },
  live_service: askOwner,
  market_closed: {
    model: 'Submit the draft again when the market is open.',
    person: () => 'Submit it again when the market is open.',
  },
  market_unknown: {
    model: 'Submit the draft again later, or save its sells as a draft and submit that first.',
    person: ({ edit }) =>
      `Submit it again later, or remove the buys with ${edit} --remove” and submit the sells alone.`,
  },
  max_day_value: changeDraft,
  max_open_quantity: changeDraft,
  max_order_quantity: changeDraft,
  max_order_value: changeDraft,
  no_price: {
    model: 'Make the leg a limit order with save_draft, or remove it.',
    person: ({ edit }) => `${edit} --remove” removes the leg; or ask for a draft with a limit order.`,
  },
  open_unknown: {
    model: 'Call get_order with the intentId that the reason names, until its outcome is known.',
    person: () => 'Check the order in the broker’s own app; “brokerage-mcp resume” closes it.',
  },
  orders_per_day: fewerLegs,
  orders_per_hour: fewerLegs,
  orders_per_minute: fewerLegs,
  pending_orders: {
    model: 'Remove the leg with save_draft, or cancel a pending order of the ticker if the user wants that.',
    person: ({ edit }) => `${edit} --remove” removes the leg; or cancel a pending order of the ticker.`,
  },
  price_distance: changeDraft,
  repeated_submission: {
    model:
      'Ask the user whether they want both: then give repeatOf with the submission that the reason names. Otherwise wait until the ten minutes are over.',
    person: repeatBoth,
  },
  shares: changeDraft,
  store_changed: askOwner,
  store_unavailable: {
    model: 'Tell the user what the reason says, and submit the draft again when the store can be written.',
    person: () => 'Submit it again when the store can be written.',
  },
  submission_ended: submitAgain,
  tickers: changeDraft,
  value_unknown: changeDraft,
};

/** One sentence for the model and the user. A smaller quantity comes first, where one passes. */
export function getRefusalStep({ rule, leg, largestQuantity, submissionIds }: DraftRefusal): string {
  if (submissionIds !== undefined)
    return 'repeatOf names one submission, so it cannot help here. Submit the draft again when the ten minutes are over (retryAfterSeconds), or save it without the legs that trade these tickers.';
  if (largestQuantity !== undefined && leg !== undefined)
    return `Tell the user. At most ${countOf(largestQuantity, 'share')} of leg ${leg} would pass: save a smaller leg with save_draft, or plan again.`;
  return steps[rule].model;
}

/** The same for a person in a terminal. */
export function getPersonRefusalStep(draftId: string, refusal: DraftRefusal): string {
  const { rule, leg, largestQuantity, submissionIds } = refusal;
  const commands: DraftCommands = {
    edit: `“brokerage-mcp drafts edit ${draftId} --leg ${leg ?? 'N'}`,
    submit: `“brokerage-mcp drafts submit ${draftId}`,
  };
  const { edit } = commands;
  if (submissionIds !== undefined)
    return `--repeat-of names one submission, so it cannot help here. Submit the draft again after ten minutes, or remove the legs that trade these tickers with ${edit} --remove”.`;
  if (largestQuantity !== undefined && leg !== undefined)
    return `At most ${countOf(largestQuantity, 'share')} would pass: ${edit} --quantity ${largestQuantity}” lowers the quantity.`;
  return steps[rule].person(commands);
}
