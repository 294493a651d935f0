import type { Broker, CallContext } from '../../../core/broker/types.ts';
import { getTicker } from '../../../core/endpoints/get-ticker.ts';
import { endpoints } from '../../../core/endpoints/index.ts';
import { BrokerageError } from '../../../core/errors.ts';
import type { DraftLeg } from './draft.ts';

/**
 * Returns the legs with the price of their position, in the instrument's currency. A leg whose ticker is not held has
 * no price, and neither has any leg when the positions cannot be read: the price is for comparison only.
 */
export async function addKnownPrices(
  broker: Broker,
  legs: readonly DraftLeg[],
  context: CallContext,
): Promise<readonly DraftLeg[]> {
  const positions = await broker.call(endpoints.listPositions, {}, context).catch((error: unknown) => {
    if (error instanceof BrokerageError) return undefined;
    throw error;
  });
  if (!positions) return legs;
  const prices = new Map(positions.data.map((position) => [getTicker(position), position.currentPrice]));
  return legs.map((leg) => ({ ...leg, price: prices.get(leg.ticker) }));
}
