/** A holding in which all shares have the same cost. */
import { add, divide, type Fraction, isPositive, multiply, smaller, subtract, zero } from './fraction.ts';
import type { OpenDisposal } from './outcome.ts';
import type { GivenPart } from './share-exchanges.ts';

export class Pool {
  units = zero;
  #cost = zero;
  #isKnown = true;

  /** Undefined once shares of an unknown cost are in the pool, until it is empty. */
  get cost(): Fraction | undefined {
    return this.#isKnown ? this.#cost : undefined;
  }

  put(units: Fraction, cost: Fraction | undefined): void {
    this.units = add(this.units, units);
    if (cost) this.#cost = add(this.#cost, cost);
    else this.#isKnown = false;
  }

  /** Reduces the cost, not below zero (TCGA 1992 s 122). Returns the rest, and 0 where the cost is unknown. */
  payBack(amount: Fraction): Fraction {
    if (!this.#isKnown) return zero;
    const taken = smaller(amount, this.#cost);
    this.#cost = subtract(this.#cost, taken);
    return subtract(amount, taken);
  }

  /** Takes as many as there are. */
  take(wanted: Fraction): { readonly units: Fraction; readonly cost: Fraction | undefined } {
    const units = smaller(wanted, this.units);
    if (!isPositive(units)) return { units: zero, cost: zero };
    const isKnown = this.#isKnown;
    const cost = multiply(this.#cost, divide(units, this.units));
    this.units = subtract(this.units, units);
    this.#cost = subtract(this.#cost, cost);
    if (!isPositive(this.units)) {
      this.#cost = zero;
      this.#isKnown = true;
    }
    return { units, cost: isKnown ? cost : undefined };
  }

  /** Takes shares for an exchange; those that the pool does not have were never known to be held. */
  give(wanted: Fraction): GivenPart[] {
    const { units, cost } = this.take(wanted);
    const parts = [
      { units, cost, acquiredAt: undefined },
      { units: subtract(wanted, units), cost: undefined, acquiredAt: undefined },
    ];
    return parts.filter((part) => isPositive(part.units));
  }

  /** The rest of a disposal comes from the pool, and what the pool does not have was never known to be held. */
  serve(disposal: OpenDisposal, rule: string): void {
    const { units, cost } = this.take(disposal.rest);
    if (cost) disposal.match({ rule, units, cost });
    else disposal.miss('original_cost_unknown', units);
    disposal.miss('not_held', disposal.rest);
  }
}
