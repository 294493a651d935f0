/** What the legs of a draft are likely to be charged, by the rates of own fills. */
import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';
import type { OrderRequest } from '../../core/orders/intent/order-request.ts';
import type { History } from '../history/history-port.ts';
import { estimateCharges } from './order-outlook.ts';
import { readOwnHistory } from './own-history.ts';

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
