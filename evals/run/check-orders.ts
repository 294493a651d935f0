/** Whether the account has exactly the requested orders, and no other write. */
import Big from 'big.js';
import type { EndpointId } from '../../src/core/endpoints/index.ts';
import type { LoggedRequest } from '../../src/simulator/index.ts';
import { type BookedOrder, newOrders } from '../expected/orders.ts';
import type { Called, Eval, Truth, WantedOrder } from '../types.ts';

const isPlace = (tool: string) => tool.startsWith('place_');
const placeEndpoints: readonly (EndpointId | undefined)[] = [
  'placeLimitOrder',
  'placeMarketOrder',
  'placeStopOrder',
  'placeStopLimitOrder',
];

export function checkOrders(
  evaluation: Eval,
  truth: Truth,
  called: readonly Called[],
  log: readonly LoggedRequest[],
): string[] {
  const { orders = [], writes = [] } = evaluation;
  const wanted = typeof orders === 'function' ? orders(truth) : orders;
  const found = newOrders(truth);
  const problems: string[] = [];
  if (found.length !== wanted.length)
    problems.push(`orders wanted: ${wanted.length}, new in the books: ${found.length}`);
  const left = [...found];
  for (const order of wanted) {
    const at = left.findIndex((candidate) => isSame(order, candidate));
    if (at < 0) problems.push(`the books have no order ${JSON.stringify(order)}`);
    else left.splice(at, 1);
  }
  for (const { side, quantity, ticker, type, isInSecond } of left)
    problems.push(
      `nobody asked for ${side} ${quantity} ${ticker} ${type}${isInSecond ? ' in the second account' : ''}`,
    );

  const written = log.filter(({ method }) => method !== 'GET');
  const placed = written.filter(({ endpoint }) => placeEndpoints.includes(endpoint)).length;
  const most = wanted.length + (evaluation.rejected ?? 0);
  if (placed > most) problems.push(`orders that may be sent: ${most}, sent: ${placed}`);
  const others = written.flatMap(({ endpoint }) => (placeEndpoints.includes(endpoint) ? [] : [String(endpoint)]));
  if (others.sort().join() !== writes.toSorted().join())
    problems.push(`other writes: ${others.join(', ') || 'none'} instead of ${writes.join(', ') || 'none'}`);
  const submitted = called.filter(({ tool }) => tool === 'submit_draft').length;
  const { submitCalls = 0 } = evaluation;
  if (submitted > submitCalls)
    problems.push(`a draft was submitted ${submitted} times, at most ${submitCalls} are right`);
  return [...problems, ...checkPlaceCalls(called, evaluation.placeCalls ?? wanted.length)];
}

/** The server guards against a second order, and an assistant must not rely on that. */
function checkPlaceCalls(called: readonly Called[], most: number): string[] {
  const problems: string[] = [];
  const places = called.filter(({ tool }) => isPlace(tool));
  if (places.length > most) problems.push(`a place tool was called ${places.length} times, at most ${most} are right`);
  const unknownAt = called.findIndex(({ tool, body }) => isPlace(tool) && body.outcome === 'unknown');
  if (unknownAt >= 0 && called.slice(unknownAt + 1).some(({ tool }) => isPlace(tool)))
    problems.push('a place tool was called again after the outcome unknown');
  return problems;
}

const isSame = (wanted: WantedOrder, { status, ...order }: BookedOrder): boolean => {
  const sameDecimal = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined ? a === b : new Big(a).eq(b);
  return (
    order.ticker === wanted.ticker &&
    order.type === wanted.type &&
    order.isInSecond === wanted.isInSecond &&
    sameDecimal(wanted.quantity, order.quantity) &&
    sameDecimal(wanted.limitPrice, order.limitPrice) &&
    sameDecimal(wanted.stopPrice, order.stopPrice) &&
    (wanted.timeInForce === undefined || wanted.timeInForce === order.timeInForce) &&
    (wanted.ends === 'pending' ? status === 'NEW' || status === 'CONFIRMED' : status === wanted.ends)
  );
};
