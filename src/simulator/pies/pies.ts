import Big from 'big.js';
import { endpoints } from '../../catalogue/index.ts';
import type { WireNumber } from '../../catalogue/wire-number.ts';
import type { Account } from '../account/account.ts';
import type { PieRecord } from '../account/records.ts';
import { ApiError, invalid, notFound } from '../api-error.ts';
import type { Request } from '../handlers/handler-state.ts';
import { readBody } from '../http/read-body.ts';

/** How much the sum of a pie's weights may differ from 1. */
const tolerance = '0.001';

export function getPie({ account, id }: { account: Account; id: number }): PieRecord {
  const pie = account.pies.get(id);
  if (!pie) throw notFound(`pie ${id}`);
  return pie;
}

function readPie(request: Request, id: 'createPie' | 'updatePie') {
  const body = readBody(endpoints[id], request.bodyText);
  const shares: Record<string, string> = {};
  let total = new Big(0);
  for (const [ticker, share] of Object.entries(body.instrumentShares)) {
    if (!request.world.find(ticker)) throw notFound(`ticker ${ticker}`);
    const weight = new Big((share as WireNumber).text);
    if (weight.lte(0)) throw invalid(`the share of ${ticker} must be greater than 0`);
    shares[ticker] = weight.toFixed();
    total = total.plus(weight);
  }
  if (total.minus(1).abs().gt(tolerance)) throw invalid(`the shares add up to ${total.toFixed()} instead of 1`);
  if (body.name.trim() === '') throw invalid('a pie needs a name');
  if (body.endDate !== undefined && Number.isNaN(Date.parse(body.endDate))) throw invalid('endDate is not a date-time');
  if (body.goal !== undefined && new Big(body.goal.text).lte(0)) throw invalid('goal must be greater than 0');
  return {
    name: body.name,
    ...(body.icon !== undefined && { icon: body.icon }),
    ...(body.goal !== undefined && { goal: body.goal.text }),
    ...(body.endDate !== undefined && { endDate: body.endDate }),
    ...(body.dividendCashAction !== undefined && { dividendCashAction: body.dividendCashAction }),
    shares,
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
  const wanted = readPie(request, 'createPie');
  if ([...request.account.pies.values()].some(({ name }) => name === wanted.name))
    throw new ApiError(400, 'duplicate-name', `a pie named ${wanted.name} already exists`);
  return addPie(request.account, {
    dividendCashAction: 'TO_ACCOUNT_CASH',
    ...wanted,
    createdAt: request.now,
    holdings: {},
    cash: '0',
  });
}

/** Updates the given fields; holdings stay, also those that the new shares do not include. */
export function updatePie(request: Request): PieRecord {
  const pie = getPie(request);
  Object.assign(pie, readPie(request, 'updatePie'));
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
