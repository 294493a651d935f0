/**
 * The share identification rules for UK capital gains tax, from TCGA 1992 ss 104 to 106A: purchases of the same day
 * (s105), then of the 30 days after, the earlier first (s106A), then the pool (s104).
 */
import { type ArrivalEvent, type ClassEvent, isSale } from './class-events.ts';
import { add, divide, type Fraction, isPositive, multiply, smaller, subtract, zero } from './fraction.ts';
import { groupRows } from './group-rows.ts';
import { type Beyond, type Disposal, OpenDisposal, type Outcome, type Unknown } from './outcome.ts';
import { Pool } from './reference-pool.ts';

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
  return walkPool(events, purchases, open, income);
}

function walkPool(
  events: readonly ClassEvent[],
  purchases: ReadonlyMap<number, Purchase>,
  open: ReadonlyMap<number, OpenDisposal>,
  income: ReadonlyMap<number, readonly Fraction[]>,
): Outcome {
  const pool = new Pool();
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  const beyond: Beyond[] = [];
  const others = groupRows(
    events.filter((event) => event.kind === 'addition' || event.kind === 'removal' || event.kind === 'return'),
    ({ at }) => findDay(at),
  );
  const days = new Set([...purchases.keys(), ...open.keys(), ...others.keys(), ...income.keys()]);
  for (const day of [...days].sort((a, b) => a - b)) {
    const purchase = purchases.get(day);
    if (purchase && isPositive(purchase.rest))
      pool.put(purchase.rest, multiply(purchase.cost, divide(purchase.rest, purchase.units)));
    for (const event of others.get(day) ?? [])
      if (event.kind === 'addition') pool.put(event.quantity, event.cost);
      else if (event.kind === 'removal') pool.take(event.quantity);
      else if (event.kind === 'return') beyond.push({ ...event, amount: pool.payBack(event.amount) });
    const disposal = open.get(day);
    if (disposal) {
      pool.serve(disposal, 'section_104');
      const closed = disposal.close({ units: pool.units, cost: pool.cost });
      disposals.push(...closed.disposals);
      unknown.push(...closed.unknown);
    }
    for (const amount of income.get(day) ?? []) pool.put(zero, amount);
  }
  return { beyond, disposals, unknown, left: { units: pool.units, cost: pool.cost } };
}

const isPurchase = (event: ClassEvent): event is ArrivalEvent => event.kind === 'purchase';

const sumUp = (list: readonly ArrivalEvent[]): Purchase => {
  const units = list.reduce((sum, { quantity }) => add(sum, quantity), zero);
  return { units, cost: list.reduce((sum, { cost }) => add(sum, cost ?? zero), zero), rest: units };
};
