/** What the journal knows of orders: one intent, one order, and whether orders can be placed. */
import type { CallContext } from '../broker/types.ts';
import { orElse } from '../log.ts';
import { listExternal } from './account/external-record.ts';
import { type FoundOrder, isFinalOrder, noteStatus } from './account/find-order.ts';
import { findStoreChange, type StoreChange } from './halt/store-change.ts';
import { approvalInForce, currentLimits, tradingRefusal } from './halt/trading-state.ts';
import { type Intent, isOverdue } from './intent/intent.ts';
import { type OrderOutcome, toOutcome } from './intent/outcome.ts';
import type { Refusal } from './intent/refusal.ts';
import type { RiskLimits } from './intent/risk-limits.ts';
import { openStates } from './intent/states.ts';
import type { OrderDeps } from './order-deps.ts';
import { isOwnIntent, reply } from './place-order.ts';
import type { PlaceReply } from './place-result.ts';
import { reconcile } from './reconcile/reconcile.ts';

/** What the status tool reports about orders. `refusal` is undefined when orders may be placed. */
export interface TradingState {
  readonly refusal: Refusal | undefined;
  /** How the store differs from the one that was used before; undefined when it does not. */
  readonly storeChange: StoreChange | undefined;
  readonly approval: string;
  readonly limits: RiskLimits;
  /** Orders of other programs on the account in the last 24 hours, as far as they were seen. */
  readonly foreignOrders: number;
  readonly openIntents: readonly OpenIntent[];
}

export interface OpenIntent extends Pick<Intent, 'id' | 'request' | 'createdAt'>, Pick<OrderOutcome, 'outcome'> {
  /** A person approved it, and a server that may trade has to send it. */
  readonly isApproved: boolean;
}

/** When an order of ours was placed (ms); undefined for an id that the journal does not have. */
export async function readPlacedAt(
  { journal, accountKey }: Pick<OrderDeps, 'journal' | 'accountKey'>,
  orderId: string,
): Promise<number | undefined> {
  const account = await accountKey();
  const placed = await journal
    .read((tx) => tx.list({ accountKey: account, orderId, states: ['PLACED'], limit: 1 }))
    .catch(orElse('orders', []));
  return placed[0]?.sentAt;
}

const isApproved = (intent: Intent, now: number): boolean =>
  intent.state === 'APPROVED' && intent.approval !== undefined && !isOverdue(intent, now);

/** Stores the final status of an order, so that a repeated order needs no further request. */
export async function recordEnd(
  { journal, accountKey, readOnly }: Pick<OrderDeps, 'journal' | 'accountKey' | 'readOnly'>,
  found: FoundOrder,
): Promise<void> {
  const { id } = found.order;
  if (readOnly || id === undefined || !isFinalOrder(found.order)) return;
  const account = await accountKey();
  await journal
    .change(async (tx) => {
      const [intent] = await tx.list({ accountKey: account, orderId: id, states: ['PLACED'], limit: 1 });
      if (intent) await noteStatus(tx, intent, found);
    })
    // This is optional: without it, the next order reads the status again.
    .catch(orElse('orders', undefined));
}

/** The state of an intent; undefined when there is none with that id. Searches when the outcome is unknown. */
export async function findIntent(
  deps: OrderDeps,
  intentId: string,
  context: CallContext,
): Promise<PlaceReply | undefined> {
  const intent = await deps.journal.read((tx) => tx.find(intentId));
  if (intent?.environment !== deps.settings.environment) return undefined;
  const isSettled = intent.state !== 'UNKNOWN' || deps.readOnly;
  const isAlone = deps.settings.account === undefined;
  if (isSettled && isAlone) return reply(deps, intent, false, {});
  // A new API key is a new account name until the service reports which account it belongs to.
  const isOurs =
    (await isOwnIntent(deps, intent)) ||
    (await deps.identifyAccount(context).catch(orElse('orders', ''))) === intent.accountKey;
  // The other accounts of the owner have intents of their own in the store.
  if (!isOurs && !isAlone) return undefined;
  if (!isOurs || isSettled) return reply(deps, intent, false, {});
  const found = await reconcile(deps, intentId, context).catch(orElse('orders', undefined));
  return reply(deps, found ?? intent, false, {});
}

/** Whether orders can be placed, the approval and limits in force, and the undecided intents of this environment. */
export async function readTradingState(deps: OrderDeps): Promise<TradingState> {
  const { settings, journal, clock } = deps;
  const accountKey = await deps.accountKey().catch(orElse('orders', undefined));
  return journal.read(async (tx) => {
    const own = settings.account === undefined ? {} : { accountKey: accountKey ?? '' };
    const open = await tx.list({ states: openStates, environment: settings.environment, ...own });
    return {
      refusal: await tradingRefusal(settings, tx, accountKey),
      storeChange: await findStoreChange(tx, settings.witness),
      approval: await approvalInForce(settings, tx),
      limits: await currentLimits(deps, tx),
      foreignOrders: accountKey === undefined ? 0 : (await listExternal(tx, accountKey, clock.now())).length,
      openIntents: open.map((intent) => ({
        id: intent.id,
        request: intent.request,
        createdAt: intent.createdAt,
        outcome: toOutcome(intent, clock.now()).outcome,
        isApproved: isApproved(intent, clock.now()),
      })),
    };
  });
}
