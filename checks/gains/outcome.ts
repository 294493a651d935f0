/** What the reference finds for one holding. */
import type { SaleEvent } from './class-events.ts';
import { add, divide, type Fraction, isPositive, multiply, subtract, zero } from './fraction.ts';
import type { GivenPart } from './share-exchanges.ts';

/** A part of a disposal that one rule gives a cost. */
export interface Part {
  readonly rule: string;
  /** In units of the last day. */
  readonly units: Fraction;
  readonly cost: Fraction;
}

export interface Disposal {
  /** The last sale of the disposal, in whose shares its figures are. */
  readonly sale: SaleEvent;
  readonly units: Fraction;
  /** Of the part with a known cost. */
  readonly proceeds: Fraction;
  readonly charges: Fraction;
  readonly cost: Fraction;
  readonly parts: readonly Part[];
  readonly poolAfter?: { readonly units: Fraction; readonly cost: Fraction | undefined };
}

/** A part of a sale without a known cost. */
export interface Unknown {
  readonly sale: SaleEvent;
  readonly reason: 'not_held' | 'original_cost_unknown';
  readonly units: Fraction;
  readonly proceeds: Fraction;
}

/** Returned capital that no cost is left for. */
export interface Beyond {
  readonly at: number;
  readonly ticker: string;
  readonly amount: Fraction;
}

export interface Outcome {
  /** What left in exchanges, by the id of the row. */
  readonly given: ReadonlyMap<bigint, readonly GivenPart[]>;
  readonly beyond: readonly Beyond[];
  readonly disposals: readonly Disposal[];
  readonly unknown: readonly Unknown[];
  readonly left: { readonly units: Fraction; readonly cost: Fraction | undefined };
}

/** One sale, or the sales of one day, while their parts are being found. */
export class OpenDisposal {
  readonly #sales: readonly SaleEvent[];
  readonly #units: Fraction;
  readonly #parts: Part[] = [];
  readonly #unknown: { reason: Unknown['reason']; units: Fraction }[] = [];
  rest: Fraction;

  constructor(sales: readonly SaleEvent[]) {
    this.#sales = sales;
    this.#units = sales.reduce((sum, { quantity }) => add(sum, quantity), zero);
    this.rest = this.#units;
  }

  match(part: Part): void {
    if (!isPositive(part.units)) return;
    this.#parts.push(part);
    this.rest = subtract(this.rest, part.units);
  }

  miss(reason: Unknown['reason'], units: Fraction): void {
    if (!isPositive(units)) return;
    this.#unknown.push({ reason, units });
    this.rest = subtract(this.rest, units);
  }

  /** The part with a known cost has its share of the proceeds. */
  close(poolAfter?: Disposal['poolAfter']): { disposals: Disposal[]; unknown: Unknown[] } {
    const sale = this.#sales.at(-1) as SaleEvent;
    const sum = (read: (sale: SaleEvent) => Fraction) => this.#sales.reduce((all, one) => add(all, read(one)), zero);
    const matched = this.#parts.reduce((all, { units }) => add(all, units), zero);
    const takeShare = (whole: Fraction, units: Fraction) => multiply(whole, divide(units, this.#units));
    const proceeds = sum((one) => one.proceeds);
    return {
      disposals: isPositive(matched)
        ? [
            {
              sale,
              units: matched,
              proceeds: takeShare(proceeds, matched),
              charges: takeShare(
                sum((one) => one.charges),
                matched,
              ),
              cost: this.#parts.reduce((all, { cost }) => add(all, cost), zero),
              parts: this.#parts,
              ...(poolAfter ? { poolAfter } : {}),
            },
          ]
        : [],
      unknown: this.#unknown.map(({ reason, units }) => ({
        sale,
        reason,
        units,
        proceeds: takeShare(proceeds, units),
      })),
    };
  }
}
