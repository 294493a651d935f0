/** Everything in this server that can refuse an order now. The preview, the draft and the commit all use it. */

import Big from 'big.js';
import { liveOriginRefusal, type TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import { dayMs } from '../../clock.ts';
import { toWords } from '../../text/count-of.ts';
import type { OrderContext } from '../account/account-snapshot.ts';
import { duplicateAccountRefusal } from '../account/duplicate-accounts.ts';
import { sharesLeft } from '../account/exposure.ts';
import { listExternal } from '../account/external-record.ts';
import { approvalInForce, tradingRefusal } from '../halt/trading-state.ts';
import { methodFacts } from '../intent/approval-methods.ts';
import { type Intent, type LegReference, maxApprovalMs } from '../intent/intent.ts';
import type { JournalView, ReservedLeg } from '../intent/journal-port.ts';
import type { OrderRequest } from '../intent/order-request.ts';
import type { Refusal } from '../intent/refusal.ts';
import {
  type Check,
  isAmount,
  isDecimal,
  isOrderNumber,
  isTime,
  optional,
  type RiskLimits,
} from '../intent/risk-limits.ts';
import { exposureStates, openStates, unknownStates } from '../intent/states.ts';
import { firstRefusal, listOrderTimes, type RiskQuestion } from './risk-rules.ts';

/** What a draft takes and brings before one of its orders. */
interface OrdersAhead {
  /** The orders of the draft that come first, as intents that are not in the journal. */
  readonly orders: readonly Intent[];
  /** What sells of the draft are expected to add to the cash, in the account currency. */
  readonly proceeds: Big;
}

/** The first refusal of an order; undefined when it may be placed. */
export async function evaluateOrder(
  tx: JournalView,
  question: {
    readonly settings: TradingSettings;
    readonly order: OrderRequest;
    readonly facts: OrderContext;
    readonly accountKey: string;
    readonly limits: RiskLimits;
    readonly now: number;
    /** The id of the intent, when it is already in the journal; it does not count against itself. */
    readonly intentId?: string;
    /** The leg of a draft that the order is; its own reservation does not count against it. */
    readonly leg?: LegReference | undefined;
    /** The draft that the order is a part of, before any of it is sent. */
    readonly draft?: OrdersAhead | undefined;
  },
): Promise<Refusal | undefined> {
  const { settings, order, facts, accountKey, limits, now } = question;
  const brokerAccountId = facts.summary.id;
  const { environment } = settings;
  const stopped =
    (await liveOriginRefusal(tx, settings, brokerAccountId)) ??
    (await tradingRefusal(settings, tx, accountKey)) ??
    (brokerAccountId && (await duplicateAccountRefusal(tx, { environment, brokerAccountId }, accountKey, now)));
  if (stopped) return stopped;
  const unknown = await tx.list({ states: unknownStates, accountKey, ticker: order.ticker, limit: 1 });
  if (unknown.length > 0)
    return {
      rule: 'open_unknown',
      reason: `An earlier order for ${order.ticker} has an unknown outcome and may be live. No new order for ${order.ticker} is accepted until it is found or closed.`,
    };
  const method = await approvalInForce(settings, tx);
  const own = (await listOwn(tx, accountKey, now)).filter(({ id }) => id !== question.intentId);
  const { leg, draft } = question;
  const reserved = (await tx.listReservedLegs(accountKey)).filter((other) => !isSameLeg(other, leg));
  const damage = damageRefusal(own, reserved);
  if (damage) return damage;
  const asked: RiskQuestion = {
    order,
    environment,
    limits,
    facts,
    own: draft ? [...own, ...draft.orders] : own,
    reserved,
    external: await listExternal(tx, accountKey, now),
    expectedCash: draft?.proceeds,
    isPaced: draft !== undefined,
    now,
    isReviewedByHuman: methodFacts[method].needsPassphrase,
  };
  const refusal = firstRefusal(asked);
  return refusal && { ...refusal, largestQuantity: maxAllowedQuantity(asked) };
}

const isSameLeg = (a: LegReference, b: LegReference | undefined): boolean =>
  a.submissionId === b?.submissionId && a.number === b.number;

/**
 * Own orders that can count towards a limit or an amount: those that were sent in the last day, some that are a little
 * older, and the undecided ones.
 */
export async function listOwn(tx: JournalView, accountKey: string, now: number): Promise<readonly Intent[]> {
  // Refused orders are left out, so that many of them cannot hide orders that were placed.
  // An order counts from when it was sent, and it may have waited for a person before.
  const createdSince = now - dayMs - maxApprovalMs;
  const day = await tx.list({ accountKey, states: exposureStates, createdSince });
  // Undecided orders count however old they are.
  const undecided = await tx.list({ accountKey, states: openStates });
  return [...new Map([...day, ...undecided].map((intent) => [intent.id, intent])).values()];
}

/** When the orders of the last minute were placed on the account (ms), those of other programs included. */
export async function listTimesOfMinute(tx: JournalView, accountKey: string, now: number): Promise<readonly number[]> {
  const external = await listExternal(tx, accountKey, now);
  const times = [...listOrderTimes(await listOwn(tx, accountKey, now), now), ...external.map(({ at }) => at)];
  return times.filter((at) => at > now - 60_000);
}

// Determines how much of an order would pass, when it was refused for its size. Pure.

/**
 * The largest quantity that the rules allow, exact: all free shares for a sale, otherwise an integer number of
 * shares. Undefined when not even one share passes, because then the size is not the problem.
 */
export function maxAllowedQuantity(question: RiskQuestion): string | undefined {
  const { order, limits } = question;
  const passes = (quantity: string) => firstRefusal({ ...question, order: { ...order, quantity } }) === undefined;
  if (order.side === 'SELL') {
    const free = sharesLeft(order.ticker, question);
    if (free.gt(0) && free.lt(order.quantity) && passes(free.toFixed())) return free.toFixed();
  }
  // Usually something other than the size is wrong, and this one check shows it.
  if (!passes('1')) return undefined;
  let least = 1;
  let most = Math.floor(Math.min(Number(order.quantity), Number(limits.maxOrderQuantity), Number.MAX_SAFE_INTEGER));
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (passes(new Big(middle).toFixed())) least = middle;
    else most = middle - 1;
  }
  return String(least);
}

