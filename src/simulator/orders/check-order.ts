/** Checks whether the service accepts an order whose body the schema has accepted. */
import Big from 'big.js';
import { type Account, availableCash, availableShares } from '../account/account.ts';
import { roundToPence } from '../account/money.ts';
import type { OrderRecord, Side } from '../account/records.ts';
import { computeTaxes } from '../account/taxes.ts';
import { ApiError, invalid, notFound } from '../api-error.ts';
import type { Instrument } from '../world/instrument.ts';
import type { World } from '../world/world.ts';

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
/** Maximum factor between the order's price and the last one. */
const farthest = 10;

/** Returns the cash to reserve (0 for a sale). Throws an ApiError for an order that the service rejects. */
export function checkOrder(world: World, account: Account, wanted: NewOrder, nowMs: number): Big {
  const instrument = world.find(wanted.ticker);
  if (!instrument) throw notFound(`ticker ${wanted.ticker}`);
  const quantity = wanted.quantity.abs();
  const side: Side = wanted.quantity.lt(0) ? 'SELL' : 'BUY';
  if (quantity.eq(0)) throw invalid('quantity must not be 0');

  const price = world.prices.priceAt(instrument, nowMs);
  checkPrices(wanted, price);
  // Holdings bought by value have more decimals than an order allows, but a full holding can be sold.
  const sellsAll = side === 'SELL' && quantity.eq(availableShares(account, wanted.ticker));
  if (!sellsAll) checkQuantity(quantity, instrument);
  if (wanted.extendedHours && !instrument.extendedHours)
    throw new ApiError(400, 'extended-hours-trading-not-allowed', 'not available outside regular hours');
  if (instrument.trading === 'disabled') throw new ApiError(400, 'instrument-disabled', 'the instrument is disabled');
  if (instrument.trading === 'closeOnly' && side === 'BUY')
    throw new ApiError(400, 'instrument-close-only-mode', 'the instrument can only be sold');

  const onTicker = [...account.pending.values()].filter(({ ticker }) => ticker === wanted.ticker);
  if (onTicker.length >= maxPendingPerTicker)
    throw new ApiError(400, 'too-many-pending-orders', `at most ${maxPendingPerTicker} pending orders per ticker`);

  const held = account.ledger.holdings.get(wanted.ticker)?.quantity ?? new Big(0);
  const rate = world.prices.rateAt(instrument.currency, nowMs);
  if (side === 'SELL') checkSale(account, wanted.ticker, quantity, held, minQuantity(price, rate, instrument));
  else checkPurchase(quantity, held, onTicker, instrument, minQuantity(price, rate, instrument));
  if (side === 'SELL') return new Big(0);

  const cost = worstCost(world, instrument, wanted, price, nowMs);
  if (cost.gt(availableCash(account)))
    throw new ApiError(400, 'insufficient-free-for-stocks-buy', `the order needs ${cost.toFixed(2)} in free funds`);
  return cost;
}

function checkPrices(wanted: NewOrder, price: Big): void {
  for (const asked of [wanted.limitPrice, wanted.stopPrice]) {
    if (!asked) continue;
    if (asked.lte(0)) throw invalid('a price must be greater than 0');
    if (asked.gt(price.times(farthest)) || asked.times(farthest).lt(price))
      throw new ApiError(400, 'price-too-far', `the price is too far from ${price.toFixed()}`);
  }
}

function checkQuantity(quantity: Big, instrument: Instrument): void {
  const decimals = Math.min(maxDecimals, instrument.precision);
  if (!quantity.round(decimals, 0).eq(quantity))
    throw new ApiError(400, 'quantity-precision-mismatch', `invalid quantity precision ${decimals}`);
}

function checkSale(account: Account, ticker: string, quantity: Big, held: Big, least: Big): void {
  if (quantity.gt(availableShares(account, ticker)))
    throw new ApiError(400, 'selling-equity-not-owned', 'selling more than is owned and free');
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
    throw new ApiError(400, 'max-open-quantity-exceeded', `at most ${instrument.maxOpenQuantity} may be held`);
}

/** Worth about one unit of the account's currency. */
const minQuantity = (price: Big, rate: Big, instrument: Instrument): Big =>
  rate.div(price).round(Math.min(maxDecimals, instrument.precision), 3);

/** Returns the maximum cost of a buy: its limit, or the price plus two percent for changes until the fill. */
function worstCost(world: World, instrument: Instrument, wanted: NewOrder, price: Big, nowMs: number): Big {
  const reference = wanted.stopPrice?.gt(price) ? wanted.stopPrice : price;
  const worst = wanted.limitPrice ?? reference.times('1.02');
  const gross = worst.times(wanted.quantity).div(world.prices.rateAt(instrument.currency, nowMs));
  const taxes = computeTaxes(instrument, 'BUY', gross, wanted.quantity);
  return roundToPence(taxes.reduce((total, tax) => total.plus(tax.quantity), gross));
}
