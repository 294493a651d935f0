/** What is known around an order before it is placed. There are no quotes: every price here is old. */
import type { Broker, CallContext } from '../broker/types.ts';
import {
  type AccountSummary,
  endpoints,
  type Order,
  type Position,
  type TradableInstrument,
} from '../catalogue/index.ts';

export interface OrderFacts {
  readonly instrument: TradableInstrument;
  readonly summary: AccountSummary;
  readonly positions: readonly Position[];
  readonly pending: readonly Order[];
  /** When the oldest of these was said. */
  readonly asOf: number;
}

export async function gatherFacts(
  broker: Broker,
  instrument: TradableInstrument,
  context: CallContext,
): Promise<OrderFacts> {
  const [summary, positions, pending] = await Promise.all([
    broker.call(endpoints.getAccountSummary, {}, context),
    broker.call(endpoints.listPositions, {}, context),
    broker.call(endpoints.listPendingOrders, {}, context),
  ]);
  return {
    instrument,
    summary: summary.data,
    positions: positions.data,
    pending: pending.data,
    asOf: Math.min(summary.answeredAt, positions.answeredAt, pending.answeredAt),
  };
}
