/**
 * Paths of an earlier description of the interface. Observed: services still supported them in August 2026, and clients
 * use them. Their limits are not known, so each counts to the limit of its successor.
 */
import type { EndpointId } from '../../catalogue/index.ts';
import { notFound } from '../api-error.ts';
import type { State } from './handler-state.ts';
import { positionBodies, summaryBody } from './portfolio.ts';

export interface OlderPath {
  readonly method: 'GET' | 'POST';
  /** Without the prefix `/api/v0`. */
  readonly pattern: RegExp;
  /** The endpoint that replaced it. */
  readonly id: EndpointId;
  /** Builds its own body; undefined means the successor's. `parameter` is what the pattern captures. */
  readonly body?: (state: State, parameter: string) => unknown;
}

function cashBody(state: State) {
  const { totalValue, cash, investments } = summaryBody(state);
  return {
    blocked: cash.reservedForOrders,
    free: cash.availableToTrade,
    invested: investments.totalCost,
    pieCash: cash.inPies,
    ppl: investments.unrealizedProfitLoss,
    result: investments.realizedProfitLoss,
    total: totalValue,
  };
}

function accountBody(state: State) {
  const { id, currency } = summaryBody(state);
  return { currencyCode: currency, id };
}

const holdingBodies = (state: State) =>
  positionBodies(state, undefined).map((position) => ({
    averagePrice: position.averagePricePaid,
    currentPrice: position.currentPrice,
    frontend: 'API',
    fxPpl: position.walletImpact.fxImpact,
    initialFillDate: position.createdAt,
    maxBuy: position.quantity.times(-1).plus(state.world.get(position.instrument.ticker).maxOpenQuantity),
    maxSell: position.quantityAvailableForTrading,
    pieQuantity: position.quantityInPies,
    ppl: position.walletImpact.unrealizedProfitLoss,
    quantity: position.quantity,
    ticker: position.instrument.ticker,
  }));

function holdingBody(state: State, wanted: string) {
  const holding = holdingBodies(state).find(({ ticker }) => ticker === wanted);
  if (!holding) throw notFound(`A position in '${wanted}'`);
  return holding;
}

export const olderPaths: readonly OlderPath[] = [
  { method: 'GET', pattern: /^\/equity\/account\/cash$/, id: 'getAccountSummary', body: cashBody },
  { method: 'GET', pattern: /^\/equity\/account\/info$/, id: 'getAccountSummary', body: accountBody },
  { method: 'GET', pattern: /^\/equity\/portfolio$/, id: 'listPositions', body: holdingBodies },
  { method: 'GET', pattern: /^\/equity\/portfolio\/(.+)$/, id: 'listPositions', body: holdingBody },
  { method: 'GET', pattern: /^\/history\/orders$/, id: 'listHistoricalOrders' },
  { method: 'GET', pattern: /^\/history\/dividends$/, id: 'listDividends' },
  { method: 'GET', pattern: /^\/history\/transactions$/, id: 'listTransactions' },
  { method: 'GET', pattern: /^\/history\/exports$/, id: 'listReports' },
  { method: 'POST', pattern: /^\/history\/exports$/, id: 'requestReport' },
];
