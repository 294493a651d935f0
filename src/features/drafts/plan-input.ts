/** Translates the account, its history and the instruments to what the planner takes. Pure. */
import Big from 'big.js';
import { countDecimals } from '../../core/endpoints/decimal.ts';
import type { Order, Position, TradableInstrument } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { lastKnownPrice, pendingOnTicker, type RecentFill } from '../../core/orders/account/account-snapshot.ts';
import { rateToAccount } from '../../core/orders/account/estimate.ts';
import type { TradableAccount } from '../../core/orders/tradable-account.ts';
import type { PlanAsset, PlanLot } from '../planner/plan-types.ts';
import type { OwnHistory } from './cost-history.ts';

export interface DraftFacts {
  readonly account: TradableAccount;
  /** Other accounts that count in the weights; their positions show prices and rates too. */
  readonly others?: readonly TradableAccount[] | undefined;
  readonly history: OwnHistory;
  readonly fills: readonly RecentFill[];
  /** By ticker, in the instrument's currency; used only where no price is known. */
  readonly assumedPrices: ReadonlyMap<string, string>;
  /** The lots of what can be sold, in the order in which a sale takes them; undefined when a cost is unknown. */
  readonly getLots?: ((ticker: string, sellable: Big) => readonly PlanLot[] | undefined) | undefined;
}

/** More decimals than an order may have; a position can have more, and is sold entirely then. */
const maxQuantityDecimals = 10;

/** A price is read as a number, which has no trailing zeros: 19 can be 19.00. */
const minPriceDecimals = 2;

/** One instrument as the planner sees it. */
export function toPlanAsset(
  instrument: TradableInstrument & { readonly ticker: string },
  facts: DraftFacts,
): PlanAsset {
  const { ticker } = instrument;
  const { account, others = [], history, fills, assumedPrices, getLots } = facts;
  const { summary } = account.snapshot;
  const positions = [account, ...others].flatMap(({ snapshot }) => snapshot.positions);
  const shares = account.getShares(ticker);
  const known = lastKnownPrice(ticker, { positions, fills });
  const price = known ?? assumedPrices.get(ticker);
  const position = positions.find((candidate) => getTicker(candidate) === ticker);
  const { rate } = rateToAccount({ summary, instrument, positions, fills });
  const countHeld = ({ snapshot, getShares }: TradableAccount): Big =>
    getShares(ticker).afterPending.plus(countValueOrders(pendingOnTicker(ticker, snapshot), price, rate));
  const { type, isin, currencyCode: currency } = instrument;
  const estimate = (side: 'BUY' | 'SELL') =>
    history
      .estimateCharges({ ticker, type, isin, currency }, side)
      ?.map((charge) => ({ ...charge, rate: charge.rate.toFixed() }));
  return {
    ticker,
    held: countHeld(account).toFixed(),
    ...(others.length > 0 && { elsewhere: sumShares(others.map(countHeld)) }),
    sellable: shares.sellable.toFixed(),
    price,
    priceFrom: nameSource(price, known, position),
    priceDecimals: Math.max(minPriceDecimals, countDecimals(price ?? ''), history.getPriceDecimals(ticker) ?? 0),
    rate: rate?.toFixed(),
    quantityDecimals: Math.min(history.getTradedDecimals(ticker) ?? 0, maxQuantityDecimals),
    charges: { BUY: estimate('BUY'), SELL: estimate('SELL') },
    lots: getLots?.(ticker, shares.sellable),
  };
}

const sumShares = (shares: readonly Big[]): string => shares.reduce((sum, one) => sum.plus(one), new Big(0)).toFixed();

function nameSource(price: string | undefined, known: string | undefined, position: Position | undefined) {
  if (price === undefined) return undefined;
  if (known === undefined) return 'assumed';
  return position?.currentPrice === undefined ? 'fill' : 'position';
}

/** Shares that pending orders of a value will buy (sales below zero), at the known price. */
function countValueOrders(pending: readonly Order[], price: string | undefined, rate: Big | undefined): Big {
  if (price === undefined || !rate?.gt(0) || !new Big(price).gt(0)) return new Big(0);
  const perShare = rate.times(price);
  return pending
    .filter(({ quantity, value }) => quantity === undefined && value !== undefined)
    .reduce((sum, { side, value, filledValue }) => {
      const open = new Big(value ?? 0).abs().minus(new Big(filledValue ?? 0).abs());
      const count = open.div(perShare);
      return side === 'SELL' ? sum.minus(count) : sum.plus(count);
    }, new Big(0));
}
