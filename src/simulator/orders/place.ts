import Big from 'big.js';
import { computeTaxes } from '../account/build-fill.ts';
import { roundToPence } from '../account/ledger.ts';
import { type InitiatedFrom, type OrderRecord, type Side, takeOrderId } from '../account/records.ts';
import { type Account, availableCash, availableShares } from '../account/simulated-account.ts';
import { ApiError, invalid, notFound, unknownTicker } from '../api-error.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import type { World } from '../world/world.ts';

/** How long a cancellation takes (ms). */
const cancelMs = 500;

/** Adds an order to the book. Throws an ApiError when the service rejects it. */
export function placeOrder(
  world: World,
  account: Account,
  quirks: Quirks,
  wanted: NewOrder,
  initiatedFrom: InitiatedFrom,
  nowMs: number,
): OrderRecord {
  const reserved = checkOrder(world, account, quirks, wanted, nowMs);
  const order: OrderRecord = {
    id: takeOrderId(account, world.seed),
    createdAt: nowMs,
    ticker: wanted.ticker,
    type: wanted.type,
    side: wanted.quantity.lt(0) ? 'SELL' : 'BUY',
    quantity: wanted.quantity.toFixed(),
    ...(wanted.limitPrice && { limitPrice: wanted.limitPrice.toFixed() }),
    ...(wanted.stopPrice && { stopPrice: wanted.stopPrice.toFixed() }),
    timeInForce: wanted.timeInForce,
    extendedHours: wanted.extendedHours,
    initiatedFrom,
    status: 'NEW',
    filledQuantity: '0',
    reserved: reserved.toFixed(),
  };
  account.pending.set(order.id, order);
  account.revision++;
  return order;
}

/** Requests a cancellation. An order whose fill comes first is still filled. */
export function requestCancel(account: Account, id: number, nowMs: number): OrderRecord {
  const order = account.pending.get(id);
  if (!order) throw notFound(`order ${id}`);
  if (order.cancelAt === undefined) {
    order.cancelAt = nowMs + cancelMs;
    order.status = 'CANCELLING';
    account.revision++;
  }
  return order;
}

// Checks whether the service accepts an order whose body the schema has accepted.

/** An order as requested; quantity is signed. */
export interface NewOrder {
  readonly ticker: string;
  readonly type: OrderRecord['type'];
  readonly quantity: Big;
  readonly limitPrice?: Big;
  readonly stopPrice?: Big;
  readonly timeInForce: OrderRecord['timeInForce'];
  readonly extendedHours: boolean;
}

const maxPendingPerTicker = 50;
const maxDecimals = 4;
/**
 * Maximum factor between the order's price and the last one. Observed: a limit ten times away is accepted. How far away
 * it may be is not known, so these bounds are the simulator's own.
 */
const farthestLimit = 100;
const farthestStop = 10;

/** Returns the cash to reserve (0 for a sale). Throws an ApiError for an order that the service rejects. */
function checkOrder(world: World, account: Account, quirks: Quirks, wanted: NewOrder, nowMs: number): Big {
  const instrument = world.find(wanted.ticker);
  if (!instrument) throw unknownTicker(wanted.ticker);
  const quantity = wanted.quantity.abs();
  const side: Side = wanted.quantity.lt(0) ? 'SELL' : 'BUY';
  if (quantity.eq(0)) throw invalid('quantity must not be 0');

  const price = world.prices.priceAt(instrument, nowMs);
  checkPrices(wanted, price, quirks);
  // Holdings bought by value have more decimals than an order allows, but a full holding can be sold.
  const sellsAll = side === 'SELL' && quantity.eq(availableShares(account, wanted.ticker));
  if (!sellsAll) checkQuantity(quantity, instrument);
  if (wanted.extendedHours && !instrument.extendedHours)
    throw new ApiError(
      400,
      'extended-hours-trading-not-allowed',
      'Extended hours trading is not allowed for this instrument',
    );
  if (instrument.trading === 'disabled')
    throw new ApiError(400, 'instrument-disabled', 'Instrument can not be traded.');
  if (instrument.trading === 'closeOnly' && side === 'BUY')
    throw new ApiError(400, 'instrument-close-only-mode', 'Close only mode');

  const onTicker = [...account.pending.values()].filter(({ ticker }) => ticker === wanted.ticker);
  // The bound is specified. No service was seen to refuse the next order; the code is the simulator's own.
  if (onTicker.length >= maxPendingPerTicker)
    throw new ApiError(400, 'too-many-pending-orders', `at most ${maxPendingPerTicker} pending orders per ticker`);

  const held = account.ledger.holdings.get(wanted.ticker)?.quantity ?? new Big(0);
  const rate = world.prices.rateAt(instrument.currency, nowMs);
  if (side === 'SELL') checkSale(account, wanted.ticker, quantity, held, minQuantity(price, rate, instrument));
  else checkPurchase(quantity, held, onTicker, instrument, minQuantity(price, rate, instrument));
  if (side === 'SELL') return new Big(0);

  const cost = worstCost(world, instrument, wanted, price, nowMs);
  if (cost.gt(availableCash(account)))
    throw new ApiError(
      400,
      'insufficient-free-for-stocks-buy',
      'Insufficient funds',
      `the order needs ${cost.toFixed(2)}`,
    );
  return cost;
}

