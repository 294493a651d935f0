/**
 * Stored orders whose numbers are damaged. Such a record would pass a limit or never expire, so every order is refused
 * while it counts.
 */
import { toWords } from '../../text/count-of.ts';
import type { Intent } from './intent.ts';
import type { ReservedLeg } from './journal-port.ts';
import type { Refusal } from './refusal.ts';
import { type Check, isAmount, isDecimal, isOrderNumber, isTime, optional } from './risk-limits.ts';

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
