/** Data of the market that the owner gives: a benchmark by day, and what is inside a fund. */

import Big from 'big.js';
import { toAmount } from '../endpoints/decimal.ts';
import { UsageError } from '../errors.ts';
import { parseOwnerCsv } from './owner-csv.ts';
import { readDate } from './tax-entries.ts';

/** A benchmark, or what is inside at least one fund. */
export type MarketFile = 'benchmark' | 'funds';

/** More days than fifty years have. */
const maxDays = 20_000;
/** More than the largest index has. */
const maxHoldings = 20_000;

export interface BenchmarkPoint {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** More than 0, in any unit: only its changes count. */
  readonly value: Big;
}

const isAboveZero = (text: string): boolean => new Big(toAmount(text) ?? 0).gt(0);

/** The file benchmark.csv: `date` and `value`, oldest first. Throws a UsageError of one sentence with the line. */
export function parseBenchmark(text: string, file: string): readonly BenchmarkPoint[] {
  const rows = parseOwnerCsv(
    text,
    file,
    {
      date: { isValid: (cell) => !Number.isNaN(readDate(cell)), example: '2026-01-30' },
      value: { isValid: isAboveZero, example: '104.25' },
    },
    maxDays,
  );
  rows.forEach(({ number, cells }, index) => {
    const before = rows[index - 1]?.cells.date;
    if (before !== undefined && cells.date <= before)
      throw new UsageError(`${file}, line ${number}: date is ${cells.date} and must be after ${before}.`);
  });
  return rows.map(({ cells }) => ({ day: cells.date, value: new Big(cells.value) }));
}

/** One line of what a fund holds. */
export interface FundHolding {
  readonly name: string;
  readonly isin: string | undefined;
  /** Of the fund, in percent. */
  readonly weightPercent: Big;
  /** ISO 3166, two letters. */
  readonly country: string | undefined;
  readonly sector: string | undefined;
}

/** Weights are published with two decimals, so those of a large fund can add up to a little over 100. */
const maxWeight = new Big('100.5');
const maxName = 120;

/** A file funds/ISIN.csv: `name`, `weight`, and `isin`, `country` and `sector` where known. Throws as above. */
export function parseFundHoldings(text: string, file: string): readonly FundHolding[] {
  const isText = (cell: string) => cell !== '' && cell.length <= maxName;
  const rows = parseOwnerCsv(
    text,
    file,
    {
      name: { isValid: isText, example: 'Example plc' },
      isin: { isValid: (cell) => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(cell), example: 'GB0000000009', isOptional: true },
      weight: { isValid: (cell) => toAmount(cell) !== undefined, example: '4.25' },
      country: { isValid: (cell) => /^[A-Z]{2}$/.test(cell), example: 'GB', isOptional: true },
      sector: { isValid: isText, example: 'Technology', isOptional: true },
    },
    maxHoldings,
  );
  let sum = new Big(0);
  return rows.map(({ number, cells: { name, isin, weight, country, sector } }) => {
    sum = sum.plus(weight);
    if (sum.gt(maxWeight))
      throw new UsageError(`${file}, line ${number}: weight brings the sum to ${sum.toFixed()}, which is over 100.`);
    return {
      name,
      isin: isin === '' ? undefined : isin,
      weightPercent: new Big(weight),
      country: country === '' ? undefined : country,
      sector: sector === '' ? undefined : sector,
    };
  });
}
