/** First in, first out by share class, and the average cost of a listing. */
import { type ArrivalEvent, type ClassEvent, isArrival, isSale } from './class-events.ts';
import { add, divide, type Fraction, isPositive, multiply, smaller, subtract, zero } from './fraction.ts';
import { type Disposal, OpenDisposal, type Outcome, type Unknown } from './outcome.ts';
import { Pool } from './reference-pool.ts';

interface Lot {
  readonly arrival: ArrivalEvent;
  rest: Fraction;
}

/** The shares that were acquired first are sold first, of those that are in the account. */
export function applyFifo(events: readonly ClassEvent[]): Outcome {
  let lots: Lot[] = [];
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  const take = (wanted: Fraction, use: (units: Fraction, cost: Fraction | undefined) => void) => {
    let rest = wanted;
    for (const lot of lots) {
      const units = smaller(rest, lot.rest);
      if (!isPositive(units)) continue;
      lot.rest = subtract(lot.rest, units);
      rest = subtract(rest, units);
      use(units, costOfPart(lot.arrival, units));
    }
    lots = lots.filter((lot) => isPositive(lot.rest));
  };
  for (const event of events)
    if (isArrival(event)) {
      lots.push({ arrival: event, rest: event.quantity });
      lots.sort((a, b) => a.arrival.acquiredAt - b.arrival.acquiredAt || a.arrival.index - b.arrival.index);
    } else if (isSale(event)) {
      const disposal = new OpenDisposal([event]);
      take(event.quantity, (units, cost) =>
        cost ? disposal.match({ rule: 'fifo', units, cost }) : disposal.miss('original_cost_unknown', units),
      );
      disposal.miss('not_held', disposal.rest);
      const closed = disposal.close();
      disposals.push(...closed.disposals);
      unknown.push(...closed.unknown);
    } else take(event.quantity, () => undefined);
  return { disposals, unknown, left: sumUp(lots) };
}

const costOfPart = ({ cost, quantity }: ArrivalEvent, units: Fraction): Fraction | undefined =>
  cost && multiply(cost, divide(units, quantity));

const sumUp = (lots: readonly Lot[]): Outcome['left'] => ({
  units: lots.reduce((sum, { rest }) => add(sum, rest), zero),
  cost: lots.some(({ arrival }) => !arrival.cost)
    ? undefined
    : lots.reduce((sum, { arrival, rest }) => add(sum, costOfPart(arrival, rest) ?? zero), zero),
});

/** `events` are those of one listing. */
export function applyAverage(events: readonly ClassEvent[]): Outcome {
  const pool = new Pool();
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  for (const event of events)
    if (isArrival(event)) pool.put(event.quantity, event.cost);
    else if (isSale(event)) {
      const disposal = new OpenDisposal([event]);
      pool.serve(disposal, 'average');
      const closed = disposal.close();
      disposals.push(...closed.disposals);
      unknown.push(...closed.unknown);
    } else pool.take(event.quantity);
  return { disposals, unknown, left: { units: pool.units, cost: pool.cost } };
}
