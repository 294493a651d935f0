import * as z from 'zod';
import { type Exchange, endpoints } from '../endpoints/index.ts';
import { eventsWithin, findSchedule, type MarketHours, marketHours } from '../instruments/market-hours.ts';
import { cursor, integer, responseFormat, ticker } from '../mcp/arguments.ts';
import { count, group, listOutput, table, tableOrObjects, text } from '../mcp/output-schemas.ts';
import { type Columns, type ListPage, type ListRequest, paginate, toTable } from '../mcp/pagination.ts';
import { defineTool } from '../mcp/tool.ts';
import { toIsoTimestamp } from '../text/dates.ts';
import { groupBy } from '../text/group-by.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

/** Days of events for a ticker when the caller gave none. */
const standardDays = 3;
const maxDays = 42;

export const listExchanges = defineTool({
  name: 'list_exchanges',
  title: 'Exchanges and opening hours',
  toolset: 'instruments',
  effect: 'reads',
  endpoints: [endpoints.listExchanges, endpoints.listInstruments],
  description:
    'Whether each market (exchange) is open or closed now; with ticker or days, its trading hours and holidays.',
  searchHint:
    'is the market open, the stock exchange open today or shut, when does it open or close tomorrow, on Monday, trading hours, opening times, after hours, pre-market, holiday, New York, London, LSE, NYSE, Nasdaq, can still trade now, at this time, closing time, tonight, weekend, bank holiday, it open right now, what time does it close, extended hours, Xetra, when is the next trading day, market hours, half day, early close, public holiday, Christmas, Wall Street, Frankfurt, opening bell, morning, closed, is it too late to trade, can I trade today, exchange schedule, calendar, trading session, in our time',
  input: z.strictObject({
    ticker: ticker('Only this').optional(),
    days: integer({ min: 1, max: maxDays }, `1 to ${maxDays}`).optional(),
    cursor: cursor(),
    responseFormat: responseFormat().meta({ description: 'detailed: schedules' }),
  }),
  output: () => ({
    ...listOutput(),
    ...tableOrObjects([exchangeColumns, venueColumns, eventColumns], [], {
      open: z.enum(openStates),
      openNow: z.boolean(),
    }),
    now: text(),
    ticker: text(),
    events: group(table(eventColumns)),
    unreadable: count(),
  }),
  run: async (args, call, deps: EndpointDeps) => {
    const instrument = args.ticker ? await deps.directory.getOrThrow(args.ticker, call.context()) : undefined;
    const { exchanges, answeredAt, unreadable } = await deps.directory.exchanges(call.context());
    const now = deps.clock.now();
    const venues = listVenues(exchanges, now);
    const chosen = instrument ? venues.filter(({ scheduleId }) => scheduleId === instrument.workingScheduleId) : venues;
    const events = listEvents(exchanges, chosen, { now, days: args.days ?? standardDays });
    const showsSchedules = instrument !== undefined || args.days !== undefined || args.responseFormat === 'detailed';
    return {
      asOf: answeredAt,
      fields: {
        now: toIsoTimestamp(now),
        ...(unreadable > 0 ? { unreadable } : {}),
        ...(instrument ? { ticker: instrument.ticker, events: toTable(events, eventColumns) } : {}),
        ...(instrument && chosen.length === 0 ? { note: 'The opening hours of this ticker are unknown.' } : {}),
        ...(showsSchedules && !instrument ? { note: scheduleNote } : {}),
      },
      list: showsSchedules
        ? listSchedules(chosen, !instrument && args.days !== undefined ? events : undefined, args)
        : paginate(groupByExchange(venues), exchangeColumns, args),
    };
  },
});

const scheduleNote = 'An exchange has a schedule for each group of its instruments; a ticker has one of them.';

/** One schedule of an exchange, at a moment. */
interface Venue {
  readonly exchange: string | undefined;
  readonly scheduleId: string;
  readonly hours: MarketHours;
}

