/**
 * Paths of an earlier description of the interface. Observed: services still supported them in August 2026, and clients
 * use them. Limits are those of that description; whether today's services count them with the successors is not known.
 */
import * as z from 'zod';
import type { EndpointId } from '../../core/endpoints/index.ts';
import { notFound } from '../api-error.ts';
import { readBody } from '../http/read-body.ts';
import type { Request, State } from './handler-state.ts';
import { positionBodies, summaryBody } from './portfolio-bodies.ts';

export interface OlderPath {
  readonly method: 'GET' | 'POST';
  /** Without the prefix `/api/v0`. */
  readonly pattern: RegExp;
  /** The endpoint that replaced it. */
  readonly id: EndpointId;
  /** Builds its own body; undefined means the successor's. `parameter` is what the pattern captures. */
  readonly body?: (request: Request, parameter: string) => unknown;
  /** Seconds in which it allows one request; undefined means that it counts to the limit of its successor. */
  readonly secondsPerRequest?: number;
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

const searchBody = { body: z.strictObject({ ticker: z.string() }) };

function searchHolding(request: Request) {
  return holdingBody(request, readBody(searchBody, request.bodyText).ticker);
}

const summaryPath = (name: string, body: OlderPath['body'], secondsPerRequest: number): OlderPath => ({
  method: 'GET',
  pattern: new RegExp(`^/equity/account/${name}$`),
  id: 'getAccountSummary',
  ...(body && { body }),
  secondsPerRequest,
});

const positions = { id: 'listPositions' } as const;

export const olderPaths: readonly OlderPath[] = [
  summaryPath('cash', cashBody, 2),
  summaryPath('info', accountBody, 30),
  { ...positions, method: 'GET', pattern: /^\/equity\/portfolio$/, body: holdingBodies, secondsPerRequest: 5 },
  { ...positions, method: 'GET', pattern: /^\/equity\/portfolio\/(.+)$/, body: holdingBody, secondsPerRequest: 1 },
  {
    ...positions,
    method: 'POST',
    pattern: /^\/equity\/portfolio\/ticker$/,
    body: searchHolding,
    secondsPerRequest: 1,
  },
  { method: 'GET', pattern: /^\/history\/orders$/, id: 'listHistoricalOrders' },
  { method: 'GET', pattern: /^\/history\/dividends$/, id: 'listDividends' },
  { method: 'GET', pattern: /^\/history\/transactions$/, id: 'listTransactions' },
  { method: 'GET', pattern: /^\/history\/exports$/, id: 'listReports' },
  { method: 'POST', pattern: /^\/history\/exports$/, id: 'requestReport' },
];
