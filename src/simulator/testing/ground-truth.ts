/** The true state of the account, independent of responses: tests and analytics compare with it. */

import type { DividendRecord, FillRecord, OrderRecord, PieRecord, TransactionRecord } from '../account/records.ts';
import { pieCash, reservedCash, sharesInPies } from '../account/simulated-account.ts';
import type { State } from '../handlers/handler-state.ts';
import { marketValue } from '../handlers/portfolio-bodies.ts';

/** Decimals are exact strings, ids are strings, times are milliseconds since the epoch. */
export interface GroundTruth {
  readonly accountId: string;
  readonly startedAt: number;
  readonly currency: string;
  /** `total` is `available` plus `reserved` plus `inPies`. */
  readonly cash: { total: string; available: string; reserved: string; inPies: string };
  readonly realisedProfitLoss: string;
  readonly positions: {
    ticker: string;
    openedAt: number;
    quantity: string;
    quantityInPies: string;
    totalCost: string;
    averagePricePaid: string;
    currentValue: string;
  }[];
  readonly pendingOrders: BookedOrder[];
  /** Oldest first. */
  readonly history: { order: BookedOrder; fill?: BookedFill; at: number }[];
  readonly dividends: DividendRecord[];
  readonly transactions: TransactionRecord[];
  readonly pies: (Omit<PieRecord, 'id'> & { id: string })[];
  readonly reports: { id: string; requestedAt: number; timeFrom: number; timeTo: number }[];
}

type BookedOrder = Omit<OrderRecord, 'id'> & { id: string };
type BookedFill = Omit<FillRecord, 'id'> & { id: string };

const named = <Row extends { id: number }>(row: Row): Omit<Row, 'id'> & { id: string } => ({
  ...row,
  id: String(row.id),
});

/** Returns a copy that later orders do not change: rows of the books that are never changed are shared with it. */
export function readGroundTruth(state: State): GroundTruth {
  const { account } = state;
  const { ledger } = account;
  const reserved = reservedCash(account);
  const inPies = pieCash(account);
  return {
    accountId: String(account.id),
    startedAt: account.startedAt,
    currency: state.world.currency,
    cash: {
      total: ledger.cash.toFixed(),
      available: ledger.cash.minus(reserved).minus(inPies).toFixed(),
      reserved: reserved.toFixed(),
      inPies: inPies.toFixed(),
    },
    realisedProfitLoss: ledger.realised.toFixed(),
    positions: [...ledger.holdings.values()].map((holding) => ({
      ticker: holding.ticker,
      openedAt: holding.openedAt,
      quantity: holding.quantity.toFixed(),
      quantityInPies: sharesInPies(account, holding.ticker).toFixed(),
      totalCost: holding.totalCost.toFixed(),
      averagePricePaid: holding.paid.div(holding.quantity).round(8, 1).toFixed(),
      currentValue: marketValue(state, holding).toFixed(),
    })),
    pendingOrders: [...account.pending.values()].map(named),
    history: account.history.map(({ order, fill, at }) => ({
      order: named(order),
      ...(fill && { fill: named(fill) }),
      at,
    })),
    dividends: [...account.dividends],
    transactions: [...account.transactions],
    pies: [...account.pies.values()].map((pie) => structuredClone(named(pie))),
    reports: account.reports.map(({ id, requestedAt, timeFrom, timeTo }) => ({
      id: String(id),
      requestedAt,
      timeFrom,
      timeTo,
    })),
  };
}
