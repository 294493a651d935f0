/** What the shares of an exchange bring along from the holding that they replace. */
import type { Trade } from '../analytics/trades.ts';
import { listCurrencies, type TradeColumns } from './columnar-trades.ts';
import { type CarriedPart, type Exchange, isWithinHolding } from './exchanges.ts';
import { prorate, toUnits } from './fixed-point.ts';
import { buildHolding, type CarriedCosts, type HoldingContext, type Movement } from './holding-events.ts';
import type { Matching } from './lot-matching.ts';

/**
 * The cost of the new shares of each exchange, by the row that brought them. A holding is matched when the cost of all
 * that it received is known. Holdings that exchange shares in a circle have none, and their rows no cost.
 */
export function carryCosts(
  holdings: ReadonlyMap<string, TradeColumns>,
  getKey: (trade: Trade) => string,
  match: (movements: readonly Movement[]) => Matching,
  context: HoldingContext,
): CarriedCosts {
  const carried = new Map<Trade, readonly CarriedPart[]>();
  const open = new Set([...new Set(context.exchanges.values())].filter((one) => !isWithinHolding(one, getKey)));
  const keyOf = ([row]: readonly Trade[]) => (row ? getKey(row) : '');
  const currencies = new Map<string, Set<string>>();
  const currenciesOf = (key: string): Set<string> => {
    const rows = holdings.get(key);
    const known = currencies.get(key) ?? new Set(rows ? listCurrencies(rows) : []);
    currencies.set(key, known);
    return known;
  };
  while (open.size > 0) {
    const waiting = new Set([...open].map(({ came }) => keyOf(came)));
    const ready = [...open].filter(({ left }) => !waiting.has(keyOf(left)));
    if (ready.length === 0) break;
    const matchings = new Map<string, Matching>();
    for (const exchange of ready) {
      const [from, to] = [keyOf(exchange.left), keyOf(exchange.came)];
      const rows = holdings.get(from);
      const matching = matchings.get(from) ?? match(rows ? buildHolding(rows, { ...context, carried }).movements : []);
      matchings.set(from, matching);
      for (const currency of currenciesOf(from)) currenciesOf(to).add(currency);
      const parts = exchange.left.flatMap((row) => matching.carried.get(row) ?? []);
      // A cost in one currency is none in another.
      const known = currenciesOf(to).size > 1 ? parts.map((part) => ({ ...part, cost: undefined })) : parts;
      for (const [row, ofRow] of shareOut(known, exchange, context)) carried.set(row, ofRow);
      open.delete(exchange);
    }
  }
  return carried;
}

/** Each row that brought shares has its part of what left. */
function shareOut(
  parts: readonly CarriedPart[],
  { came }: Exchange,
  { scale }: HoldingContext,
): [Trade, readonly CarriedPart[]][] {
  const sizes = came.map(({ quantity }) => toUnits(quantity, scale.quantity));
  let rest = sizes.reduce((sum, size) => sum + size, 0n);
  let open = parts;
  return came.map((row, index) => {
    const size = sizes[index] ?? 0n;
    const taken = open.map((part) => takePart(part, size, rest));
    open = open.map((part, place) => withoutPart(part, taken[place] as CarriedPart));
    rest -= size;
    return [row, taken];
  });
}

const takePart = (part: CarriedPart, size: bigint, whole: bigint): CarriedPart => ({
  ...part,
  units: prorate(part.units, size, whole),
  cost: part.cost === undefined ? undefined : prorate(part.cost, size, whole),
});

const withoutPart = (part: CarriedPart, taken: CarriedPart): CarriedPart => ({
  ...part,
  units: part.units - taken.units,
  cost: part.cost === undefined ? undefined : part.cost - (taken.cost ?? 0n),
});
