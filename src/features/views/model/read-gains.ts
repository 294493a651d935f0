/** Reads the result of summarize_realised_gains as tables. */

import {
  type Envelope,
  type Fields,
  hasList,
  readFrame,
  readName,
  toDecimal,
  toFields,
  toList,
  toRows,
  toText,
  toTimestamp,
} from './read-answer.ts';

/** Amounts are in `currency`; undefined means the one of the result. */
export interface DisposalModel {
  /** ISO date. */
  readonly soldOn: string | undefined;
  readonly ticker: string | undefined;
  /** Of the instrument; undefined where the result came without names. */
  readonly name: string | undefined;
  readonly quantity: string | undefined;
  readonly proceeds: string | undefined;
  readonly cost: string | undefined;
  readonly gain: string | undefined;
  /** How the sale was matched with its purchases. */
  readonly rules: string | undefined;
  /** The same with the day and the cost of each match; undefined for methods that match nothing. */
  readonly matches: string | undefined;
  /** The charges that `proceeds` is after. */
  readonly charges: string | undefined;
  /** The section 104 pool after the sale: shares and cost. */
  readonly poolAfter: string | undefined;
  readonly currency: string | undefined;
}

export interface TotalsModel {
  readonly currency: string | undefined;
  readonly disposals: string | undefined;
  readonly proceeds: string | undefined;
  readonly cost: string | undefined;
  readonly gain: string | undefined;
  readonly gains: string | undefined;
  readonly losses: string | undefined;
}

/** A row that no figure includes. */
export interface UnmatchedModel {
  /** ISO timestamp. */
  readonly at: string | undefined;
  readonly ticker: string | undefined;
  readonly name: string | undefined;
  readonly quantity: string | undefined;
  readonly proceeds: string | undefined;
  readonly reason: string | undefined;
  /** The command that completes the figures. */
  readonly next: string | undefined;
}

export interface Gains {
  readonly frame: Envelope;
  readonly currency: string | undefined;
  readonly method: string | undefined;
  readonly taxYear: string | undefined;
  /** Of the range: its first moment and the one after its last (ms since 1970), and the IANA zone of its days. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly timeZone: string | undefined;
  /** One for each currency: amounts of several are never added. */
  readonly totals: readonly TotalsModel[];
  /** Income of offshore funds that is taxed in the range and was not paid. */
  readonly reportableIncome: string | undefined;
  /** Number of rows that the totals exclude, and the first of them. */
  readonly unmatchedCount: number;
  readonly unmatched: readonly UnmatchedModel[];
  readonly disposals: readonly DisposalModel[];
  /** Number of instruments of which `byTicker` has those with the largest sums; undefined when it has all. */
  readonly tickerCount: number | undefined;
  readonly byTicker: readonly (Pick<DisposalModel, 'ticker' | 'name' | 'proceeds' | 'cost' | 'gain' | 'currency'> & {
    readonly disposals: string | undefined;
  })[];
  /** By calendar year, the oldest first; a result has them for a document alone. */
  readonly byYear: readonly (Pick<DisposalModel, 'proceeds' | 'cost' | 'gain' | 'currency'> & {
    readonly year: string | undefined;
    readonly disposals: string | undefined;
  })[];
}

export function readGains(answer: Fields): Gains | undefined {
  if (!hasList(answer)) return undefined;
  const currency = toText(answer.currency);
  const several = toList(answer.totalsByCurrency).map(toFields);
  return {
    frame: readFrame(answer),
    currency,
    method: toText(answer.method),
    taxYear: toText(answer.taxYear),
    since: toTimestamp(answer.since),
    until: toTimestamp(answer.until),
    timeZone: toText(answer.timeZone),
    totals:
      several.length > 0
        ? several.map((row) => toTotals(row, undefined))
        : [toTotals(toFields(answer.totals), currency)],
    reportableIncome: toDecimal(toFields(answer.excessReportableIncome).total),
    unmatchedCount: Number(toDecimal(answer.unmatchedCount) ?? 0),
    unmatched: toList(answer.unmatched)
      .map(toFields)
      .map((row) => ({ ...toUnmatched(row), name: readName(answer, row.ticker) })),
    disposals: toRows(answer).map((row) => ({
      ...toAmounts(row),
      soldOn: toText(row.soldOn),
      ticker: toText(row.ticker),
      name: readName(answer, row.ticker),
      quantity: toDecimal(row.quantity),
      rules: toText(row.rules),
      matches: toText(row.matches),
      charges: toDecimal(row.charges),
      poolAfter: toText(row.poolAfter),
      currency: toText(row.currency),
    })),
    tickerCount: typeof answer.tickers === 'number' ? answer.tickers : undefined,
    byTicker: toRows(answer.byTicker).map((row) => ({
      ...toAmounts(row),
      ticker: toText(row.ticker),
      disposals: toText(row.disposals),
      currency: toText(row.currency),
      name: readName(answer, row.ticker),
    })),
    byYear: toRows(answer.byYear).map((row) => ({
      ...toAmounts(row),
      year: toText(row.year),
      disposals: toText(row.disposals),
      currency: toText(row.currency),
    })),
  };
}

const toTotals = (row: Fields, currency: string | undefined): TotalsModel => ({
  ...toAmounts(row),
  currency: toText(row.currency) ?? currency,
  disposals: toText(row.disposals),
  gains: toDecimal(row.gains),
  losses: toDecimal(row.losses),
});

const toUnmatched = (row: Fields): Omit<UnmatchedModel, 'name'> => ({
  at: toText(row.at),
  ticker: toText(row.ticker),
  quantity: toDecimal(row.quantity),
  proceeds: toDecimal(row.proceeds),
  reason: toText(row.reason),
  next: toText(row.next),
});

const toAmounts = (row: Fields) => ({
  proceeds: toDecimal(row.proceeds),
  cost: toDecimal(row.cost),
  gain: toDecimal(row.gain),
});
