/** Reads the result of calculate_returns: of the account, or of one holding. */

import { type Envelope, type Fields, readFrame, toDecimal, toFields, toList, toText } from './read-answer.ts';

/** In percent; undefined where it is unknown. */
export interface RateModel {
  readonly annual: string | undefined;
  readonly period: string | undefined;
  /** The length of the period. */
  readonly days: number | undefined;
}

/** The value of the account on one day. */
export interface ValueModel {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly value: string;
  /** The value at the start and what was paid in since, less what was paid out; undefined where it is unknown. */
  readonly putIn: string | undefined;
}

/** Amounts are in `currency`. */
export interface ReturnsModel {
  readonly frame: Envelope;
  readonly currency: string | undefined;
  /** Of the holding; undefined for the account. */
  readonly name: string | undefined;
  /** The result in a sentence. */
  readonly message: string | undefined;
  readonly gain: string | undefined;
  readonly gainPercent: string | undefined;
  readonly moneyWeighted: RateModel;
  readonly timeWeighted: RateModel;
  /** What a benchmark did, and what the same money in it would be worth; undefined without one. */
  readonly benchmark: { readonly percent: string | undefined; readonly sameMoney: string | undefined } | undefined;
  /** Every other amount by its field, in the order in which a person adds them. */
  readonly amounts: readonly (readonly [name: string, amount: string])[];
  /** The first and the last day of the question; undefined for an open end. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Oldest first; empty where the result has none. */
  readonly values: readonly ValueModel[];
}

const amountNames = [
  'startValue',
  'moneyIn',
  'moneyOut',
  'sharesIn',
  'sharesOut',
  'netDeposits',
  'bought',
  'sold',
  'charges',
  'value',
  'priceGain',
  'realised',
  'dividends',
  'interest',
  'accountFees',
  'otherBookings',
] as const;

export function readReturns(answer: Fields): ReturnsModel | undefined {
  if (answer.moneyWeighted === undefined && answer.gain === undefined && toText(answer.message) === undefined)
    return undefined;
  return {
    frame: readFrame(answer),
    currency: toText(answer.currency),
    name: toText(answer.name) ?? toText(answer.ticker),
    message: toText(answer.message),
    gain: toDecimal(answer.gain),
    gainPercent: toDecimal(answer.gainPercent),
    moneyWeighted: readRate(answer.moneyWeighted),
    timeWeighted: readRate(answer.timeWeighted),
    benchmark: readBenchmark(toFields(answer.benchmark)),
    amounts: amountNames.flatMap((name) => {
      const amount = toDecimal(name === 'startValue' ? toFields(answer.startValue).value : answer[name]);
      return amount === undefined ? [] : [[name, amount] as const];
    }),
    since: toText(toFields(answer.range).since),
    until: toText(toFields(answer.range).until),
    values: toList(answer.values).flatMap((pair) => {
      const [day, value, putIn] = toList(pair);
      const [text, decimal] = [toText(day), toDecimal(value)];
      return text === undefined || decimal === undefined
        ? []
        : [{ day: text, value: decimal, putIn: toDecimal(putIn) }];
    }),
  };
}

const readRate = (rate: unknown): RateModel => {
  const { annualPercent, periodPercent, days } = toFields(rate);
  return {
    annual: toDecimal(annualPercent),
    period: toDecimal(periodPercent),
    days: typeof days === 'number' ? days : undefined,
  };
};

function readBenchmark({ periodPercent, sameMoney }: Fields): ReturnsModel['benchmark'] {
  const percent = toDecimal(periodPercent);
  return percent === undefined ? undefined : { percent, sameMoney: toDecimal(sameMoney) };
}