// Stored orders whose numbers are damaged. Such a record would pass a limit or never expire, so every order is refused
// while it counts.

type Fields = readonly (readonly [name: string, value: unknown, check: Check])[];

const listFields = ({ request, baseline, approval, search, ...intent }: Intent): Fields => [
  ['quantity', request?.quantity, isOrderNumber],
  ['limitPrice', request?.limitPrice, optional(isOrderNumber)],
  ['stopPrice', request?.stopPrice, optional(isOrderNumber)],
  ['createdAt', intent.createdAt, isTime],
  ['changedAt', intent.changedAt, isTime],
  ['sentAt', intent.sentAt, optional(isTime)],
  ['answerBy', intent.answerBy, optional(isTime)],
  ['retryUntil', intent.retryUntil, optional(isTime)],
  ['value', intent.value, optional(isAmount)],
  ['baseline.askedAt', baseline?.askedAt, isTime],
  ['baseline.cash', baseline?.cash, optional(isDecimal)],
  ['baseline.free', baseline?.free, optional(isDecimal)],
  ['baseline.bought', baseline?.bought, optional(isDecimal)],
  ['baseline.price', baseline?.price, optional(isAmount)],
  ['approval.askedAt', approval?.askedAt, approval ? isTime : optional(isTime)],
  ['approval.expiresAt', approval?.expiresAt, approval ? isTime : optional(isTime)],
  ['search.nextAt', search?.nextAt, optional(isTime)],
];

/** The first field of a stored order that cannot be used; undefined when all can. */
export const findDamage = (intent: Intent): string | undefined =>
  listFields(intent).find(([, value, check]) => !check(value))?.[0];

/** The refusal of every order while one of these records is damaged; undefined when none is. */
export function damageRefusal(intents: readonly Intent[], legs: readonly ReservedLeg[] = []): Refusal | undefined {
  for (const intent of intents) {
    const field = findDamage(intent);
    if (field !== undefined) return refuse(`order ${intent.id}`, field);
  }
  const leg = legs.find(({ value }) => !optional(isAmount)(value));
  return leg && refuse(`leg ${leg.number} of submission ${leg.submissionId}`, 'value');
}

const refuse = (what: string, field: string): Refusal => ({
  rule: 'store_unavailable',
  reason: `The store is damaged: a value of ${what} cannot be read (${toWords(field)}). No order is sent while that record counts in the limits.`,
});
