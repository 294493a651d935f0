/**
 * A second way to a plan: it tries every combination of whole shares in a small account, with integers only, and
 * keeps the one with the smallest sum of deviations. It shares no code with the planner.
 */

/** Amounts are in pennies; quantities in whole shares. */
export interface SmallAccount {
  readonly cash: number;
  /** Cash that may be spent on top of the proceeds. */
  readonly amount: number;
  readonly bandPercent: number;
  readonly allowSells: boolean;
  readonly assets: readonly SmallAsset[];
}

interface SmallAsset {
  readonly held: number;
  readonly sellable: number;
  readonly price: number;
  readonly weightPercent: number;
}

/** The sum of all deviations from the targets, in pennies × 100, after these changes in shares. */
export function deviationAfter({ assets, amount }: SmallAccount, changes: readonly number[]): number {
  const base = assets.reduce((sum, { held, price }) => sum + held * price, amount);
  return assets.reduce((sum, { held, price, weightPercent }, index) => {
    const after = (held + (changes[index] ?? 0)) * price;
    return sum + Math.abs(after * 100 - base * weightPercent);
  }, 0);
}

/** The smallest sum of deviations of all plans that cash, shares and band allow; market orders without charges. */
export function smallestDeviation(account: SmallAccount): number {
  const { assets, amount, bandPercent, allowSells } = account;
  const base = assets.reduce((sum, { held, price }) => sum + held * price, amount);
  const ranges = assets.map(({ held, sellable, price, weightPercent }) => {
    const deviation = held * price * 100 - base * weightPercent;
    if (Math.abs(deviation) <= base * bandPercent) return [0];
    const most = Math.floor(base / price);
    const least = allowSells ? -Math.min(held, sellable) : 0;
    return Array.from({ length: most - least + 1 }, (_, index) => least + index);
  });
  let best = Number.POSITIVE_INFINITY;
  for (const changes of combine(ranges)) {
    if (isAffordable(account, changes)) best = Math.min(best, deviationAfter(account, changes));
  }
  return best;
}

function isAffordable({ assets, cash, amount }: SmallAccount, changes: readonly number[]): boolean {
  let [bought, sold] = [0, 0];
  changes.forEach((change, index) => {
    const value = Math.abs(change) * (assets[index]?.price ?? 0);
    if (change > 0) bought += value;
    else sold += value;
  });
  if (bought === 0) return true;
  return bought <= amount + sold && bought * 102 <= cash * 100 + sold * 98;
}

function* combine(ranges: readonly (readonly number[])[]): Generator<readonly number[]> {
  const [first, ...others] = ranges;
  if (!first) {
    yield [];
    return;
  }
  for (const value of first) for (const rest of combine(others)) yield [value, ...rest];
}
