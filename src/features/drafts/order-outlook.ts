/** What the account's own history adds to the preview of one order: charges, and what a sale would realise. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import { countDecimals } from '../../core/endpoints/decimal.ts';
import { isFailure } from '../../core/errors.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';
import type { OrderRequest } from '../../core/orders/intent/order-request.ts';
import { formatMoney } from '../../core/text/format-figures.ts';
import type { OrderCharges, OrderOutlook, OutlookQuestion } from '../../core/tools/endpoint-deps.ts';
import type { History, ReadOptions } from '../history/history-port.ts';
import { type OwnHistory, readCostHistory, readOwnHistory } from './cost-history.ts';
import type { PlanDeps } from './make-plan.ts';
import { createSaleOutlook, type WhatIf } from './sale-outlook.ts';

/**
 * Describes an order. `options` bound the wait for the order history, and how old its newest page may be. Throws
 * `cancelled`.
 */
export async function describeOrder(
  deps: PlanDeps,
  question: OutlookQuestion,
  context: CallContext,
  options: ReadOptions,
): Promise<OrderOutlook & { readonly whatIf?: WhatIf }> {
  const { byTicker } = await deps.directory.instruments(context);
  const history = await readOwnHistory(deps.history, byTicker, options);
  const charges = estimateCharges(question, history);
  const warnings = warnOfDecimals(question, history);
  if (question.order.side === 'BUY') return { charges, warnings };
  const whatIf = await describeSale(deps, question, { history, charges, context, options }).catch(
    (error: unknown): WhatIf => {
      if (isFailure(error))
        return { method: question.method, missing: { code: error.code, reason: error.message, next: error.next } };
      throw error;
    },
  );
  return { charges, whatIf, warnings };
}

/** A position can have more decimals than an order may have, and is sold entirely then. */
function warnOfDecimals({ order, left }: OutlookQuestion, history: OwnHistory): readonly string[] {
  const traded = history.getTradedDecimals(order.ticker);
  const decimals = countDecimals(order.quantity);
  if (traded === undefined || decimals <= traded || new Big(left).eq(0)) return [];
  const most = traded === 0 ? 'none' : `at most ${traded}`;
  return [
    `The quantity has ${decimals === 1 ? 'one decimal' : `${decimals} decimals`}, and the own orders of ${order.ticker} that were read have ${most}: the broker may refuse it.`,
  ];
}

/** What the order is likely to be charged, by the rates of own fills. */
export function estimateCharges(
  { order, instrument, value }: Pick<OutlookQuestion, 'order' | 'instrument' | 'value'>,
  history: OwnHistory,
): OrderCharges {
  const { ticker, side } = order;
  const { isin, type, currencyCode: currency } = instrument;
  const rates = history.estimateCharges({ ticker, isin, type, currency }, side);
  if (!rates) return { known: false };
  const kinds = rates.map(({ kind, rate, fills }) => ({
    kind,
    amount: value === undefined ? undefined : formatMoney(rate.times(value)),
    fills,
  }));
  const total = value === undefined ? undefined : kinds.reduce((sum, { amount }) => sum.plus(amount ?? 0), new Big(0));
  return { known: true, total: total?.toFixed(2), kinds };
}

/** An own order changes no dividend, so their newest page may have the usual age. */
const anyAge = (options: ReadOptions): ReadOptions => ({
  ...options,
  context: { ...options.context, notBefore: undefined },
});

async function describeSale(
  deps: PlanDeps,
  { order, value, askedAt, method }: OutlookQuestion,
  {
    history,
    charges,
    context,
    options,
  }: {
    readonly history: OwnHistory;
    readonly charges: OrderCharges;
    readonly context: CallContext;
    readonly options: ReadOptions;
  },
): Promise<WhatIf> {
  if (value === undefined)
    return {
      method,
      missing: {
        code: 'no_price',
        reason: 'The value of this order is unknown.',
        next: 'Preview it as a limit order, whose price is known.',
      },
    };
  const { orderManager, config, clock } = deps;
  // The account of the preview, so that the gain is that of the position beside it.
  const account = await orderManager.readAccount({ ...context, notBefore: askedAt });
  const costs = await readCostHistory(deps.history, deps.taxRecords, anyAge(options));
  const { keep } = deps.history;
  const now = clock.now();
  const outlook = createSaleOutlook({ method, account, history, costs, keep, taxZone: config.taxZone, now });
  return outlook.describe({
    ticker: order.ticker,
    quantity: new Big(order.quantity),
    netProceeds: new Big(value).minus(charges.total ?? 0),
  });
}

// What the legs of a draft are likely to be charged, by the rates of own fills.

/** How long a draft waits (ms) for the order history; without it, charges are unknown. */
const historyWaitMs = 3_000;

/**
 * The estimated charges of each order, in the account currency; undefined for one whose charges or value are unknown.
 * `value` is the estimated value of the order. Throws `cancelled`.
 */
export async function readLegCharges(
  { directory, history, clock }: { directory: InstrumentDirectory; history: History; clock: Clock },
  orders: readonly { readonly order: OrderRequest; readonly value: string | undefined }[],
  context: CallContext,
): Promise<readonly (string | undefined)[]> {
  const { byTicker } = await directory.instruments(context);
  const waiting = { ...context, priority: 'read', waitUntil: clock.now() + historyWaitMs } as const;
  const own = await readOwnHistory(history, byTicker, { context: waiting, newestOnly: true });
  return orders.map(({ order, value }) => {
    const instrument = byTicker(order.ticker);
    return instrument && estimateCharges({ order, instrument, value }, own).total;
  });
}

/** The sum; undefined when the charges of one leg are unknown. */
export const sumCharges = (charges: readonly (string | undefined)[]): string | undefined =>
  charges
    .reduce<Big | undefined>((sum, one) => (one === undefined ? undefined : sum?.plus(one)), new Big(0))
    ?.toFixed(2);

/** The cash when every leg is filled at its estimate, after the charges that are known. All in the account currency. */
export const cashAfterAll = (
  cash: Big | string,
  { bought, sold, charges }: { bought: string; sold: string; charges: readonly (string | undefined)[] },
): string =>
  charges.reduce<Big>((left, one) => left.minus(one ?? 0), new Big(cash).plus(sold).minus(bought)).toFixed(2);
