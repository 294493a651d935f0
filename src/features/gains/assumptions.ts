/** Describes assumptions about corporate actions and what is missing: one sentence per instrument and action. */

import Big from 'big.js';
import { formatConstant } from '../../core/text/count-of.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { toIsoDate } from '../analytics/periods.ts';
import { canHaveEntry, formatCostCommand } from './cost-entries.ts';
import type { CorporateAction, Movement } from './holding-events.ts';
import { toLondonDate } from './london-day.ts';
import type { MatchedSale } from './lot-matching.ts';

/** `toDate` writes the day of a moment (ms). */
export function describeAssumptions(
  actions: readonly CorporateAction[],
  toDate: (at: number) => string = toIsoDate,
): string[] {
  return [...groupBy(actions, ({ ticker, type, effect }) => `${ticker} ${type} ${effect}`).values()].flatMap(
    (members) => describeActions(members, toDate),
  );
}

/** A type of the service as a person reads it: `SPIN_OFF` is `spin off`; an abbreviation stays. */
const sayType = (type: string): string => (type.includes('_') ? formatConstant(type).toLowerCase() : type);

/** How many dates one sentence names. */
const maxDates = 5;

function describeActions(
  actions: readonly CorporateAction[],
  toDate: (at: number) => string,
): string | readonly never[] {
  const [first] = actions as [CorporateAction];
  const { ticker, effect } = first;
  const type = sayType(first.type);
  const sum = (getFigure: (action: CorporateAction) => Big | undefined) =>
    actions.reduce((total, action) => total.plus(getFigure(action) ?? 0), new Big(0));
  const quantity = sum((action) => action.quantity);
  const shares = `${quantity.toFixed()} ${quantity.eq(1) ? 'share' : 'shares'}`;
  const money = sum(({ netValue }) => netValue);
  const dates = [...new Set(actions.map(({ at }) => toDate(at)))];
  const named = dates.length > maxDates ? `${dates.slice(0, maxDates).join(', ')} and later` : dates.join(', ');
  const where = `${ticker} (${named})`;
  switch (effect) {
    case 'came_free':
      return `${where}: ${shares} from ${type} are treated as shares received at no cost; the true cost basis may differ.${
        canHaveEntry(first.trade)
          ? ` Enter what they cost, if they did: ${formatCostCommand(first, first.valueCurrency, { acquired: true })}`
          : ''
      }`;
    case 'came_from_spin_off':
      return `${where}: ${shares} from a spin-off ${
        first.parent === undefined ? 'of a company that the rows do not name' : `of ${first.parent}`
      } are treated as shares received at no cost, and that company keeps all of its cost; a tax return needs the cost apportioned between the two. Enter the part of ${ticker}: ${formatCostCommand(first, first.valueCurrency, { parent: first.parent ?? 'TICKER' })}`;
    case 'came_from_takeover':
      return `${where}: ${shares} came by ${type}, and the rows do not show the cost of the shares that were exchanged for them (TCGA 1992 ss 127 and 135); enter it: ${formatCostCommand(first, first.valueCurrency, { acquired: true })}`;
    case 'transferred':
      return `${where}: ${shares} were transferred in (${type}), and what they cost originally is unknown; enter it with \`brokerage-mcp cost-basis\`.`;
    case 'exchanged':
      return `${where}: ${shares} were exchanged by ${type} for ${money.toFixed(2)} and other shares; their cost has to be apportioned between the two, so the gain is in no figure. Enter the part of the cost that belongs to the money: ${formatCostCommand(first, first.valueCurrency, { part: true })}`;
    case 'exchanged_for_shares':
      return `${where}: ${shares} were exchanged by ${type} for ${nameReplacements(actions)}, which stand in their place (TCGA 1992 ss 127 and 135).`;
    case 'left':
      return `${where}: ${shares} removed by ${type} are deducted with their cost and are not treated as a disposal${
        money.gt(0) ? `; the value of ${money.toFixed(2)} in the row is in no gain` : ''
      }.`;
    case 'no_ratio':
      return `${where}: a ${type} of ${shares} is omitted, because no shares are known to have been held before it.`;
    case 'split_with_value':
      return `${where}: a ${type} has a value of ${money.toFixed(2)}, which no gain includes. If it is cash for a part of a share, it is capital, and reduces the cost of the shares while it is small (TCGA 1992 s 122).`;
    case 'capital_returned':
      if (money.eq(0)) return [];
      return `${where}: ${money.times(-1).toFixed(2)} of returned capital is deducted from the cost of the shares held, as TCGA 1992 s 122 allows for a small distribution.`;
    case 'capital_distributed':
      return `${where}: ${money.toFixed(2)} paid by the company is capital and can be a part disposal (TCGA 1992 s 122), so it is in no figure. It is small if it is at most 5 % of the value of the shares, or 3,000 pounds. Enter the part of the cost that belongs to it, which is the payment itself if it is small: ${formatCostCommand(first, first.valueCurrency, { part: true })}`;
    case 'cost_to_spin_off':
      if (money.eq(0)) return [];
      return `${where}: ${money.times(-1).toFixed(2)} of its cost belongs to the shares of a spin-off, as entered with \`brokerage-mcp cost-basis\`.`;
    case 'free_purchase':
      return `${where}: ${shares} bought for 0.00 count as a purchase at no cost.`;
  }
}

