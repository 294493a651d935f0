/**
 * The share identification rules for UK capital gains tax, from TCGA 1992 ss 104 to 106A: purchases of the same day
 * (s105), then of the 30 days after, the earlier first (s106A), then the pool (s104).
 */
import { type ArrivalEvent, type ClassEvent, isSale, type SaleEvent } from './class-events.ts';
import { add, divide, type Fraction, isPositive, multiply, smaller, subtract, zero } from './fraction.ts';
import { groupRows } from './group-rows.ts';
import { type Beyond, type Disposal, OpenDisposal, type Outcome, type Unknown } from './outcome.ts';
import { Pool } from './reference-pool.ts';
import type { GivenPart } from './share-exchanges.ts';

const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short' });

/** Days since 1970 in London. */
export const findDay = (at: number): number => Date.parse(london.format(at)) / 86_400_000;

/** All purchases of a day are one (s105). */
interface Purchase {
  readonly units: Fraction;
  readonly cost: Fraction;
  rest: Fraction;
}

/** `income`: amounts that join the cost at the end of a day, by the day. */
export function applySection104(
  events: readonly ClassEvent[],
  income: ReadonlyMap<number, readonly Fraction[]>,
): Outcome {
  const sales = groupRows(events.filter(isSale), ({ at }) => findDay(at));
  const purchases = new Map<number, Purchase>(
    [...groupRows(events.filter(isPurchase), ({ acquiredAt }) => findDay(acquiredAt))].map(([day, list]) => [
      day,
      sumUp(list),
    ]),
  );
  const open = new Map([...sales].map(([day, list]) => [day, new OpenDisposal(list)]));
  const saleDays = [...open.keys()].sort((a, b) => a - b);
  const match = (day: number, purchaseDay: number, rule: string) => {
    const [disposal, purchase] = [open.get(day), purchases.get(purchaseDay)];
    if (!disposal || !purchase) return;
    const units = smaller(disposal.rest, purchase.rest);
    if (!isPositive(units)) return;
    purchase.rest = subtract(purchase.rest, units);
    disposal.match({ rule, units, cost: multiply(purchase.cost, divide(units, purchase.units)) });
  };
  for (const day of saleDays) match(day, day, 'same_day');
  for (const day of saleDays) for (let later = 1; later <= 30; later++) match(day, day + later, 'thirty_day');
  return walkPool(events, purchases, open, sales, income);
}

function walkPool(
  events: readonly ClassEvent[],
  purchases: ReadonlyMap<number, Purchase>,
  open: ReadonlyMap<number, OpenDisposal>,
  sales: ReadonlyMap<number, readonly SaleEvent[]>,
  income: ReadonlyMap<number, readonly Fraction[]>,
): Outcome {
  const pool = new Pool();
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  const beyond: Beyond[] = [];
  const given = new Map<bigint, GivenPart[]>();
  const others = groupRows(
    events.filter((event) => event.kind === 'addition' || event.kind === 'removal' || event.kind === 'return'),
    ({ at }) => findDay(at),
  );
  const days = new Set([...purchases.keys(), ...open.keys(), ...others.keys(), ...income.keys()]);
  for (const day of [...days].sort((a, b) => a - b)) {
    const purchase = purchases.get(day);
    if (purchase && isPositive(purchase.rest))
      pool.put(purchase.rest, multiply(purchase.cost, divide(purchase.rest, purchase.units)));
    const ofDay = others.get(day) ?? [];
    for (const event of ofDay) if (event.kind === 'addition') pool.put(event.quantity, event.cost);
    const returns = ofDay.filter((event) => event.kind === 'return');
    const disposal = open.get(day);
    if (disposal) {
      const served = serveInOrder(pool, disposal, [...(sales.get(day) ?? []), ...returns]);
      beyond.push(...served.beyond);
      const closed = disposal.close(served.poolAfter);
      disposals.push(...closed.disposals);
      unknown.push(...closed.unknown);
    } else for (const event of returns) beyond.push({ ...event, amount: pool.payBack(event.amount) });
    for (const event of ofDay) {
      if (event.kind !== 'removal') continue;
      const parts = pool.give(event.quantity);
      if (event.exchangeId !== undefined) given.set(event.exchangeId, parts);
    }
    for (const amount of income.get(day) ?? []) pool.put(zero, amount);
  }
  return { given, beyond, disposals, unknown, left: { units: pool.units, cost: pool.cost } };
}

/**
 * The sales of a day are one disposal (s105), so each has the same part from the pool. Capital that was returned before
 * a sale lowers what the pool gives it (s122). Capital after it lowers the cost of the shares that are left and, where
 * they have none left, the cost of those sold on that day, because the pool of that morning had it.
 */
function serveInOrder(pool: Pool, disposal: OpenDisposal, steps: readonly ClassEvent[]) {
  const fromPool = smaller(disposal.rest, pool.units);
  const sold = steps.filter(isSale).reduce((sum, { quantity }) => add(sum, quantity), zero);
  const isKnown = pool.cost !== undefined;
  let cost = zero;
  let poolAfter = { units: pool.units, cost: pool.cost };
  const beyond: Beyond[] = [];
  for (const step of [...steps].sort((a, b) => a.index - b.index))
    if (isSale(step)) {
      cost = add(cost, pool.take(multiply(fromPool, divide(step.quantity, sold))).cost ?? zero);
      poolAfter = { units: pool.units, cost: pool.cost };
    } else if (step.kind === 'return' && isKnown) {
      const rest = pool.payBack(step.amount);
      const fromSales = smaller(rest, cost);
      cost = subtract(cost, fromSales);
      beyond.push({ ...step, amount: subtract(rest, fromSales) });
    }
  if (isKnown) disposal.match({ rule: 'section_104', units: fromPool, cost });
  else disposal.miss('original_cost_unknown', fromPool);
  disposal.miss('not_held', disposal.rest);
  return { beyond, poolAfter };
}

const isPurchase = (event: ClassEvent): event is ArrivalEvent => event.kind === 'purchase';

const sumUp = (list: readonly ArrivalEvent[]): Purchase => {
  const units = list.reduce((sum, { quantity }) => add(sum, quantity), zero);
  return { units, cost: list.reduce((sum, { cost }) => add(sum, cost ?? zero), zero), rest: units };
};