const listVenues = (exchanges: readonly Exchange[], now: number): Venue[] =>
  exchanges.flatMap(({ name, workingSchedules }) =>
    (workingSchedules ?? []).flatMap(({ id }) =>
      id ? [{ exchange: name, scheduleId: id, hours: marketHours(exchanges, id, now) }] : [],
    ),
  );

const venueColumns: Columns<Venue> = {
  exchange: ({ exchange }) => exchange,
  scheduleId: ({ scheduleId }) => scheduleId,
  openNow: ({ hours }) => hours.openNow,
  state: ({ hours }) => hours.state,
  nextEvent: ({ hours }) => hours.next?.type,
  nextAt: ({ hours }) => hours.next?.at,
  nextOpenAt: ({ hours }) => hours.nextOpenAt,
};

interface UpcomingEvent {
  readonly exchange: string | undefined;
  readonly scheduleId: string;
  readonly at: string;
  readonly type: string;
}

const eventColumns: Columns<UpcomingEvent> = {
  exchange: ({ exchange }) => exchange,
  scheduleId: ({ scheduleId }) => scheduleId,
  at: ({ at }) => at,
  event: ({ type }) => type,
};

const listEvents = (
  exchanges: readonly Exchange[],
  venues: readonly Venue[],
  { now, days }: { readonly now: number; readonly days: number },
): UpcomingEvent[] =>
  venues.flatMap(({ exchange, scheduleId }) => {
    const found = findSchedule(exchanges, scheduleId);
    return found
      ? eventsWithin(found.schedule, now, days).map(({ at, type }) => ({ exchange, scheduleId, at, type }))
      : [];
  });

/** The events of all schedules are too many for one result, so they are the rows; else the schedules are. */
const listSchedules = (
  venues: readonly Venue[],
  events: readonly UpcomingEvent[] | undefined,
  { cursor, responseFormat }: ListRequest,
): ListPage => {
  // Detailed asks for the schedules, which are a table too.
  const request = { cursor, responseFormat: responseFormat === 'objects' ? responseFormat : undefined };
  return events ? paginate(events, eventColumns, request) : paginate(venues, venueColumns, request);
};

const openStates = ['yes', 'no', 'partly', 'unknown'] as const;

interface ExchangeNow {
  readonly exchange: string | undefined;
  readonly open: (typeof openStates)[number];
  readonly next: MarketHours['next'];
  readonly nextOpenAt: string | undefined;
}

const exchangeColumns: Columns<ExchangeNow> = {
  exchange: ({ exchange }) => exchange,
  open: ({ open }) => open,
  nextEvent: ({ next }) => next?.type,
  nextAt: ({ next }) => next?.at,
  nextOpenAt: ({ nextOpenAt }) => nextOpenAt,
};

/** One line for each exchange; its schedules can differ, so it can be open in part. */
function groupByExchange(venues: readonly Venue[]): ExchangeNow[] {
  const groups = groupBy(venues, ({ exchange }) => exchange);
  return [...groups].map(([exchange, members]) => {
    const states = members.map(({ hours }) => hours.openNow);
    const open = states.includes(true);
    const isSame = states.every((state) => state === states[0]);
    const next = earliest(members.flatMap(({ hours }) => hours.next ?? []));
    const nextOpen = open ? undefined : earliest(members.flatMap(({ hours }) => toMoment(hours.nextOpenAt)));
    return {
      exchange,
      open: isSame ? (states[0] === undefined ? 'unknown' : open ? 'yes' : 'no') : open ? 'partly' : 'unknown',
      next,
      nextOpenAt: nextOpen?.at,
    };
  });
}

const toMoment = (at: string | undefined) => (at === undefined ? [] : [{ at }]);

const earliest = <Moment extends { readonly at: string }>(moments: readonly Moment[]): Moment | undefined =>
  moments.reduce<Moment | undefined>(
    (first, moment) => (first && Date.parse(first.at) <= Date.parse(moment.at) ? first : moment),
    undefined,
  );
