/** An account that starts with given cash, positions and pending orders instead of the seeded past. */
import Big from 'big.js';
import type { InstrumentType } from '../../core/endpoints/index.ts';
import type { Instrument, OwnMarket } from '../world/instrument.ts';
import { getHomeSchedule } from '../world/venues.ts';
import type { World } from '../world/world.ts';
import { createLedger } from './ledger.ts';
import type { OrderRecord, PieRecord } from './records.ts';
import { type Account, createAccount } from './simulated-account.ts';

/** Decimals are exact strings. Amounts are in the account's currency, prices in the instrument's. */
export interface StartingAccount {
  readonly id: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly cash: { readonly available: string; readonly reserved: string; readonly inPies: string };
  readonly realisedProfitLoss: string;
  readonly positions: readonly StartingPosition[];
  /** `reserved` is ignored: the account's reserved cash is divided among the buys. */
  readonly pendingOrders: readonly OrderRecord[];
  /** Of the positions and the pending orders. */
  readonly instruments: readonly StartingInstrument[];
}

export interface StartingPosition {
  readonly ticker: string;
  /** Milliseconds since the Unix epoch. */
  readonly openedAt: number;
  readonly quantity: string;
  readonly quantityInPies: string;
  readonly averagePricePaid: string;
  readonly currentPrice: string;
  readonly currentValue: string;
  readonly totalCost: string;
  /** 0 in the account's own currency. */
  readonly fxImpact: string;
}

export interface StartingInstrument {
  readonly ticker: string;
  /** ISO 4217, or GBX for pence. */
  readonly currency: string;
  /** Default STOCK. */
  readonly type?: InstrumentType | undefined;
  readonly name?: string | undefined;
  readonly shortName?: string | undefined;
  readonly isin?: string | undefined;
  readonly addedOn?: string | undefined;
  readonly extendedHours?: boolean | undefined;
  readonly maxOpenQuantity?: number | undefined;
}

/** Builds the market of the account, in which prices and exchange rates start as they were read. */
export function toOwnMarket(start: StartingAccount, at: number): OwnMarket {
  const prices = new Map<string, Big>();
  for (const order of start.pendingOrders) prices.set(order.ticker, guessPrice(order));
  for (const { ticker, currentPrice } of start.positions) prices.set(ticker, new Big(currentPrice));
  const instruments = start.instruments.map(
    (one): Instrument => ({
      ticker: one.ticker,
      type: one.type ?? 'STOCK',
      name: one.name ?? one.ticker,
      shortName: one.shortName ?? one.ticker,
      isin: one.isin ?? '',
      currency: one.currency,
      addedOn: one.addedOn ?? new Date(at).toISOString(),
      extendedHours: one.extendedHours ?? false,
      maxOpenQuantity: one.maxOpenQuantity ?? 25_000,
      scheduleId: getHomeSchedule(one.currency),
      basePrice: Number(prices.get(one.ticker) ?? 1),
      precision: 4,
      trading: 'open',
    }),
  );
  return { currency: start.currency, instruments, at, prices, rates: deriveRates(start) };
}

/** The interface has no quotes: the price of what is not held is set so that the order does not fill at once. */
function guessPrice({ side, limitPrice, stopPrice }: OrderRecord): Big {
  const isAbove = (side === 'BUY') === (stopPrice === undefined);
  const named = new Big(stopPrice ?? limitPrice ?? 100);
  return isAbove ? named.times('1.05') : named.div('1.05');
}

/** From the largest position of each currency, where rounding to the penny matters least. */
function deriveRates({ positions, instruments }: StartingAccount): Map<string, Big> {
  const currencies = new Map(instruments.map(({ ticker, currency }) => [ticker, currency]));
  const rates = new Map<string, Big>();
  for (const position of [...positions].sort((a, b) => new Big(a.currentValue).cmp(b.currentValue))) {
    const currency = currencies.get(position.ticker);
    const value = new Big(position.currentValue);
    if (currency !== undefined && value.gt(0))
      rates.set(currency, new Big(position.quantity).times(position.currentPrice).div(value));
  }
  return rates;
}

/** Opens the account in the world of its own market. It has no history. */
export function openStartingAccount(world: World, start: StartingAccount, startedAt: number): Account {
  const { cash, positions, pendingOrders } = start;
  const ledger = createLedger();
  ledger.cash = new Big(cash.available).plus(cash.reserved).plus(cash.inPies);
  ledger.realised = new Big(start.realisedProfitLoss);
  for (const position of positions) {
    const quantity = new Big(position.quantity);
    const paid = quantity.times(position.averagePricePaid);
    const valueAtRatesPaid = new Big(position.currentValue).minus(position.fxImpact);
    const worth = quantity.times(position.currentPrice);
    ledger.holdings.set(position.ticker, {
      ticker: position.ticker,
      openedAt: position.openedAt,
      quantity,
      totalCost: new Big(position.totalCost),
      paid,
      gross: worth.gt(0) ? valueAtRatesPaid.times(paid).div(worth) : new Big(position.totalCost),
    });
  }
  const account = createAccount(startedAt, {
    id: start.id,
    past: { ledger, history: [], dividends: [], transactions: [] },
    pies: toPies(start, startedAt),
  });
  const shares = divideReserved(world, start, startedAt);
  for (const order of pendingOrders) {
    account.pending.set(order.id, { ...order, reserved: shares.get(order.id) ?? '0' });
    account.nextOrderId = Math.max(account.nextOrderId, order.id + 1000);
  }
  return account;
}

/** The shares and the cash of all pies, as one: the positions do not say which pie has which shares. */
function toPies({ positions, cash }: StartingAccount, startedAt: number): PieRecord[] {
  const holdings = Object.fromEntries(
    positions.flatMap(({ ticker, quantityInPies }) =>
      new Big(quantityInPies).gt(0) ? [[ticker, quantityInPies]] : [],
    ),
  );
  const tickers = Object.keys(holdings);
  if (tickers.length === 0 && new Big(cash.inPies).eq(0)) return [];
  return [
    {
      id: 1_204_411,
      createdAt: startedAt,
      name: 'All pies',
      dividendCashAction: 'TO_ACCOUNT_CASH',
      shares: Object.fromEntries(tickers.map((ticker) => [ticker, new Big(1).div(tickers.length).toFixed(4)])),
      holdings,
      cash: cash.inPies,
    },
  ];
}

/** Divides the account's reserved cash among its pending buys by their worth, to the penny. */
function divideReserved(world: World, { cash, pendingOrders }: StartingAccount, at: number): Map<number, string> {
  const buys = pendingOrders.filter(({ side }) => side === 'BUY');
  const worths = buys.map((order) => {
    const instrument = world.get(order.ticker);
    const price = order.limitPrice ?? order.stopPrice ?? world.prices.priceAt(instrument, at);
    const open = new Big(order.quantity ?? 0).minus(order.filledQuantity);
    return order.value === undefined
      ? open.times(price).div(world.prices.rateAt(instrument.currency, at))
      : new Big(order.value);
  });
  const total = worths.reduce((sum, worth) => sum.plus(worth), new Big(0));
  let left = new Big(cash.reserved);
  return new Map(
    buys.map((order, index) => {
      const isLast = index === buys.length - 1;
      const part =
        isLast || total.eq(0)
          ? left
          : new Big(cash.reserved)
              .times(worths[index] ?? 0)
              .div(total)
              .round(2, 0);
      left = left.minus(part);
      return [order.id, part.toFixed()];
    }),
  );
}
