/**
 * What our own orders have done to the account since it was last read. Between two of our orders the
 * facts are not read again; they are corrected by the journal, always to the careful side.
 */
import Big from 'big.js';
import type { AccountFacts } from './facts.ts';
import type { Intent } from './intent.ts';
import { openStates, unknownStates } from './states.ts';

const open = new Set<string>(openStates);
const undecided = new Set<string>(['SENDING', ...unknownStates]);

/** Not decided, or about to be sent again by its sender. */
export const isOpen = (intent: Intent, now: number): boolean =>
  open.has(intent.state) || (intent.state === 'NOT_SENT' && now < (intent.retryUntil ?? 0));

/** Unknown counts as placed, and what waits for a human is held as if it were. */
export const countsInLimits = (intent: Intent, now: number): boolean =>
  intent.state === 'PLACED' || isOpen(intent, now);

/** Those whose effect may not be in what was read at `askedAt`: decided since, or not decided. */
export const ownSince = (own: readonly Intent[], askedAt: number, now: number): Intent[] =>
  own.filter(
    (intent) =>
      countsInLimits(intent, now) &&
      (intent.sentAt === undefined || intent.changedAt >= askedAt || undecided.has(intent.state)),
  );

/** For a person who reads the facts as they are; the rules count these orders. */
export function whatFactsMiss(
  own: readonly Intent[],
  { askedAt, asOf }: Pick<AccountFacts, 'askedAt' | 'asOf'>,
  now: number,
): readonly string[] {
  const since = ownSince(own, askedAt, now).length;
  if (since === 0) return [];
  const orders = since === 1 ? 'one order of this program' : `${since} orders of this program`;
  return [
    `Cash, position and pending orders are those of ${new Date(asOf).toISOString()}; ${orders} may not be in them.`,
  ];
}

/** Account currency; an order of unknown value has none, and `unknown` says how many there are. */
export function totalValue(intents: readonly Intent[]): { known: Big; unknown: number } {
  return {
    known: intents.reduce((sum, intent) => sum.plus(intent.value ?? 0), new Big(0)),
    unknown: intents.filter((intent) => intent.value === undefined).length,
  };
}

export const totalQuantity = (intents: readonly Intent[]): Big =>
  intents.reduce((sum, intent) => sum.plus(intent.request.quantity), new Big(0));
