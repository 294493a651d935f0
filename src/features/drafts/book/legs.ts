/** The rules that the legs of every draft satisfy, and when two lists of legs are the same. Pure. */

import Big from 'big.js';
import type { Broker, CallContext } from '../../../core/broker/types.ts';
import { endpoints } from '../../../core/endpoints/index.ts';
import { getTicker } from '../../../core/endpoints/instruments.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { pickPrice } from '../../../core/orders/account/estimate.ts';
import type { OrderRequest } from '../../../core/orders/intent/order-request.ts';
import { isPence, normalizeCurrency } from '../../../core/text/currency-units.ts';
import { isTicker, sanitizeText } from '../../../core/text/sanitize-text.ts';
import { type DraftLeg, maxLegs } from './draft.ts';

const maxReasonLength = 200;

/**
 * Returns the legs with their reasons cleaned. Throws `invalid_argument` for a list that is empty or too long, for two
 * equal legs, and for a buy and a sell of one ticker; the fact `leg` is the number of the wrong leg, counted from 1.
 */
export function checkLegs(legs: readonly DraftLeg[]): readonly DraftLeg[] {
  if (legs.length === 0 || legs.length > maxLegs)
    throw new BrokerageError(
      'invalid_argument',
      `A draft has 1 to ${maxLegs} legs, not ${legs.length}.`,
      legs.length === 0 ? 'Give at least one leg.' : 'Split the legs into several drafts.',
    );
  const orders = new Map<string, number>();
  const sides = new Map<string, { readonly side: string; readonly leg: number }>();
  legs.forEach((leg, index) => {
    const number = index + 1;
    if (!isTicker(leg.ticker))
      throw wrongLeg(number, 'has a ticker that an order cannot display safely', 'Choose another instrument.');
    const equal = orders.get(toOrderKey(leg));
    if (equal !== undefined)
      throw wrongLeg(
        number,
        `equals leg ${equal}`,
        'Combine the two quantities in one leg, or remove one of the legs.',
      );
    const other = sides.get(leg.ticker);
    if (other && other.side !== leg.side)
      throw wrongLeg(
        number,
        `trades ${leg.ticker} in the opposite direction of leg ${other.leg}`,
        'Keep either the buy or the sell of this ticker.',
      );
    orders.set(toOrderKey(leg), number);
    sides.set(leg.ticker, { side: leg.side, leg: number });
  });
  return legs.map(({ reason, ...leg }) => ({ ...leg, reason: sanitizeText(reason, maxReasonLength) }));
}

/** An `invalid_argument` error about the leg with this number, counted from 1. */
export const wrongLeg = (leg: number, problem: string, next: string): BrokerageError =>
  new BrokerageError('invalid_argument', `Leg ${leg} ${problem}.`, next, { leg });

/** Everything that makes two legs the same order. */
const toOrderKey = ({
  type,
  ticker,
  side,
  quantity,
  limitPrice,
  stopPrice,
  timeValidity,
  extendedHours,
}: OrderRequest) =>
  JSON.stringify([type, ticker, side, quantity, limitPrice, stopPrice, timeValidity, extendedHours ?? false]);

/** Percent that the price of a leg may move before an equal plan is a new draft. */
const maxPriceMove = 1;

/** Whether both lists have the same orders in the same sequence, whatever their reasons and prices. */
export const isSameOrders = (a: readonly DraftLeg[], b: readonly DraftLeg[]): boolean =>
  a.length === b.length && a.every((leg, index) => toOrderKey(leg) === toOrderKey(b[index] as DraftLeg));

/** Whether both lists have the same orders in the same sequence, sized with about the same prices. */
export const isSamePlan = (a: readonly DraftLeg[], b: readonly DraftLeg[]): boolean =>
  isSameOrders(a, b) && a.every(({ price }, index) => isSamePrice(price, (b[index] as DraftLeg).price));

function isSamePrice(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || new Big(a).eq(0)) return a === b;
  return new Big(b).div(a).minus(1).times(100).abs().lte(maxPriceMove);
}

/** The order of a leg, without what explains it. */
export const toOrder = ({
  reason: _,
  price: __,
  isPriceAssumed: ___,
  weight: ____,
  ...order
}: DraftLeg): OrderRequest => order;

/** The price that only the caller of the tool knew; undefined when the account showed one. */
export const assumedPriceOf = ({ price, isPriceAssumed }: DraftLeg): string | undefined =>
  isPriceAssumed ? price : undefined;

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

/** Sums by currency, pence counted as pounds. A side without orders has none. */
export interface DraftValue {
  readonly buys: Readonly<Record<string, string>>;
  readonly sells: Readonly<Record<string, string>>;
}

/**
 * What the legs are worth as an estimate has it, with the prices that they were sized with as the last ones; undefined
 * when a price is unknown or assumed, or a currency is unknown. It costs no request, so nothing is converted.
 */
export function valueLegs(
  legs: readonly DraftLeg[],
  currencyOf: (ticker: string) => string | undefined,
): DraftValue | undefined {
  const sums: Record<OrderRequest['side'], Record<string, Big>> = { BUY: {}, SELL: {} };
  for (const leg of legs) {
    const { ticker, side, quantity, isPriceAssumed } = leg;
    const [price] = pickPrice(leg, leg.price);
    const currency = normalizeCurrency(currencyOf(ticker));
    if (price === undefined || isPriceAssumed || currency === undefined) return undefined;
    const [unit, parts] = isPence(currency) ? ['GBP', 100] : [currency, 1];
    sums[side][unit] = new Big(price)
      .times(quantity)
      .div(parts)
      .plus(sums[side][unit] ?? 0);
  }
  const write = (sum: Record<string, Big>) =>
    Object.fromEntries(Object.entries(sum).map(([currency, amount]) => [currency, amount.toFixed(2)]));
  return { buys: write(sums.BUY), sells: write(sums.SELL) };
}
