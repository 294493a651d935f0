/**
 * Estimates what an order is charged from the account's own fills: the interface has no list of charges, and a rate
 * that was charged before is the best that is known.
 */
import Big from 'big.js';
import { quotient } from './sums.ts';
import type { Trade } from './trades.ts';

/** A charge of one kind. */
export interface ChargeRate {
  /** As the service names it: `STAMP_DUTY`, … */
  readonly kind: string;
  /** A fraction of the value before charges, with at most ten decimals. */
  readonly rate: Big;
  /** The number of own fills that it was estimated from. */
  readonly fills: number;
}

/** What decides which charges apply, besides the ticker. */
export interface ChargedInstrument {
  readonly ticker: string;
  /** The instrument's currency: a foreign one is converted for a fee. */
  readonly currency: string | undefined;
  /** The ISIN names the country, on which taxes of purchases depend. */
  readonly isin: string | undefined;
  /** `STOCK`, `ETF`, …: some taxes are for stocks only. */
  readonly type: string | undefined;
}

/** Returns the rates by kind; undefined when no own fill shows any. An empty list means that nothing was charged. */
export type EstimateCharges = (
  instrument: ChargedInstrument,
  side: 'BUY' | 'SELL',
) => readonly ChargeRate[] | undefined;

/** Rates change, so only the newest fills count. */
const maxFills = 20;

/**
 * Reads the newest fills of each ticker, and of each group of instruments with the same currency, country and type.
 * `trades` are in the order of execution; `getType` returns the type of a ticker, if it is known.
 */
export function createChargeEstimator(
  trades: readonly Trade[],
  getType: (ticker: string) => string | undefined,
): EstimateCharges {
  const groups = new Map<string, Trade[]>();
  const add = (key: string, trade: Trade) => {
    const group = groups.get(key) ?? [];
    if (group.length < maxFills) group.push(trade);
    groups.set(key, group);
  };
  for (const trade of trades.toReversed()) {
    if (!isUsable(trade)) continue;
    const { ticker, side } = trade;
    add(toTickerKey(ticker, side), trade);
    add(toKindKey({ ticker, currency: trade.currency, isin: trade.isin, type: getType(ticker) }, side), trade);
  }
  return (instrument, side) => {
    const fills = groups.get(toTickerKey(instrument.ticker, side)) ?? groups.get(toKindKey(instrument, side));
    return fills && computeRates(fills);
  };
}

const toTickerKey = (ticker: string, side: string) => JSON.stringify([side, ticker]);
const toKindKey = ({ currency, isin, type }: ChargedInstrument, side: string) =>
  JSON.stringify([side, currency, isin?.slice(0, 2), type]);

/** Charges in another currency than the value give no rate. */
const isUsable = ({ type, netValue, valueCurrency, charges }: Trade): boolean =>
  type === 'TRADE' &&
  netValue?.gt(0) === true &&
  charges.every(({ currency }) => currency === undefined || valueCurrency === undefined || currency === valueCurrency);

function computeRates(fills: readonly Trade[]): ChargeRate[] {
  const byKind = new Map<string, Big>();
  let value = new Big(0);
  for (const { side, netValue = new Big(0), charges } of fills) {
    const charged = charges.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
    value = value.plus(side === 'BUY' ? netValue.minus(charged) : netValue.plus(charged));
    for (const { name, amount } of charges) byKind.set(name, amount.plus(byKind.get(name) ?? 0));
  }
  if (!value.gt(0)) return [];
  return [...byKind]
    .filter(([, amount]) => amount.gt(0))
    .map(([kind, amount]) => ({ kind, rate: quotient(amount, value), fills: fills.length }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
