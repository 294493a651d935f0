/** Which company shares of a spin-off came from, as far as the rows show it. */
import { getFillMeaning } from '../analytics/fill-types.ts';
import type { Trade } from '../analytics/trades.ts';

/** A dividend row, in which the company that gives the shares can appear. */
export interface DemergerRow {
  readonly ticker: string;
  readonly at: number;
}

/** The rows of one spin-off can be some days apart. */
const sameSpinOffMs = 7 * 86_400_000;

/**
 * Returns a function that names the ticker that gave the shares of a spin-off: the only other ticker with a row of a
 * spin-off that removes shares, or with a dividend of the type DEMERGER, within a week. Undefined when the rows show
 * none, or several.
 */
export function createParentFinder(
  trades: readonly Trade[],
  demergers: readonly DemergerRow[],
): (child: Trade) => string | undefined {
  // Few accounts have a spin-off, so the rows are searched when one is found.
  let givers: readonly DemergerRow[] | undefined;
  return ({ ticker, at }) => {
    givers ??= [
      ...trades.filter(({ type, side }) => getFillMeaning(type) === 'spin_off' && side === 'SELL'),
      ...demergers,
    ];
    const near = givers.filter((row) => row.ticker !== ticker && Math.abs(row.at - at) <= sameSpinOffMs);
    const [parent, ...others] = new Set(near.map((row) => row.ticker));
    return others.length === 0 ? parent : undefined;
  };
}
