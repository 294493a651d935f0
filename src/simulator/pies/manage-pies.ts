import Big from 'big.js';
import type * as z from 'zod';
import { endpoints } from '../../core/endpoints/index.ts';
import type { WireNumber } from '../../core/endpoints/shapes.ts';
import { roundToPence } from '../account/ledger.ts';
import type { PieRecord } from '../account/records.ts';
import type { Account } from '../account/simulated-account.ts';
import { ApiError, invalid, notFound, unknownTicker } from '../api-error.ts';
import type { Request, State } from '../handlers/handler-state.ts';
import { marketValue, optionalBig } from '../handlers/portfolio-bodies.ts';
import { readBody } from '../http/read-body.ts';

/** How much the sum of a pie's weights may differ from 1. */
const tolerance = '0.001';

export function getPie({ account, id }: { account: Account; id: number }): PieRecord {
  const pie = account.pies.get(id);
  if (!pie) throw notFound(`pie ${id}`);
  return pie;
}

/** The fields of an update, all optional; a new pie has some of them. */
type PieFields = z.output<(typeof endpoints)['updatePie']['body']>;

function readShares({ world }: Request, wanted: Readonly<Record<string, WireNumber>>): PieRecord['shares'] {
  const shares: PieRecord['shares'] = {};
  let total = new Big(0);
  for (const [ticker, share] of Object.entries(wanted)) {
    if (!world.find(ticker)) throw unknownTicker(ticker);
    const weight = new Big(share.text);
    if (weight.lte(0)) throw invalid(`the share of ${ticker} must be greater than 0`);
    shares[ticker] = weight.toFixed();
    total = total.plus(weight);
  }
  if (total.minus(1).abs().gt(tolerance)) throw invalid(`the shares add up to ${total.toFixed()} instead of 1`);
  return shares;
}

/** Returns the given fields of a pie's record, checked. */
function checkPie(request: Request, body: PieFields) {
  const { name, icon, goal, endDate, dividendCashAction, instrumentShares } = body;
  if (name?.trim() === '') throw invalid('a pie needs a name');
  if (endDate !== undefined && Number.isNaN(Date.parse(endDate))) throw invalid('endDate is not a date-time');
  if (goal !== undefined && new Big(goal.text).lte(0)) throw invalid('goal must be greater than 0');
  return {
    ...(name !== undefined && { name }),
    ...(icon !== undefined && { icon }),
    ...(goal !== undefined && { goal: goal.text }),
    ...(endDate !== undefined && { endDate }),
    ...(dividendCashAction !== undefined && { dividendCashAction }),
    ...(instrumentShares !== undefined && { shares: readShares(request, instrumentShares) }),
  };
}

function addPie(account: Account, pie: Omit<PieRecord, 'id'>): PieRecord {
  const added = { ...pie, id: account.nextPieId };
  account.nextPieId += 17;
  account.pies.set(added.id, added);
  account.revision++;
  return added;
}

export function createPie(request: Request): PieRecord {
  const { name, instrumentShares, ...others } = readBody(endpoints.createPie, request.bodyText);
  const shares = readShares(request, instrumentShares);
  const wanted = checkPie(request, { name, ...others });
  // No service was seen to refuse this; the code is the simulator's own.
  if ([...request.account.pies.values()].some((pie) => pie.name === name))
    throw new ApiError(400, 'duplicate-name', `a pie named ${name} already exists`);
  return addPie(request.account, {
    dividendCashAction: 'TO_ACCOUNT_CASH',
    ...wanted,
    name,
    shares,
    createdAt: request.now,
    holdings: {},
    cash: '0',
  });
}

/** Updates the given fields; holdings stay, also those that the new shares do not include. */
export function updatePie(request: Request): PieRecord {
  const pie = getPie(request);
  Object.assign(pie, checkPie(request, readBody(endpoints.updatePie, request.bodyText)));
  request.account.revision++;
  return pie;
}

/** Returns the shares and the cash of the pie to the account. */
export function deletePie(request: Request): void {
  request.account.pies.delete(getPie(request).id);
  request.account.revision++;
}

