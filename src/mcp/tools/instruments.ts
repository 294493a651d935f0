import * as z from 'zod';
import { type Exchange, endpoints, instrumentTypes, type TradableInstrument } from '../../catalogue/index.ts';
import { normalizeCurrency } from '../../currency-units.ts';
import { BrokerageError } from '../../errors.ts';
import { eventsWithin, findSchedule, marketHours } from '../../market/market-hours.ts';
import type { InstrumentSearch } from '../../market/search.ts';
import { cursor, integer, limit, ticker, withJsonSchema } from '../arguments.ts';
import { listOutput } from '../output-schemas.ts';
import { type Columns, paginate, toTable } from '../pagination.ts';
import { readSearchPreference } from '../search-preference.ts';
import { toIsoTimestamp } from '../timestamps.ts';
import { defineTool, type ToolCall } from '../tool.ts';

interface Match {
  readonly instrument: TradableInstrument;
  readonly why: string;
}

const matchColumns: Columns<Match> = {
  ticker: ({ instrument }) => instrument.ticker,
  name: ({ instrument }) => instrument.name,
  shortName: ({ instrument }) => instrument.shortName,
  isin: ({ instrument }) => instrument.isin,
  type: ({ instrument }) => instrument.type,
  currencyCode: ({ instrument }) => instrument.currencyCode,
  extendedHours: ({ instrument }) => instrument.extendedHours,
  maxOpenQuantity: ({ instrument }) => instrument.maxOpenQuantity,
  matched: ({ why }) => why,
};

