/**
 * What is inside the funds that are held, from lists that the owner keeps. A position without a list counts as itself.
 * Pure.
 */

import type Big from 'big.js';
import type { FundHolding } from '../../core/settings/market-files.ts';
import { findCountry } from './names.ts';
import type { PortfolioHolding } from './portfolio.ts';
import { computePercent, zero } from './sums.ts';

export type LookThroughBy = 'company' | 'country' | 'sector';

/** The lists by the ISIN of their fund. */
export type FundLists = ReadonlyMap<string, readonly FundHolding[]>;

export interface LookThroughGroup {
  readonly group: string;
  /** Of a company, where the group is its ISIN. */
  readonly name: string | undefined;
  readonly value: Big;
  /** In percent of the value of all positions, without cash. */
  readonly weightPercent: Big | undefined;
  /** The positions that are in the group, or hold a part of it. */
  readonly positions: number;
}

export interface LookThrough {
  /** Largest first. */
  readonly groups: readonly LookThroughGroup[];
  /** Each list that was used, with the part of its fund that it lists, in percent. */
  readonly lists: readonly { readonly ticker: string; readonly listedPercent: Big }[];
  /** What is listed or is no fund, in percent of the value of all positions. */
  readonly coveredPercent: Big | undefined;
  /** Funds without a list. */
  readonly without: readonly string[];
  /** Positions without a value, which are in no group. */
  readonly unvalued: number;
}

/** What the lists leave out of a fund. */
export const notListed = 'not listed';

const hundred = 100;

/**
 * Splits the positions by companies, countries or sectors. `isFund` says which tickers are funds: one without a list
 * counts where it is registered, and as one company of unknown sector.
 */
export function lookThrough(
  holdings: readonly PortfolioHolding[],
  lists: FundLists,
  by: LookThroughBy,
  isFund: (ticker: string) => boolean,
): LookThrough {
  const valued = holdings.filter(
    (holding): holding is PortfolioHolding & { value: Big } => holding.value !== undefined,
  );
  const total = valued.reduce((sum, { value }) => sum.plus(value), zero);
  const groups = new Map<string, { value: Big; name: string | undefined; tickers: Set<string> }>();
  const add = (group: string, name: string | undefined, value: Big, ticker: string) => {
    const known = groups.get(group) ?? { value: zero, name, tickers: new Set() };
    known.tickers.add(ticker);
    groups.set(group, { ...known, value: known.value.plus(value) });
  };
  const used: { ticker: string; listedPercent: Big }[] = [];
  const without: string[] = [];
  let covered = zero;
  for (const { ticker, isin, name, value } of valued) {
    const list = isin === undefined ? undefined : lists.get(isin);
    if (!list) {
      const own = ownKeys({ ticker, isin, name });
      add(own[by], by === 'company' ? name : undefined, value, ticker);
      if (isFund(ticker)) without.push(ticker);
      else covered = covered.plus(value);
      continue;
    }
    const listed = list.reduce((sum, { weightPercent }) => sum.plus(weightPercent), zero);
    used.push({ ticker, listedPercent: listed });
    // Weights that add up to a little over 100 are rounded ones: they are shares of their sum.
    const whole = listed.gt(hundred) ? listed : undefined;
    for (const part of list) {
      const share = value.times(part.weightPercent).div(whole ?? hundred);
      covered = covered.plus(share);
      add(listedKeys(part)[by], by === 'company' ? part.name : undefined, share, ticker);
    }
    if (!whole && listed.lt(hundred)) add(notListed, undefined, value.minus(value.times(listed).div(hundred)), ticker);
  }
  return {
    groups: [...groups]
      .map(([group, { value, name, tickers }]) => ({
        group,
        name,
        value,
        weightPercent: computePercent(value, total),
        positions: tickers.size,
      }))
      .sort((a, b) => b.value.cmp(a.value) || (a.group < b.group ? -1 : 1)),
    lists: used,
    coveredPercent: computePercent(covered, total),
    without,
    unvalued: holdings.length - valued.length,
  };
}

type Keys = Readonly<Record<LookThroughBy, string>>;

const ownKeys = ({ ticker, isin }: Pick<PortfolioHolding, 'ticker' | 'isin' | 'name'>): Keys => ({
  company: isin ?? ticker,
  country: findCountry(isin),
  sector: 'unknown',
});

/** A company is known by its ISIN; without one, by its name. */
const listedKeys = ({ isin, name, country, sector }: FundHolding): Keys => ({
  company: isin ?? name,
  country: country ?? findCountry(isin),
  sector: sector ?? 'unknown',
});
