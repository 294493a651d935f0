/** First in, first out, and average cost, by share class. */
import { type ArrivalEvent, type ClassEvent, isArrival, isSale } from './class-events.ts';
import { add, divide, type Fraction, isPositive, multiply, smaller, subtract, zero } from './fraction.ts';
import { type Beyond, type Disposal, OpenDisposal, type Outcome, type Unknown } from './outcome.ts';
import { Pool } from './reference-pool.ts';
import type { GivenPart } from './share-exchanges.ts';

interface Lot {
  readonly arrival: ArrivalEvent;
  rest: Fraction;
  /** Of the rest; undefined if unknown. */
  cost: Fraction | undefined;
}

/** The shares that were acquired first are sold first, of those that are in the account. */
export function applyFifo(events: readonly ClassEvent[]): Outcome {
  let lots: Lot[] = [];
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  const beyond: Beyond[] = [];
  const given = new Map<bigint, GivenPart[]>();
  const take = (wanted: Fraction, use: (units: Fraction, cost: Fraction | undefined, acquiredAt: number) => void) => {
    let rest = wanted;
    for (const lot of lots) {
      const units = smaller(rest, lot.rest);
      if (!isPositive(units)) continue;
      const cost = lot.cost && multiply(lot.cost, divide(units, lot.rest));
      lot.rest = subtract(lot.rest, units);
      lot.cost = lot.cost && cost && subtract(lot.cost, cost);
      rest = subtract(rest, units);
      use(units, cost, lot.arrival.acquiredAt);
    }
    lots = lots.filter((lot) => isPositive(lot.rest));
    return rest;
  };
  for (const event of events)
    if (isArrival(event)) {
      lots.push({ arrival: event, rest: event.quantity, cost: event.cost });
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
    } else if (event.kind === 'return') beyond.push({ ...event, amount: payBack(lots, event.amount) });
    else {
      const parts: GivenPart[] = [];
      const rest = take(event.quantity, (units, cost, acquiredAt) => parts.push({ units, cost, acquiredAt }));
      if (isPositive(rest)) parts.push({ units: rest, cost: undefined, acquiredAt: undefined });
      if (event.exchangeId !== undefined) given.set(event.exchangeId, parts);
    }
  return { given, beyond, disposals, unknown, left: sumUp(lots) };
}

/** Each share has the same part. Returns what the lots with a known cost cannot give. */
function payBack(lots: readonly Lot[], amount: Fraction): Fraction {
  if (lots.length === 0) return amount;
  const perShare = divide(
    amount,
    lots.reduce((sum, { rest }) => add(sum, rest), zero),
  );
  let beyond = zero;
  for (const lot of lots) {
    if (!lot.cost) continue;
    const part = multiply(perShare, lot.rest);
    const taken = smaller(part, lot.cost);
    lot.cost = subtract(lot.cost, taken);
    beyond = add(beyond, subtract(part, taken));
  }
  return beyond;
}

const sumUp = (lots: readonly Lot[]): Outcome['left'] => ({
  units: lots.reduce((sum, { rest }) => add(sum, rest), zero),
  cost: lots.some(({ cost }) => !cost) ? undefined : lots.reduce((sum, { cost }) => add(sum, cost ?? zero), zero),
});

/** All shares of a class have the same cost. */
export function applyAverage(events: readonly ClassEvent[]): Outcome {
  const pool = new Pool();
  const disposals: Disposal[] = [];
  const unknown: Unknown[] = [];
  const beyond: Beyond[] = [];
  const given = new Map<bigint, GivenPart[]>();
  for (const event of events)
    if (isArrival(event)) pool.put(event.quantity, event.cost);
    else if (isSale(event)) {
      const disposal = new OpenDisposal([event]);
      pool.serve(disposal, 'average');
      const closed = disposal.close();
      disposals.push(...closed.disposals);
      unknown.push(...closed.unknown);
    } else if (event.kind === 'return') beyond.push({ ...event, amount: pool.payBack(event.amount) });
    else {
      const parts = pool.give(event.quantity);
      if (event.exchangeId !== undefined) given.set(event.exchangeId, parts);
    }
  return { given, beyond, disposals, unknown, left: { units: pool.units, cost: pool.cost } };
}
