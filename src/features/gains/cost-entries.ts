/** Finds the row that each cost of the owner belongs to. */

import type Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import { type FillMeaning, getFillMeaning } from '../analytics/executions.ts';
import type { Trade } from '../analytics/trades.ts';

interface TransferCost {
  /** When the shares were acquired (ms). */
  readonly acquiredAt: number;
  /** For all shares of the transfer, with charges, in the currency of the account. */
  readonly cost: Big;
}

/** Finds what was said about a transfer; undefined when nothing was. */
export type CostBasis = (transfer: Trade) => TransferCost | undefined;

export const noCostBasis: CostBasis = () => undefined;

/** Why an entry is not used. */
export type UnusedReason = 'no_row' | 'several_rows' | 'other_currency' | 'acquired_later' | 'no_parent';

interface UsedEntry {
  readonly entry: CostEntry;
  readonly trade: Trade;
  /** Spin-offs: the ticker whose cost becomes smaller. */
  readonly parent: string | undefined;
}

export interface MatchedEntries {
  readonly used: readonly UsedEntry[];
  readonly unused: readonly { readonly entry: CostEntry; readonly reason: UnusedReason }[];
  readonly costBasis: CostBasis;
}

/**
 * Matches the entries with rows that brought shares without a purchase. `findParent` names the company of a spin-off,
 * as far as the rows show it. An entry that is not used has a reason, so that a mistyped one is not silently ignored.
 */
export function matchCostEntries(
  entries: readonly CostEntry[],
  trades: readonly Trade[],
  findParent: (trade: Trade) => string | undefined,
): MatchedEntries {
  if (entries.length === 0) return { used: [], unused: [], costBasis: noCostBasis };
  const candidates = trades.filter(canHaveEntry);
  const currencies = new Map(
    trades.flatMap(({ ticker, valueCurrency }) => (valueCurrency ? [[ticker, valueCurrency]] : [])),
  );
  const used: UsedEntry[] = [];
  const unused: { entry: CostEntry; reason: UnusedReason }[] = [];
  const costs = new Map<Trade, TransferCost>();
  for (const entry of entries) {
    const [trade, ...others] = candidates.filter((row) => isMeant(row, entry));
    const parent = trade && isSpinOff(trade) ? (entry.parent ?? findParent(trade)) : undefined;
    const reason = findFault(
      entry,
      trade,
      others,
      parent,
      trade && (trade.valueCurrency ?? currencies.get(trade.ticker)),
    );
    if (!trade || reason) unused.push({ entry, reason: reason ?? 'no_row' });
    else {
      used.push({ entry, trade, parent });
      costs.set(trade, { acquiredAt: entry.acquiredAt ?? trade.at, cost: entry.cost });
    }
  }
  return { used, unused, costBasis: (trade) => costs.get(trade) };
}

function findFault(
  entry: CostEntry,
  trade: Trade | undefined,
  others: readonly Trade[],
  parent: string | undefined,
  currency: string | undefined,
): UnusedReason | undefined {
  if (!trade) return 'no_row';
  if (others.length > 0) return 'several_rows';
  if (currency !== undefined && currency !== entry.currency) return 'other_currency';
  // A date has no time, so it can be up to a day late.
  if (entry.acquiredAt !== undefined && entry.acquiredAt > trade.at + dayMs) return 'acquired_later';
  return isSpinOff(trade) && parent === undefined ? 'no_parent' : undefined;
}

const isSpinOff = ({ type }: Trade): boolean => getFillMeaning(type) === 'spin_off';

const withoutPurchase: ReadonlySet<FillMeaning> = new Set(['transfer', 'spin_off', 'takeover', 'free_shares']);

/**
 * Whether the owner can enter a cost for the row: of shares that came without a purchase, of shares that were exchanged
 * for cash, or of a payment of capital.
 */
export const canHaveEntry = ({ type, side, quantity, netValue }: Trade): boolean => {
  if (type === 'TRADE') return false;
  if (type === 'CAPITAL_DISTRIBUTED') return true;
  const meaning = getFillMeaning(type);
  if (side === 'SELL') return meaning === 'takeover' && netValue?.gt(0) === true;
  return withoutPurchase.has(meaning) && quantity.gt(0);
};

/** The service writes times without fractions of a second. */
const isMeant = (trade: Trade, { fillId, ticker, at }: CostEntry): boolean =>
  fillId === undefined
    ? trade.ticker === ticker && at !== undefined && Math.floor(trade.at / 1000) === Math.floor(at / 1000)
    : trade.fillId === fillId;

/** Text of the service that a shell could interpret becomes a placeholder, because a person copies the command. */
const toPlain = (text: string | undefined, placeholder: string): string =>
  text !== undefined && /^[\w./][\w./-]{0,63}$/.test(text) ? text : placeholder;

/** The command with which the owner enters the cost of a row, or with `part` the part of a cost that belongs to it. */
export function formatCostCommand(
  { fillId, ticker, at }: Pick<Trade, 'fillId' | 'ticker' | 'at'>,
  currency: string | undefined,
  more: { readonly parent: string } | { readonly acquired: true } | { readonly part: true },
): string {
  const row =
    fillId === undefined
      ? `--ticker ${toPlain(ticker, 'TICKER')} --at ${new Date(at).toISOString()}`
      : `--fill ${toPlain(fillId, 'ID')}`;
  const detail =
    'parent' in more
      ? ` --parent ${toPlain(more.parent, 'TICKER')}`
      : 'part' in more
        ? ' --part'
        : ' --acquired YYYY-MM-DD';
  return `brokerage-mcp cost-basis set ${row}${detail} --cost AMOUNT --currency ${toPlain(currency, 'CURRENCY')}`;
}

// What the owner entered for tax, because the rows of the service do not have it.

/**
 * The cost of shares that came without a purchase, by a transfer, a spin-off or a take-over; or the part of a cost that
 * belongs to the money of a take-over or of a payment of capital.
 */
export interface CostEntry {
  /** The fill that brought the shares; when undefined, `ticker` and `at` (ms) identify it. */
  readonly fillId: string | undefined;
  readonly ticker: string | undefined;
  readonly at: number | undefined;
  /** When the shares were acquired (ms); undefined: when they came. */
  readonly acquiredAt: number | undefined;
  /** For all shares of the row, with charges. */
  readonly cost: Big;
  readonly currency: string;
  /** The ticker that gives up this cost in a spin-off. */
  readonly parent: string | undefined;
}

/** Income that an offshore fund reported for a period and did not pay (Offshore Funds (Tax) Regulations 2009 reg 94). */
export interface ReportableIncome {
  readonly isin: string;
  /** The last day of the period, `YYYY-MM-DD`. */
  readonly periodEnd: string;
  readonly amountPerShare: Big;
  readonly currency: string;
}

export interface TaxRecords {
  readonly costs: readonly CostEntry[];
  readonly reportableIncome: readonly ReportableIncome[];
}

export const noTaxRecords: TaxRecords = { costs: [], reportableIncome: [] };
