/** Reads the result of summarize_realised_gains as tables. */
import { type Envelope, readFrame } from './envelope.ts';
import { type Fields, hasList, toDecimal, toFields, toRows, toText } from './fields.ts';

/** Amounts are in the account's currency. */
export interface DisposalModel {
  /** ISO date. */
  readonly soldOn: string | undefined;
  readonly ticker: string | undefined;
  readonly quantity: string | undefined;
  readonly proceeds: string | undefined;
  readonly cost: string | undefined;
  readonly gain: string | undefined;
  /** How the sale was matched with its purchases. */
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
  /** Number of sales whose purchases are unknown; the totals exclude them. */
  readonly unmatched: number;
  readonly disposals: readonly DisposalModel[];
  readonly byTicker: readonly (Omit<DisposalModel, 'soldOn' | 'quantity' | 'rules'> & {
    readonly disposals: string | undefined;
  })[];
}

export function readGains(answer: Fields): Gains | undefined {
  if (!hasList(answer)) return undefined;
  const totals = toFields(answer.totals);
  return {
    frame: readFrame(answer),
    currency: toText(answer.currency),
    method: toText(answer.method),
    taxYear: toText(answer.taxYear),
    totals: {
      ...toAmounts(totals),
      disposals: toText(totals.disposals),
      gains: toDecimal(totals.gains),
      losses: toDecimal(totals.losses),
    },
    unmatched: Number(toDecimal(answer.unmatchedCount) ?? 0),
    disposals: toRows(answer).map((row) => ({
      ...toAmounts(row),
      soldOn: toText(row.soldOn),
      ticker: toText(row.ticker),
      quantity: toDecimal(row.quantity),
      rules: toText(row.rules),
    })),
    byTicker: toRows(answer.byTicker).map((row) => ({
      ...toAmounts(row),
      ticker: toText(row.ticker),
      disposals: toText(row.disposals),
    })),
  };
}

const toAmounts = (row: Fields) => ({
  proceeds: toDecimal(row.proceeds),
  cost: toDecimal(row.cost),
  gain: toDecimal(row.gain),
});
