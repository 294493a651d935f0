/** A return in one sentence, and what the caller can do about one that is unknown. */

import type Big from 'big.js';
import { toZoneDate } from '../../../core/text/dates.ts';
import { formatMoney, formatPercent } from '../../../core/text/format-figures.ts';
import type { ZonedRange } from '../../history/date-range.ts';
import type { HoldingReturn } from '../holding-return.ts';
import type { Returns } from '../returns.ts';

/** `isWhole` says that all rows have been read: a sum of a part of them is not named. */
export function describeReturn(result: Returns, range: ZonedRange, isWhole: boolean): string {
  const percent = result.gainPercent && `${formatPercent(result.gainPercent)} % of net deposits`;
  const gain = describeGain('the account', result, { range, isWhole, percent });
  if (result.gain || !isWhole) return gain;
  const known = nameFigures([
    ['dividends', result.dividends],
    ['interest', result.interest],
    ['realised', result.realised],
    ['account fees', result.accountFees],
    ['paid in', result.moneyIn],
    ['paid out', result.moneyOut],
  ]);
  return `${gain} Known${inCurrency(result.currency)}: ${known}.`;
}

export function describeHoldingReturn(result: HoldingReturn, question: Said & { readonly ticker: string }): string {
  const gain = describeGain(question.ticker, result, question);
  if (!question.isWhole) return gain;
  const parts: Figure[] = [
    ['dividends', result.dividends],
    ['charges', result.charges],
    ['realised by sales', result.realised],
  ];
  const known = result.gain ? nameFigures([['from prices', result.priceGain], ...parts]) : nameFigures(parts);
  return `${gain} ${result.gain ? 'Of it' : 'Known'}${inCurrency(result.currency)}: ${known}.`;
}

interface Said {
  readonly range: ZonedRange;
  readonly isWhole: boolean;
  readonly percent?: string | undefined;
}

type Gained = Pick<Returns, 'gain' | 'currency' | 'end' | 'moneyWeighted'>;

/** Who gained or lost how much, or that it is unknown. */
function describeGain(who: string, result: Gained, { range, isWhole, percent }: Said): string {
  const span = describeSpan(result, range);
  const { gain, currency } = result;
  if (!isWhole) return `What ${who} gained ${span} is unknown until all rows have been read.`;
  if (!gain) return `What ${who} gained ${span} is unknown.`;
  const rates = [percent ?? describePeriodRate(result), describeYearlyRate(result)].filter(
    (rate) => rate !== undefined,
  );
  const amount = `${formatMoney(gain.abs())}${currency === undefined ? '' : ` ${currency}`}`;
  return `${capitalize(span)}, ${who} ${gain.lt(0) ? 'lost' : 'gained'} ${amount}${rates.length > 0 ? ` (${rates.join('; ')})` : ''}.`;
}

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * The ways to a gain that is unknown for want of the value at the start. `calculateAll` computes that of all time;
 * undefined where there is none to name.
 */
export function describeWaysOut(
  { unknown }: Pick<Returns, 'unknown'>,
  { since, zone }: ZonedRange,
  calculateAll?: () => Returns,
): string | undefined {
  if (since === undefined || !unknown.some(({ code }) => code === 'value_at_start_unknown')) return undefined;
  const all = calculateAll?.();
  const rate = all && describeYearlyRate(all);
  const sinceFirst = rate && `: ${rate} since ${all.moneyWeighted.from}`;
  return `Ask the user for the value at the start of ${toZoneDate(since, zone)}, which the broker's application shows, and give it as valueAtStart; or ask for period all${sinceFirst ?? ''}.`;
}

type Rated = Pick<Returns, 'moneyWeighted'>;

/** Such as `from 2026-01-01 to 2026-11-24`. */
function describeSpan({ moneyWeighted, end }: Gained, { since, until, zone }: ZonedRange): string {
  const from = moneyWeighted.from ?? (since === undefined ? 'the first deposit' : toZoneDate(since, zone));
  const last = end?.at ?? (until === undefined ? undefined : until - 1);
  return `from ${from} to ${last === undefined ? 'now' : toZoneDate(last, zone)}`;
}

const describePeriodRate = ({ moneyWeighted: { periodPercent } }: Rated): string | undefined =>
  periodPercent === undefined ? undefined : `${formatPercent(periodPercent)} % money-weighted`;

/** Only of a year and more: a part of a year says nothing of a complete one. */
const describeYearlyRate = ({ moneyWeighted: { annualPercent, days = 0 } }: Rated): string | undefined =>
  annualPercent === undefined || days < 365 ? undefined : `${formatPercent(annualPercent)} % a year`;

type Figure = readonly [name: string, amount: Big | undefined];

const nameFigures = (figures: readonly Figure[]): string =>
  figures.map(([name, amount]) => `${name} ${formatMoney(amount) ?? 'unknown'}`).join(', ');

const inCurrency = (currency: string | undefined): string => (currency === undefined ? '' : ` in ${currency}`);
