/** Builds the intent of a request, and records one that goes no further. */
import { type OrderContext, toBaseline } from './account/account-snapshot.ts';
import { worstCaseValue } from './account/estimate.ts';
import { approvalInForce } from './halt/trading-state.ts';
import type { Baseline, EarlierOrder, Intent, LegReference } from './intent/intent.ts';
import { type OrderRequest, orderFingerprint } from './intent/order-request.ts';
import type { JournalChange, JournalView } from './intent/ports.ts';
import { keepUnsent } from './intent/unsent-intents.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';

export type NewIntentDeps = Pick<OrderDeps, 'clock' | 'settings' | 'processes' | 'configuredLimits'>;

/** A request for one order, under the id that its intent gets if one is created. */
export interface IntentRequest {
  /** When the store fails to respond, the caller checks by this id whether the intent was created. */
  readonly id: string;
  readonly request: OrderRequest;
  readonly repeatOf: string | undefined;
  readonly progress: ((message: string) => void) | undefined;
  /** Set for a leg of a draft. */
  readonly leg?: LegTurn | undefined;
}

/** A leg of a draft whose turn has come. */
export interface LegTurn {
  readonly reference: LegReference;
  /** The account is read again if it was read before this time (ms); undefined for the usual age. */
  readonly accountSince: number | undefined;
  /** Called in the transaction that creates the intent. Throws when it is no longer the turn of this leg. */
  readonly requireTurn: (tx: JournalView) => Promise<void>;
}

const emptyBaseline: Omit<Baseline, 'askedAt'> = {
  pendingIds: [],
  position: '0',
  cash: undefined,
  price: undefined,
  serviceOffsetMs: undefined,
};

/**
 * Builds an intent in the state DRAFT, with the limits and the approval method that are in force. Without `facts`,
 * the account as it was read, its value is unknown and its baseline is empty.
 */
export async function buildIntent(
  deps: NewIntentDeps,
  tx: JournalChange,
  { id, request, leg }: IntentRequest,
  accountKey: string,
  facts?: OrderContext,
): Promise<Intent> {
  const { settings, processes } = deps;
  const now = deps.clock.now();
  return {
    id,
    kind: 'order',
    state: 'DRAFT',
    environment: settings.environment,
    accountKey,
    fingerprint: orderFingerprint(request, { environment: settings.environment, accountKey }),
    ticker: request.ticker,
    request,
    ...(leg ? { leg: leg.reference } : {}),
    createdAt: now,
    changedAt: now,
    owner: processes.self,
    value: facts && worstCaseValue(request, facts)?.toFixed(2),
    baseline: facts ? toBaseline(request.ticker, facts) : { askedAt: now, ...emptyBaseline },
    limits: await currentLimits(deps, tx),
    method: await approvalInForce(settings, tx),
  };
}

/** Records that the order of a request is not sent, because of an earlier order or for a reason. */
export async function recordNotSent(
  deps: NewIntentDeps & Pick<OrderDeps, 'journal' | 'accountKey'>,
  wanted: IntentRequest,
  why: { readonly earlier: EarlierOrder | undefined; readonly reason: string | undefined },
): Promise<Intent> {
  const accountKey = await deps.accountKey();
  return deps.journal.change(async (tx) =>
    keepUnsent(tx, await buildIntent(deps, tx, wanted, accountKey), 'failBeforeSending', why, deps.clock.now()),
  );
}
