/** Determines how much of an order would pass, when it was refused for its size. Pure. */
import Big from 'big.js';
import { sharesLeft } from '../account/exposure.ts';
import { firstRefusal, type RiskQuestion } from './risk-rules.ts';

/**
 * The largest quantity that the rules allow, exact: all free shares for a sale, otherwise an integer number of
 * shares. Undefined when not even one share passes, because then the size is not the problem.
 */
export function maxAllowedQuantity(question: RiskQuestion): string | undefined {
  const { order, limits } = question;
  const passes = (quantity: string) => firstRefusal({ ...question, order: { ...order, quantity } }) === undefined;
  if (order.side === 'SELL') {
    const free = sharesLeft(order.ticker, question);
    if (free.gt(0) && free.lt(order.quantity) && passes(free.toFixed())) return free.toFixed();
  }
  // Usually something other than the size is wrong, and this one check shows it.
  if (!passes('1')) return undefined;
  let least = 1;
  let most = Math.floor(Math.min(Number(order.quantity), Number(limits.maxOrderQuantity), Number.MAX_SAFE_INTEGER));
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (passes(new Big(middle).toFixed())) least = middle;
    else most = middle - 1;
  }
  return String(least);
}