/** Copies the shares to a pie with another name; holdings are not copied. */
export function duplicatePie(request: Request): PieRecord {
  const pie = getPie(request);
  const { name, icon } = readBody(endpoints.duplicatePie, request.bodyText);
  return addPie(request.account, {
    ...pie,
    name: name ?? `${pie.name} copy`,
    ...(icon !== undefined && { icon }),
    shares: { ...pie.shares },
    holdings: {},
    cash: '0',
    createdAt: request.now,
  });
}

interface Worth {
  readonly invested: Big;
  readonly value: Big;
}

/** Returns cost and value of the pie's part of a holding, account currency. */
function computeWorth(state: State, ticker: string, owned: string): Worth {
  const holding = state.account.ledger.holdings.get(ticker);
  if (!holding) return { invested: new Big(0), value: new Big(0) };
  const part = (amount: Big) => roundToPence(amount.times(owned).div(holding.quantity));
  return { invested: part(holding.totalCost), value: part(marketValue(state, holding)) };
}

const resultBody = ({ invested, value }: Worth) => ({
  priceAvgInvestedValue: invested,
  priceAvgResult: value.minus(invested),
  priceAvgResultCoef: invested.eq(0) ? new Big(0) : value.minus(invested).div(invested).round(4, 1),
  priceAvgValue: value,
});

function worths(state: State, pie: PieRecord) {
  const each = new Map<string, Worth>();
  let total: Worth = { invested: new Big(0), value: new Big(0) };
  for (const ticker of new Set([...Object.keys(pie.shares), ...Object.keys(pie.holdings)])) {
    const worth = computeWorth(state, ticker, pie.holdings[ticker] ?? '0');
    each.set(ticker, worth);
    total = { invested: total.invested.plus(worth.invested), value: total.value.plus(worth.value) };
  }
  return { each, total };
}

/** AccountBucketInstrumentsDetailedResponse: the response of the endpoints for one pie. spec: not shown. */
export function pieBody(state: State, pie: PieRecord) {
  const { each, total } = worths(state, pie);
  const nulls = state.quirks.pieNulls;
  return {
    settings: {
      id: BigInt(pie.id),
      name: pie.name,
      icon: nulls ? null : pie.icon,
      creationDate: new Date(pie.createdAt),
      endDate: nulls ? null : pie.endDate,
      goal: nulls ? null : optionalBig(pie.goal),
      initialInvestment: total.invested,
      dividendCashAction: pie.dividendCashAction,
      instrumentShares: nulls
        ? null
        : Object.fromEntries(Object.entries(pie.shares).map(([ticker, share]) => [ticker, new Big(share)])),
      publicUrl: undefined,
    },
    instruments: [...each].map(([ticker, worth]) => ({
      ticker,
      currentShare: total.value.eq(0) ? new Big(0) : worth.value.div(total.value).round(4, 1),
      expectedShare: new Big(pie.shares[ticker] ?? 0),
      ownedQuantity: new Big(pie.holdings[ticker] ?? 0),
      result: resultBody(worth),
      issues: state.world.get(ticker).trading === 'open' ? [] : [{ name: 'SUSPENDED', severity: 'REVERSIBLE' }],
    })),
  };
}

/** AccountBucketResultResponse: an entry of the list. spec: not shown. */
export function pieResultBody(state: State, pie: PieRecord) {
  const { total } = worths(state, pie);
  const nulls = state.quirks.pieNulls;
  const progress = pie.goal === undefined ? undefined : total.value.div(pie.goal).round(4, 1);
  return {
    id: BigInt(pie.id),
    cash: total.invested.plus(pie.cash),
    progress: nulls ? null : progress,
    status: nulls ? null : progress && (progress.gte('0.6') ? 'AHEAD' : progress.gte('0.3') ? 'ON_TRACK' : 'BEHIND'),
    result: resultBody(total),
    dividendDetails: { gained: new Big(0), inCash: new Big(0), reinvested: new Big(0) },
  };
}
