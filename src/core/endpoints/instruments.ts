import { defineEndpoint } from './endpoint.ts';
import { dateTime, decimal, flag, int64, openEnum, optionalReadableArrayOf, record, row, text } from './fields.ts';
import { metadataList } from './shapes.ts';

/** The short form that orders, positions and dividends contain. */
export const instrument = record({
  /** Unique. About half of the tickers have the form `<SYMBOL>_<COUNTRY>_<KIND>`. Case-sensitive. */
  ticker: text(),
  name: text(),
  isin: text(),
  /** ISO 4217, or GBX for prices in pence. */
  currency: text(),
});

export const instrumentTypes = [
  'CRYPTOCURRENCY',
  'ETF',
  'FOREX',
  'FUTURES',
  'INDEX',
  'STOCK',
  'WARRANT',
  'CRYPTO',
  'CVR',
  'CORPACT',
] as const;

export type InstrumentType = (typeof instrumentTypes)[number];

const tradableInstrument = row({
  ticker: text(),
  type: openEnum(instrumentTypes),
  name: text(),
  shortName: text(),
  isin: text(),
  /** ISO 4217, or GBX for prices in pence. */
  currencyCode: text(),
  /** When the platform added it. */
  addedOn: dateTime(),
  extendedHours: flag(),
  maxOpenQuantity: decimal(),
  /** The id of a working schedule that the exchanges endpoint returns. */
  workingScheduleId: int64(),
});

/** Types of events in a working schedule. */
export const timeEventTypes = [
  'OPEN',
  'CLOSE',
  'BREAK_START',
  'BREAK_END',
  'PRE_MARKET_OPEN',
  'AFTER_HOURS_OPEN',
  'AFTER_HOURS_CLOSE',
  'OVERNIGHT_OPEN',
] as const;

const timeEvent = record({ date: dateTime(), type: openEnum(timeEventTypes) });
const workingSchedule = record({ id: int64(), timeEvents: optionalReadableArrayOf(timeEvent) });
const exchange = row({ id: int64(), name: text(), workingSchedules: optionalReadableArrayOf(workingSchedule) });

/** The service refreshes both metadata lists every 10 minutes. */
const refreshSeconds = 600;

export const listExchanges = defineEndpoint({
  id: 'listExchanges',
  method: 'GET',
  path: '/equity/metadata/exchanges',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 30 },
  response: metadataList(exchange),
  freshSeconds: refreshSeconds,
});

export const listInstruments = defineEndpoint({
  id: 'listInstruments',
  method: 'GET',
  path: '/equity/metadata/instruments',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 50 },
  response: metadataList(tradableInstrument),
  freshSeconds: refreshSeconds,
});

/** The ticker of a row, which has it directly, in a nested instrument, or both; undefined if it has neither. */
export const getTicker = (
  row:
    | {
        readonly ticker?: string | undefined;
        readonly instrument?: { readonly ticker?: string | undefined } | undefined;
      }
    | undefined,
): string | undefined => row?.ticker ?? row?.instrument?.ticker;
