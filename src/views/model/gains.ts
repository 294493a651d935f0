/** The answer of summarize_realised_gains, as tables. */
import { type Envelope, readFrame } from './envelope.ts';
import { decimalOf, type Fields, fieldsOf, hasList, rowsOf, textOf } from './fields.ts';

/** Amounts are in the account's currency. */
export interface Disposal {
  /** ISO date. */
  readonly soldOn: string | undefined;
  readonly ticker: string | undefined;
  readonly quantity: string | undefined;
  readonly proceeds: string | undefined;
  readonly cost: string | undefined;
  readonly gain: string | undefined;
  /** How it was matched with its purchases, in words. */
  readonly rules: string | undefined;
}

export interface Gains {
  readonly frame: Envelope;
  readonly currency: string | undefined;
  readonly method: string | undefined;
  readonly taxYear: string | undefined;
  readonly totals: {
    readonly disposals: string | undefined;
    readonly proceeds: string | undefined;
    readonly cost: string | undefined;
    readonly gain: string | undefined;
    readonly gains: string | undefined;
    readonly losses: string | undefined;
  };
  /** Sales whose purchases are unknown: they are in no total. */
  readonly unmatched: number;
  readonly disposals: readonly Disposal[];
  readonly byTicker: readonly (Omit<Disposal, 'soldOn' | 'quantity' | 'rules'> & {
    readonly disposals: string | undefined;
  })[];
}

export function readGains(answer: Fields): Gains | undefined {
  if (!hasList(answer)) return undefined;
  const totals = fieldsOf(answer.totals);
  return {
    frame: readFrame(answer),
    currency: textOf(answer.currency),
    method: textOf(answer.method),
    taxYear: textOf(answer.taxYear),
    totals: {
      ...moneyOf(totals),
      disposals: textOf(totals.disposals),
      gains: decimalOf(totals.gains),
      losses: decimalOf(totals.losses),
    },
    unmatched: Number(decimalOf(answer.unmatchedCount) ?? 0),
    disposals: rowsOf(answer).map((row) => ({
      ...moneyOf(row),
      soldOn: textOf(row.soldOn),
      ticker: textOf(row.ticker),
      quantity: decimalOf(row.quantity),
      rules: textOf(row.rules),
    })),
    byTicker: rowsOf(answer.byTicker).map((row) => ({
      ...moneyOf(row),
      ticker: textOf(row.ticker),
      disposals: textOf(row.disposals),
    })),
  };
}

const moneyOf = (row: Fields) => ({
  proceeds: decimalOf(row.proceeds),
  cost: decimalOf(row.cost),
  gain: decimalOf(row.gain),
});
