/** Finds out, before the account is read, whether a request creates an intent at all. */
import type { CallContext } from '../broker/types.ts';
import type { OrderContext } from './account/account-snapshot.ts';
import { readStanding } from './earlier-order.ts';
import { applyHaltFile } from './halt/halt.ts';
import { tradingRefusal } from './halt/trading-state.ts';
import { findDuplicate } from './intent/duplicates.ts';
import type { Intent } from './intent/intent.ts';
import { orderFingerprint } from './intent/order-request.ts';
import { keepUnsent } from './intent/unsent-intents.ts';
import { buildIntent, type IntentRequest, type NewIntentDeps, recordNotSent } from './new-intent.ts';
import type { OrderDeps } from './order-deps.ts';
import type { Unread } from './place-result.ts';
import { expireOverdue } from './reconcile/expiry.ts';

/** The intent that a request led to. */
export interface RequestedIntent {
  readonly intent: Intent;
  /** The intent existed before: nothing is placed for this request. */
  readonly isOld: boolean;
  /** The account data that it was created with; undefined when the intent goes no further. */
  readonly facts?: OrderContext;
  /** Set when the intent existed before and its current state could not be read. */
  readonly unread?: Unread;
}

export type ExistingIntentDeps = NewIntentDeps & Pick<OrderDeps, 'broker' | 'journal' | 'accountKey'>;

/**
 * Returns the earlier equal order of a request, or its refusal by a rule that needs no account data; undefined when
 * an intent may be created.
 */
export async function findExisting(
  deps: ExistingIntentDeps,
  wanted: IntentRequest,
  context: CallContext,
): Promise<RequestedIntent | undefined> {
  const { journal, clock, settings, processes } = deps;
  const { request, repeatOf } = wanted;
  const accountKey = await deps.accountKey();
  await journal.change(async (tx) => {
    await expireOverdue(tx, accountKey, processes, clock.now());
    await applyHaltFile(tx, settings.haltFile, clock.now());
  });
  const fingerprint = orderFingerprint(request, { environment: settings.environment, accountKey });
  const found = await journal.read((tx) =>
    findDuplicate(tx, { fingerprint, repeatOf, pendingIds: [], now: clock.now() }),
  );
  const earlier = found.kind === 'existing' ? await resolveEarlier(deps, found.intent, wanted, context) : undefined;
  if (earlier) return earlier;
  return journal.change(async (tx): Promise<RequestedIntent | undefined> => {
    const refusal = await tradingRefusal(settings, tx, accountKey);
    if (!refusal) return undefined;
    const intent = await buildIntent(deps, tx, wanted, accountKey);
    return { intent: await keepUnsent(tx, intent, 'refuse', refusal, clock.now()), isOld: false };
  });
}

/** The result when an earlier equal order exists; undefined when that order no longer blocks a new one. */
export async function resolveEarlier(
  deps: ExistingIntentDeps,
  intent: Intent,
  wanted: IntentRequest,
  context: CallContext,
): Promise<RequestedIntent | undefined> {
  const { orderId } = intent;
  if (intent.state !== 'PLACED' || orderId === undefined) return { intent, isOld: true };
  const standing = await readStanding(deps, { ...intent, orderId }, context, wanted.progress);
  const earlier = { intentId: intent.id, orderId };
  switch (standing.kind) {
    case 'stands':
      return { intent: standing.intent, isOld: true };
    case 'unread':
      return { intent, isOld: true, unread: standing };
    case 'gone': {
      const readableAt = deps.clock.now() + standing.retryAfterSeconds * 1000;
      return notRepeated(deps, wanted, { ...earlier, readableAt });
    }
    case 'ended':
      // An order that ended without a fill does not block a new one, but each order is repeated only once.
      return wanted.repeatOf === undefined
        ? undefined
        : notRepeated(deps, wanted, { ...earlier, status: standing.intent.endedAs });
  }
}

const notRepeated = async (
  deps: ExistingIntentDeps,
  wanted: IntentRequest,
  earlier: NonNullable<Intent['earlier']>,
): Promise<RequestedIntent> => ({
  intent: await recordNotSent(deps, wanted, { earlier, reason: undefined }),
  isOld: false,
});