export const searchInstruments = defineTool({
  name: 'search_instruments',
  title: 'Search instruments',
  toolset: 'instruments',
  effect: 'reads',
  // The account decides the order of the results only.
  endpoints: [endpoints.listInstruments, endpoints.listPositions, endpoints.getAccountSummary],
  description: 'Finds stocks and ETFs by ticker, ISIN or name, also misspelt; what the account holds comes first.',
  searchHint: 'find a stock, look up ticker symbol, company, fund',
  alwaysLoad: true,
  input: z.strictObject({
    query: z
      .string('must be the text to search for')
      .trim()
      .min(1, 'must not be empty')
      .max(200, 'is longer than 200 characters')
      .meta({ description: 'Ticker, ISIN or name' }),
    type: withJsonSchema(
      z.preprocess(
        (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
        z.enum(instrumentTypes, `must be one of ${instrumentTypes.join(', ')}`),
      ),
      { type: 'string', description: 'STOCK, ETF, …' },
    ).optional(),
    currency: z
      .string('must be a currency code')
      .trim()
      .max(8, 'is not a currency code')
      .optional()
      .meta({ description: 'Currency code' }),
    limit: limit(50, 10),
  }),
  output: { ...listOutput, found: z.number(), unreadable: z.number().optional() },
  run: async (args, call) => {
    const [{ index, answeredAt, unreadable }, preference] = await Promise.all([
      call.directory.search(call.context()),
      readSearchPreference(call),
    ]);
    requireKnownCurrency(args.currency, index);
    const { matches, total } = index.search(args.query, {
      type: args.type,
      currency: args.currency,
      limit: args.limit ?? 10,
      preference,
    });
    return {
      asOf: answeredAt,
      fields: {
        found: total,
        ...(unreadable > 0 ? { unreadable } : {}),
        ...(matches.length === 0
          ? {
              note: `${describeNoMatch(args, index)}${unreadable > 0 ? ` ${unreadable} more could not be read.` : ''}`,
            }
          : {}),
      },
      list: { ...toTable(matches, matchColumns), cursorAfter: () => undefined },
    };
  },
});

interface SearchFilter {
  readonly query: string;
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
}

/** Throws invalid_argument for a currency that no instrument has. */
function requireKnownCurrency(currency: string | undefined, index: InstrumentSearch): void {
  const code = normalizeCurrency(currency);
  const known = index.currencies();
  if (code === undefined || known.includes(code)) return;
  throw new BrokerageError(
    'invalid_argument',
    `No instrument has the currency ${JSON.stringify(code)}.`,
    `The currencies are: ${known.join(', ')}.`,
    { currencies: known },
  );
}

/** Says whether the words match nothing, or the filters exclude what they match. */
function describeNoMatch({ query, type, currency }: SearchFilter, index: InstrumentSearch): string {
  const filters = [type, normalizeCurrency(currency)].filter((filter) => filter !== undefined).join(' and ');
  const { matches, total } = filters === '' ? { matches: [], total: 0 } : index.search(query, { limit: 50 });
  if (total === 0) return `None of the ${index.size} instruments matches; try the ISIN or fewer words.`;
  const kinds = matches.map(({ instrument }) => `${instrument.type} in ${instrument.currencyCode}`);
  return `No match is ${filters}; without this filter there are ${total}: ${[...new Set(kinds)].slice(0, 5).join(', ')}.`;
}

interface Venue {
  readonly exchange: Exchange;
  readonly scheduleId: string;
}

export const listExchanges = defineTool({
  name: 'list_exchanges',
  title: 'Exchanges and opening hours',
  toolset: 'instruments',
  effect: 'reads',
  endpoints: [endpoints.listExchanges, endpoints.listInstruments],
  description: 'Whether each market is open now, and its next event. With a ticker, also upcoming events.',
  searchHint: 'is the market open, trading hours, opening times, holiday',
  input: z.strictObject({
    ticker: ticker('Only this ticker').optional(),
    days: integer({ min: 1, max: 42 }, { minimum: 1, maximum: 42, description: 'Days ahead for events' }).optional(),
    cursor: cursor(),
  }),
  output: { ...listOutput, events: z.array(z.array(z.unknown())).optional(), unreadable: z.number().optional() },
  run: async (args, call) => {
    const instrument = args.ticker ? await call.directory.getOrThrow(args.ticker, call.context()) : undefined;
    const { exchanges, answeredAt, unreadable } = await call.directory.exchanges(call.context());
    const now = call.clock.now();
    const venues = exchanges
      .flatMap((exchange) =>
        (exchange.workingSchedules ?? []).flatMap((schedule) =>
          schedule.id ? [{ exchange, scheduleId: schedule.id }] : [],
        ),
      )
      .filter((venue) => !instrument || venue.scheduleId === instrument.workingScheduleId);
    return {
      asOf: answeredAt,
      fields: {
        now: toIsoTimestamp(now),
        ...(unreadable > 0 ? { unreadable } : {}),
        ...(instrument && { ticker: instrument.ticker }),
        ...(instrument && venues.length === 0 ? { note: 'The opening hours of this ticker are unknown.' } : {}),
        ...(instrument || args.days ? { events: upcoming(exchanges, venues, args.days ?? 3, call) } : {}),
      },
      list: paginate(venues, venueColumns(exchanges, now), args),
    };
  },
});

const venueColumns = (exchanges: readonly Exchange[], now: number): Columns<Venue> => {
  const hours = (venue: Venue) => marketHours(exchanges, venue.scheduleId, now);
  return {
    exchange: ({ exchange }) => exchange.name,
    scheduleId: ({ scheduleId }) => scheduleId,
    openNow: (venue) => hours(venue).openNow,
    state: (venue) => hours(venue).state,
    nextEvent: (venue) => hours(venue).next?.type,
    nextAt: (venue) => hours(venue).next?.at,
    nextOpenAt: (venue) => hours(venue).nextOpenAt,
  };
};

function upcoming(exchanges: readonly Exchange[], venues: readonly Venue[], days: number, call: ToolCall): unknown[][] {
  return venues.flatMap(({ exchange, scheduleId }) => {
    const found = findSchedule(exchanges, scheduleId);
    if (!found) return [];
    return eventsWithin(found.schedule, call.clock.now(), days).map((event) => [exchange.name, event.at, event.type]);
  });
}
