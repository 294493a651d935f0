import Big from 'big.js';
import { pieCash, reservedCash, reservedShares, sharesInPies } from '../account/account.ts';
import type { Ledger, LedgerHolding } from '../account/ledger.ts';
import { roundToPence, toAccountCurrency } from '../account/money.ts';
import { unknownTicker } from '../api-error.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { State } from './handler-state.ts';
import { instrumentBody } from './orders.ts';

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
