/** Reads the result of summarize_dividends as bars. */

import {
  type Envelope,
  type Fields,
  hasList,
  readFrame,
  readName,
  toDecimal,
  toFields,
  toRows,
  toText,
} from './read-answer.ts';

/** Dividends of one period or group; the amount is in the account's currency. */
export interface Income {
  /** `2026-03`, `2026-Q1`, `2026`, a ticker, a type, a country or a treatment. */
  readonly group: string;
  /** Of the instrument, where the groups are tickers and the result has it. */
  readonly name?: string | undefined;
  readonly amount: string | undefined;
  readonly count: string | undefined;
}

export interface Dividends {
  readonly frame: Envelope;
  readonly currency: string | undefined;
  readonly total: string | undefined;
  readonly count: string | undefined;
  readonly trailingTwelveMonths: string | undefined;
  /** The end of these months, an ISO time: an earlier one than now for a range of the past. */
  readonly trailingTo: string | undefined;
  readonly taxYear: string | undefined;
  /** The first and the last day of the range; undefined for an open end, and where the result came without. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly yieldOnCostPercent: string | undefined;
  readonly groupBy: GroupBy;
  readonly groups: readonly Income[];
  readonly projection:
    | { readonly method: string | undefined; readonly total: string | undefined; readonly months: readonly Income[] }
    | undefined;
}

const groupings = ['month', 'quarter', 'year', 'ticker', 'type', 'country', 'treatment'] as const;
type GroupBy = (typeof groupings)[number];

export const isTime = (groupBy: GroupBy): boolean => ['month', 'quarter', 'year'].includes(groupBy);

export function readDividends(answer: Fields): Dividends | undefined {
  if (!hasList(answer)) return undefined;
  const rows = toRows(answer);
  const columns = Array.isArray(answer.columns) ? answer.columns : Object.keys(rows[0] ?? {});
  const groupBy = groupings.find((name) => columns.includes(name)) ?? 'month';
  const groups = rows.map((row) => ({
    ...readIncome(row, groupBy),
    ...(groupBy === 'ticker' ? { name: readName(answer, row.ticker) } : {}),
  }));
  return {
    frame: readFrame(answer),
    currency: toText(answer.currency),
    total: toDecimal(answer.total),
    count: toText(answer.count),
    trailingTwelveMonths: toDecimal(toFields(answer.trailingTwelveMonths).amount),
    trailingTo: toText(toFields(answer.trailingTwelveMonths).to),
    taxYear: toText(answer.taxYear),
    since: toText(toFields(answer.range).since),
    until: toText(toFields(answer.range).until),
    yieldOnCostPercent: toDecimal(answer.yieldOnCostPercent),
    groupBy,
    groups: isTime(groupBy) ? oldestFirst(groups) : groups,
    projection: answer.projection === undefined ? undefined : readProjection(toFields(answer.projection)),
  };
}

const readProjection = (part: Fields) => ({
  method: toText(part.method),
  total: toDecimal(part.total),
  months: oldestFirst(toRows(part).map((row) => readIncome(row, 'month'))),
});

const readIncome = (row: Fields, groupBy: GroupBy): Income => ({
  group: toText(row[groupBy]) ?? toText(row.group) ?? 'unknown',
  amount: toDecimal(row.amount),
  count: toText(row.count),
});

/** A time chart starts with the oldest; the names of periods sort in time order. */
const oldestFirst = (groups: readonly Income[]): readonly Income[] =>
  [...groups].sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0));