/** The shares that came in exchanges, by ticker. */
function nameReplacements(actions: readonly CorporateAction[]): string {
  const quantities = new Map<string, Big>();
  for (const { replacedBy } of actions)
    if (replacedBy) quantities.set(replacedBy.ticker, replacedBy.quantity.plus(quantities.get(replacedBy.ticker) ?? 0));
  return [...quantities].map(([ticker, quantity]) => `${quantity.toFixed()} of ${ticker}`).join(' and ');
}

// Sales that are matched with a later purchase across a time without shares, in which no row could show a split.

export interface EmptyTime {
  readonly ticker: string;
  /** Days in London. */
  readonly soldOn: string;
  readonly boughtOn: string;
}

/** `movements` are in the order of execution. */
export function findEmptyTimes(movements: readonly Movement[], sales: readonly MatchedSale[]): EmptyTime[] {
  const repurchased = sales.flatMap(({ at, ticker, pieces }) => {
    const last = pieces.findLast(({ rule }) => rule === 'thirty_day')?.acquiredAt;
    return last === undefined ? [] : [{ at, ticker, last }];
  });
  if (repurchased.length === 0) return [];
  const emptyAt: number[] = [];
  let held = 0n;
  for (const { kind, units, trade } of movements) {
    if (kind !== 'cost_changed') held += kind === 'acquired' ? units : -units;
    if (held <= 0n) emptyAt.push(trade.at);
  }
  return repurchased.flatMap(({ at, ticker, last }) => {
    const from = emptyAt[findFirst(emptyAt, at)];
    return from !== undefined && from < last
      ? [{ ticker, soldOn: toLondonDate(at), boughtOn: toLondonDate(last) }]
      : [];
  });
}

/** The place of the first moment that is not before the given one, in an ascending list. */
function findFirst(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many sales one sentence names. */
const maxSales = 3;

/** One sentence for each ticker. */
export function describeEmptyTimes(times: readonly EmptyTime[]): string[] {
  return [...groupBy(times, ({ ticker }) => ticker)].map(([ticker, list]) => {
    const named = list.slice(0, maxSales).map(({ soldOn, boughtOn }) => `sold ${soldOn}, bought ${boughtOn}`);
    const more = list.length > maxSales ? ' and later' : '';
    return `${ticker} (${named.join('; ')}${more}): no shares were held between the sale and the purchase within 30 days that it is matched with. No row shows a split of shares that are not held, so check that there was none.`;
  });
}
