import Big from 'big.js';
import { roundToPence } from '../account/money.ts';
import type { PieRecord } from '../account/records.ts';
import type { State } from '../handlers/handler-state.ts';
import { optionalBig } from '../handlers/orders.ts';
import { marketValue } from '../handlers/portfolio.ts';

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
