/** Creates the intent of a request in the journal: an earlier equal one, a refused one, or one that continues. */

import { createApprovalRequest } from '../approval/approval-request.ts';
import { draftApprovalRefusal } from '../approval/draft-approval.ts';
import { recordLiveOrigin } from '../approval/enrollment/live-origin-guard.ts';
import type { CallContext } from '../broker/types.ts';
import type { Exchange, TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { orElse } from '../log.ts';
import type { OrderContext } from './account/account-snapshot.ts';
import { type ExistingIntentDeps, findExisting, type RequestedIntent, resolveEarlier } from './existing-intent.ts';
import { approvalInForce } from './halt/trading-state.ts';
import { findDuplicate } from './intent/duplicates.ts';
import type { Intent } from './intent/intent.ts';
import type { JournalChange } from './intent/ports.ts';
import type { Refusal } from './intent/refusal.ts';
import { applyTransition } from './intent/transition.ts';
import { keepUnsent } from './intent/unsent-intents.ts';
import { buildIntent, type IntentRequest, recordNotSent } from './new-intent.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import { noteExternalOrders, toPendingOrders } from './reconcile/external-orders.ts';
import { watchOrders } from './reconcile/watch-orders.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';

export type CreateIntentDeps = ExistingIntentDeps & Pick<OrderDeps, 'facts' | 'directory' | 'readOnly'>;

/**
 * Creates the intent of a request, or returns the earlier equal one. Throws `invalid_argument` for a wrong
 * `repeatOf`, and `store_unavailable`; failures to read the account become an intent that was not sent.
 */
export async function createIntent(
  deps: CreateIntentDeps,
  wanted: IntentRequest,
  instrument: TradableInstrument,
  context: CallContext,
): Promise<RequestedIntent> {
  const existing = await findExisting(deps, wanted, context);
  if (existing) return existing;
  const reading: CallContext = { ...context, priority: 'lookUp' };
  const facts = await deps.facts.read(instrument, reading, wanted.leg?.accountSince).catch((error: unknown) => error);
  if (!isOrderContext(facts)) return notRead(deps, wanted, facts);
  const exchanges = await readExchanges(deps, reading);
  // Read after the account data, because the summary identifies the account that the intent is recorded under.
  const accountKey = await deps.accountKey();
  await watchOrders({ ...deps, limits: (tx) => currentLimits(deps, tx) }, accountKey, {
    ...context,
    waitUntil: deps.clock.now() + watchPatienceMs,
  });
  for (;;) {
    const decided = await decide(deps, wanted, { facts, accountKey, exchanges });
    // Another call created the order in the meantime, it has been pending for a long time, or several equal ones
    // exist.
    const result = decided.isOld ? await resolveEarlier(deps, decided.intent, wanted, context) : decided;
    if (result) return result;
  }
}

/** The longest that an order waits until the newest orders of the account can be read. */
const watchPatienceMs = 5_000;

/** Errors that are not about the order. */
const withoutResponse = new Set<string>(['cancelled', 'not_configured', 'store_unavailable', 'internal']);

const isOrderContext = (value: unknown): value is OrderContext =>
  typeof value === 'object' && value !== null && 'positions' in value;

/** Without the account data nothing is sent. That is an outcome of this order and not an error of the call. */
async function notRead(deps: CreateIntentDeps, wanted: IntentRequest, error: unknown): Promise<RequestedIntent> {
  if (!(error instanceof BrokerageError) || withoutResponse.has(error.code)) throw error;
  const reason = `The account could not be read before the order: ${error.message}`;
  return { intent: await recordNotSent(deps, wanted, { reason, earlier: undefined }), isOld: false };
}

/** The exchanges are needed only for a warning on the ticket, so a failure to read them does not matter. */
async function readExchanges(
  { journal, settings, directory }: CreateIntentDeps,
  reading: CallContext,
): Promise<readonly Exchange[]> {
  const method = await journal.read((tx) => approvalInForce(settings, tx));
  if (method === 'none') return [];
  const read = await directory.exchanges(reading).catch(orElse('read the opening hours', undefined));
  return read?.exchanges ?? [];
}

/**
 * Checks duplicates and rules and reserves the order in one transaction, so that no other order can come in
 * between.
 */
function decide(
  deps: CreateIntentDeps,
  wanted: IntentRequest,
  account: { readonly facts: OrderContext; readonly accountKey: string; readonly exchanges: readonly Exchange[] },
): Promise<RequestedIntent> {
  const { settings, clock } = deps;
  const { request, repeatOf } = wanted;
  const { facts, accountKey, exchanges } = account;
  return deps.journal.change(async (tx): Promise<RequestedIntent> => {
    const now = clock.now();
    await wanted.leg?.requireTurn(tx);
    const draft = await buildIntent(deps, tx, wanted, accountKey, facts);
    const { fingerprint, baseline, limits, method } = draft;
    const duplicate = await findDuplicate(tx, { fingerprint, repeatOf, now, pendingIds: baseline.pendingIds });
    if (duplicate.kind === 'existing') return { intent: duplicate.intent, isOld: true };
    const intent = duplicate.kind === 'repetition' ? { ...draft, repeatOf: duplicate.of.id } : draft;
    const { environment } = settings;
    await noteExternalOrders(tx, { environment, limits, accountKey, ...toPendingOrders(facts), now });
    const { origin, service } = settings;
    if (settings.environment === 'live')
      await recordLiveOrigin(tx, { ...service?.(), origin, account: facts.summary.id });
    const refusal =
      (await refuseUnapprovedLeg(tx, intent, now)) ??
      (await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits, now, leg: intent.leg }));
    if (refusal) return { intent: await keepUnsent(tx, intent, 'refuse', refusal, now), isOld: false };
    if (method === 'none' || intent.leg)
      return { intent: await insertAs(tx, intent, 'approve', {}, now), isOld: false, facts };
    const own = await listOwn(tx, accountKey, now);
    const approval = createApprovalRequest(intent, { facts, own, exchanges }, now);
    return { intent: await insertAs(tx, intent, 'askHuman', { approval }, now), isOld: false, facts };
  });
}

/** A leg is approved with its draft: a person is never asked for a leg alone. */
const refuseUnapprovedLeg = async (tx: JournalChange, intent: Intent, now: number): Promise<Refusal | undefined> =>
  intent.leg && intent.method !== 'none'
    ? draftApprovalRefusal(await tx.findSubmission(intent.leg.submissionId), intent, intent.method, now)
    : undefined;

/** Inserts a draft and takes it one step further, so that the audit trail has both. */
async function insertAs(
  tx: JournalChange,
  intent: Intent,
  event: 'approve' | 'askHuman',
  change: Partial<Intent>,
  now: number,
): Promise<Intent> {
  await tx.insert(intent);
  return applyTransition(tx, intent, event, now, change);
}