function checkPrices({ limitPrice, stopPrice }: NewOrder, price: Big, { maxStopPercent }: Quirks): void {
  const isFar = (asked: Big, factor: number) => asked.gt(price.times(factor)) || asked.times(factor).lt(price);
  if (limitPrice?.lte(0) || stopPrice?.lte(0)) throw invalid('a price must be greater than 0');
  const isStopFar =
    stopPrice &&
    (maxStopPercent === undefined
      ? isFar(stopPrice, farthestStop)
      : stopPrice.minus(price).abs().times(100).gt(price.times(maxStopPercent)));
  if (isStopFar || (limitPrice && isFar(limitPrice, farthestLimit)))
    throw new ApiError(400, 'price-too-far', `the price is too far from ${price.toFixed()}`);
}

function checkQuantity(quantity: Big, instrument: Instrument): void {
  const decimals = Math.min(maxDecimals, instrument.precision);
  if (!quantity.round(decimals, 0).eq(quantity))
    throw new ApiError(400, 'quantity-precision-mismatch', `invalid quantity precision ${decimals}`);
}

function checkSale(account: Account, ticker: string, quantity: Big, held: Big, least: Big): void {
  const owned = availableShares(account, ticker);
  if (quantity.gt(owned)) {
    const shown = owned.eq(owned.round()) ? owned.toFixed(1) : owned.toFixed();
    throw new ApiError(400, 'selling-equity-not-owned', `Selling more equities than owned, owned: ${shown}`);
  }
  const left = held.minus(quantity);
  if (left.gt(0) && left.lt(least))
    throw new ApiError(400, 'min-opened-position-exceeded', `the remainder would be less than ${least.toFixed()}`);
  if (quantity.lt(least) && left.gt(0))
    throw new ApiError(400, 'min-quantity-exceeded', `must trade at least ${least.toFixed()}`);
}

function checkPurchase(
  quantity: Big,
  held: Big,
  onTicker: readonly OrderRecord[],
  instrument: Instrument,
  least: Big,
): void {
  if (quantity.lt(least)) throw new ApiError(400, 'min-quantity-exceeded', `must trade at least ${least.toFixed()}`);
  let after = held.plus(quantity);
  for (const order of onTicker) {
    if (order.side === 'BUY') after = after.plus(order.quantity ?? '0').minus(order.filledQuantity);
  }
  if (after.gt(instrument.maxOpenQuantity))
    throw new ApiError(
      400,
      'max-position-quantity-exceeded',
      `The maximum quantity of the position is ${instrument.maxOpenQuantity}`,
    );
}

/** Worth about one unit of the account's currency. */
const minQuantity = (price: Big, rate: Big, instrument: Instrument): Big =>
  rate.div(price).round(Math.min(maxDecimals, instrument.precision), 3);

/** Returns the maximum cost of a buy: its limit, or the price plus two percent for changes until the fill. */
function worstCost(world: World, instrument: Instrument, wanted: NewOrder, price: Big, nowMs: number): Big {
  const reference = wanted.stopPrice?.gt(price) ? wanted.stopPrice : price;
  const worst = wanted.limitPrice ?? reference.times('1.02');
  const gross = worst.times(wanted.quantity).div(world.prices.rateAt(instrument.currency, nowMs));
  const taxes = computeTaxes(world, instrument, 'BUY', gross, wanted.quantity);
  return roundToPence(taxes.reduce((total, tax) => total.plus(tax.quantity), gross));
}
