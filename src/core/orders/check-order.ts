/** Checks an order without placing it: the preview, and the rule that would refuse it. */
import type { CallContext } from '../broker/types.ts';
import type { TradableInstrument } from '../endpoints/index.ts';
import type { OrderRequest } from './intent/order-request.ts';
import type { Refusal } from './intent/refusal.ts';
import { effectiveLimits } from './intent/risk-limits.ts';
import { currentLimits, type OrderDeps } from './order-deps.ts';
import { readAfterOrders } from './read-after-orders.ts';
import { evaluateOrder, listOwn } from './risk/evaluate-order.ts';
import { type OrderPreview, previewOrder } from './risk/order-preview.ts';
import { toStoreRefusal } from './store-refusal.ts';

export interface CheckedOrder {
  readonly preview: OrderPreview;
  /** Undefined when the order passes all rules now. */
  readonly refusal: Refusal | undefined;
  /** The time of the account data (ms), and when it was requested. */
  readonly asOf: number;
  readonly askedAt: number;
  /** Since when (ms) a history must have been read to have the newest own order; undefined without a recent one. */
  readonly since: number | undefined;
}

/** Checks an order against the account as it is now. Throws when the account cannot be read. */
export async function checkOrder(
  deps: Pick<OrderDeps, 'facts' | 'directory' | 'journal' | 'clock' | 'settings' | 'configuredLimits' | 'accountKey'>,
  request: OrderRequest,
  instrument: TradableInstrument,
  context: CallContext,
  assumedPrice?: string,
): Promise<CheckedOrder> {
  const { settings } = deps;
  const reading: CallContext = { ...context, priority: 'read' };
  const [{ account: facts, since }, { exchanges }] = await Promise.all([
    readAfterOrders(deps, reading, (bounded, oldest) => deps.facts.read(instrument, bounded, oldest)),
    deps.directory.exchanges({ ...reading, notBefore: undefined }),
  ]);
  const accountKey = await deps.accountKey();
  const now = deps.clock.now();
  const { limits, refusal, own } = await deps.journal
    .read(async (tx) => {
      const inForce = await currentLimits(deps, tx);
      const refused = await evaluateOrder(tx, { settings, order: request, facts, accountKey, limits: inForce, now });
      return { limits: inForce, refusal: refused, own: await listOwn(tx, accountKey, now) };
    })
    .catch((error: unknown) => ({
      limits: effectiveLimits(settings.environment, deps.configuredLimits, undefined),
      refusal: toStoreRefusal(error),
      own: [],
    }));
  const preview = previewOrder(request, facts, exchanges, now, limits, own, assumedPrice);
  return {
    preview,
    refusal,
    asOf: facts.asOf,
    askedAt: facts.askedAt,
    since,
  };
}
