import Big from 'big.js';
import { type Ledger, type LedgerHolding, roundToPence, toAccountCurrency } from '../account/ledger.ts';
import type { OrderRecord } from '../account/records.ts';
import { pieCash, reservedCash, reservedShares, sharesInPies } from '../account/simulated-account.ts';
import { notFound, unknownTicker } from '../api-error.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { World } from '../world/world.ts';
import type { State } from './handler-state.ts';

/** The ledger as a client sees it: delayed after a fill, when that quirk is on. */
const visibleLedger = ({ account, quirks, now }: State): Ledger =>
  account.beforeFill && now < account.beforeFill.at + quirks.staleReadMs ? account.beforeFill.ledger : account.ledger;

/** Orders placed after this time reserve nothing yet in responses. */
const reservedUntil = ({ quirks, now }: State): number => now - quirks.reservedLateMs;

/** Returns the current value of the holding, account currency. */
export function marketValue({ world, now }: Pick<State, 'world' | 'now'>, holding: LedgerHolding): Big {
  const instrument = world.get(holding.ticker);
  const price = world.prices.priceAt(instrument, now);
  return roundToPence(toAccountCurrency(holding.quantity.times(price), world.prices.rateAt(instrument.currency, now)));
}

/** Observed: a position in the account's own currency has no currency effect, as null or without the field. */
const ownFxImpact: Readonly<Record<Quirks['ownFxImpact'], Big | null | undefined>> = {
  null: null,
  absent: undefined,
  zero: new Big(0),
};

function positionBody(state: State, holding: LedgerHolding) {
  const { world, account, now } = state;
  const instrument = world.get(holding.ticker);
  const price = world.prices.priceAt(instrument, now);
  const inPies = sharesInPies(account, holding.ticker);
  const value = marketValue(state, holding);
  const isForeign = world.isForeign(instrument.currency);
  const valueAtRatesPaid =
    isForeign && holding.paid.gt(0)
      ? roundToPence(holding.quantity.times(price).times(holding.gross).div(holding.paid))
      : value;
  return {
    instrument: instrumentBody(world, holding.ticker),
    createdAt: new Date(holding.openedAt),
    quantity: holding.quantity,
    quantityAvailableForTrading: holding.quantity
      .minus(inPies)
      .minus(reservedShares(account, holding.ticker, reservedUntil(state))),
    quantityInPies: inPies,
    averagePricePaid: holding.paid.div(holding.quantity).round(8, 1),
    currentPrice: price,
    walletImpact: {
      currency: world.currency,
      currentValue: value,
      totalCost: holding.totalCost,
      unrealizedProfitLoss: value.minus(holding.totalCost),
      fxImpact: isForeign ? value.minus(valueAtRatesPaid) : ownFxImpact[state.quirks.ownFxImpact],
    },
  };
}

export function summaryBody(state: State) {
  const { account } = state;
  const ledger = visibleLedger(state);
  let currentValue = new Big(0);
  let totalCost = new Big(0);
  for (const holding of ledger.holdings.values()) {
    currentValue = currentValue.plus(marketValue(state, holding));
    totalCost = totalCost.plus(holding.totalCost);
  }
  const inPies = pieCash(account);
  const reserved = reservedCash(account, reservedUntil(state));
  return {
    id: account.id,
    currency: state.world.currency,
    totalValue: ledger.cash.plus(currentValue),
    cash: {
      availableToTrade: ledger.cash.minus(inPies).minus(reserved),
      inPies,
      reservedForOrders: reserved,
    },
    investments: {
      currentValue,
      realizedProfitLoss: ledger.realised,
      totalCost,
      unrealizedProfitLoss: currentValue.minus(totalCost),
    },
  };
}

export function positionBodies(state: State, ticker: string | undefined) {
  if (state.quirks.emptyPositions > 0) {
    state.quirks.emptyPositions--;
    return [];
  }
  // Observed: only a ticker that exists gets an empty list.
  if (ticker && !state.world.find(ticker)) throw unknownTicker(ticker);
  return [...visibleLedger(state).holdings.values()]
    .filter((holding) => !ticker || holding.ticker === ticker)
    .map((holding) => positionBody(state, holding));
}

export const instrumentBody = (world: World, ticker: string) => {
  const { name, isin, currency } = world.get(ticker);
  return { ticker, name, isin, currency };
};

/** Formats a signed quantity, without its sign where the quirk says so. */
export const formatQuantity = (quantity: string, quirks: Quirks): Big =>
  quirks.unsignedSells ? new Big(quantity).abs() : new Big(quantity);

export const optionalBig = (text: string | undefined): Big | undefined =>
  text === undefined ? undefined : new Big(text);

export function orderBody(order: OrderRecord, { world, quirks }: Pick<State, 'world' | 'quirks'>) {
  const byValue = order.value !== undefined;
  return {
    id: BigInt(order.id),
    createdAt: new Date(order.createdAt),
    currency: world.currency,
    extendedHours: order.extendedHours,
    filledQuantity: byValue ? undefined : formatQuantity(order.filledQuantity, quirks),
    filledValue: optionalBig(order.filledValue),
    initiatedFrom:
      quirks.unknownEnums && order.initiatedFrom === 'AUTOINVEST' ? 'INSTRUMENT_AUTOINVEST' : order.initiatedFrom,
    instrument: instrumentBody(world, order.ticker),
    limitPrice: optionalBig(order.limitPrice),
    stopPrice: optionalBig(order.stopPrice),
    quantity: order.quantity === undefined ? undefined : formatQuantity(order.quantity, quirks),
    value: optionalBig(order.value),
    side: order.side,
    status: order.status,
    strategy: byValue ? 'VALUE' : 'QUANTITY',
    ticker: order.ticker,
    // Observed: a market order has no validity.
    timeInForce: order.type === 'MARKET' ? undefined : order.timeInForce,
    type: order.type,
  };
}

/**
 * Returns pending orders as a client sees them: without the newest, and still with those just filled, when these quirks
 * are on.
 */
export function visibleOrders({ account, quirks, now }: State): OrderRecord[] {
  const lagging =
    account.beforeFill && now < account.beforeFill.at + quirks.staleReadMs
      ? account.beforeFill.orders.filter(({ id }) => !account.pending.has(id))
      : [];
  return [...account.pending.values(), ...lagging].filter(
    ({ createdAt }) => now >= createdAt + quirks.unreadableOrderMs,
  );
}

export function visibleOrder(state: State, id: number): OrderRecord {
  const order = visibleOrders(state).find((one) => one.id === id);
  if (!order) throw notFound(`order ${id}`);
  return order;
}
