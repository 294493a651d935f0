/** The range that a question asks for, and the time zone of its days. */

import { dayMs } from '../../core/clock.ts';
import { type AccountSummary, endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError, hasCode, isAbort } from '../../core/errors.ts';
import { log } from '../../core/log.ts';
import { type PeriodWord, type RangeArguments, type RangeBound, rangeError } from '../../core/mcp/arguments.ts';
import type { ToolCall } from '../../core/mcp/tool.ts';
import {
  findDayStart,
  findTaxYear,
  parseTaxYear,
  resolveZone,
  taxYearZone,
  toZoneDate,
} from '../../core/text/dates.ts';
import type { HistoryDeps } from './history-deps.ts';

export interface DateRange {
  /** Inclusive and exclusive bounds (ms); undefined means unbounded. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export interface ZonedRange extends DateRange {
  /** The zone (IANA) that dates the rows, and in which a date of the range begins. */
  readonly zone: string;
}

/** The first and the last day (YYYY-MM-DD) of a range, of which a question has the end exclusive. */
export const nameRange = ({ since, until, zone }: ZonedRange) => ({
  since: since === undefined ? undefined : toZoneDate(since, zone),
  until: until === undefined ? undefined : toZoneDate(until - 1, zone),
});

/** The zone that dates the rows of an account, from its currency. */
export const zoneOf = ({ config }: Pick<HistoryDeps, 'config'>, currency: string | undefined): string =>
  resolveZone(config.taxZone, currency);

/**
 * The bounds of a question in a zone at `now` (ms). A tax year is that of the United Kingdom, and its days are those of
 * London. Throws invalid_argument for a range that ends before it begins, and for one that starts in the future.
 */
export function resolveRange(asked: RangeArguments, zone: string, now: number): ZonedRange {
  const range = toBounds(asked, zone, now);
  if (range.since !== undefined && range.until !== undefined && range.since >= range.until)
    throw new BrokerageError('invalid_argument', `${rangeError}.`, `A date begins at midnight in ${zone}.`);
  if (range.since !== undefined && range.since > now) {
    const today = toZoneDate(now, range.zone);
    throw new BrokerageError(
      'invalid_argument',
      'The range starts in the future.',
      `Today is ${today} in ${range.zone}: give a range that starts by now.`,
      { today },
    );
  }
  return range;
}

function toBounds({ since, until, taxYear, period }: RangeArguments, zone: string, now: number): ZonedRange {
  if (period !== undefined) return { since: findPeriodStart(period, zone, now), until: undefined, zone };
  const year = taxYear === undefined ? undefined : parseTaxYear(taxYear);
  if (year) return { since: year.since, until: year.until, zone: taxYearZone };
  const toMs = (bound: RangeBound | undefined) =>
    bound?.day === undefined ? bound?.at : findDayStart(bound.day, zone);
  return { since: toMs(since), until: toMs(until), zone };
}

/** When a period that ends at `now` began (ms) in a zone; undefined for all time. */
function findPeriodStart(period: PeriodWord, zone: string, now: number): number | undefined {
  const today = toZoneDate(now, zone);
  const [year, month] = today.split('-');
  // A day of the calendar, so midnight in UTC names it.
  const date = new Date(today);
  const starts: Record<PeriodWord, () => number | undefined> = {
    today: () => findDayStart(today, zone),
    week: () => {
      const daysSinceMonday = (date.getUTCDay() + 6) % 7;
      return findDayStart(toZoneDate(date.getTime() - daysSinceMonday * dayMs, 'UTC'), zone);
    },
    month: () => findDayStart(`${year}-${month}-01`, zone),
    year: () => findDayStart(`${year}-01-01`, zone),
    taxYear: () => findTaxYear(now, zone).since,
    all: () => undefined,
  };
  return starts[period]();
}

/**
 * The zone that dates the rows of the account, for a tool that does not read the account otherwise: the owner's setting,
 * or from the currency of a stored daily value. Only without both it reads the account.
 */
export async function readTaxZone(call: ToolCall, deps: HistoryDeps): Promise<string> {
  if (deps.config.taxZone !== undefined) return deps.config.taxZone;
  const stored = (await deps.dailyValues()).at(-1)?.currency;
  return zoneOf(deps, stored ?? (await readCurrency(call, deps))?.currency);
}

const readCurrency = (call: ToolCall, deps: HistoryDeps): Promise<AccountSummary | undefined> =>
  deps.broker.call(endpoints.getAccountSummary, {}, call.context()).then(
    ({ data }) => data,
    (error: unknown) => {
      if (isAbort(error) || hasCode(error, 'cancelled')) throw error;
      // The histories can be readable where the account is not; the zone of this machine dates their rows then.
      log.fault('read the currency of the account', error);
      return undefined;
    },
  );
