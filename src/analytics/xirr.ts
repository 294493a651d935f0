/**
 * The money-weighted rate of return: the one yearly rate at which all payments, each carried to the last
 * day, cancel out. Days count as spreadsheets count them: whole days, 365 to the year. A rate is no
 * amount of money, so doubles are good enough.
 */
import { bisect, isolateRoots, type Term } from './root-finding.ts';

export interface DatedAmount {
  /** Milliseconds since 1970; only its UTC day counts. */
  readonly at: number;
  /** Seen from the investor: negative was paid in, positive was taken out or is there at the end. */
  readonly amount: number;
}

export type Xirr =
  | {
      /** 0.1 is 10 % a year. Very large over a few days: a day's 5 % is fifty million percent a year. */
      readonly annualRate: number;
      /** The same return over the whole time, not carried to a year. */
      readonly periodRate: number;
      readonly days: number;
    }
  | { readonly reason: string };

const dayMs = 86_400_000;

/** The rate, or why there is none. */
export function xirr(amounts: readonly DatedAmount[]): Xirr {
  const daily = new Map<number, number>();
  for (const { at, amount } of amounts) {
    const day = Math.floor(at / dayMs);
    daily.set(day, (daily.get(day) ?? 0) + amount);
  }
  const flows = [...daily].filter(([, amount]) => amount !== 0).sort(([a], [b]) => a - b);
  const first = flows[0]?.[0];
  const last = flows.at(-1)?.[0];
  if (first === undefined || last === undefined) return { reason: 'There were no cash flows, so there is no return.' };
  if (last === first) return { reason: 'The money was invested for less than one day.' };
  if (!flows.some(([, amount]) => amount < 0) || !flows.some(([, amount]) => amount > 0))
    return { reason: 'All cash flows have the same direction, so no rate fits.' };

  const days = last - first;
  const largest = Math.max(...flows.map(([, amount]) => Math.abs(amount)));
  const terms = flows.map(([day, amount]): Term => ({ amount: amount / largest, time: (day - first) / days }));
  const zeros = isolateRoots(terms);
  const [only] = zeros ?? [];
  if (!zeros || zeros.length > 1) return { reason: 'More than one rate fits these cash flows.' };
  if (!only) return { reason: 'No rate fits these cash flows.' };
  const growth = bisect(terms, only);
  return { annualRate: Math.expm1((growth * 365) / days), periodRate: Math.expm1(growth), days };
}
