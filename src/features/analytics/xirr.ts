/**
 * The money-weighted rate of return: the annual rate at which all payments, compounded to the last day, sum to
 * zero. Days are counted as spreadsheets do: full days, 365 per year. A rate is no amount of money, so doubles are
 * accurate enough.
 */
import { dayMs } from '../../core/clock.ts';
import { bisect, isolateRoots, type Term } from './root-finding.ts';

export interface DatedAmount {
  /** Milliseconds since 1970; only its UTC day counts. */
  readonly at: number;
  /** From the investor's view: negative was paid in, positive was taken out or is the final value. */
  readonly amount: number;
}

export type Xirr =
  | {
      /**
       * 0.1 is 10 % a year. Very large over a few days: 5 % in one day is a rate of 54 million, so over five
       * billion percent a year.
       */
      readonly annualRate: number;
      /** The return over the complete period, not annualized. */
      readonly periodRate: number;
      readonly days: number;
    }
  | { readonly reason: string };

/** The rate, or the reason why there is none. */
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
