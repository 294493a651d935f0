import * as z from 'zod';
import type { Broker } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import { endpoints, instrumentTypes, type TradableInstrument } from '../../core/endpoints/index.ts';
import { BrokerageError } from '../../core/errors.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';
import { limit, withJsonSchema } from '../../core/mcp/arguments.ts';
import { count, listOutput, table } from '../../core/mcp/output-schemas.ts';
import { type Columns, toTable } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import { normalizeCurrency } from '../../core/text/currency-units.ts';
import { type InstrumentSearch, searchIn } from './search.ts';
import type { SearchPreference } from './search-rank.ts';

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
  description: 'Finds stocks, companies and funds by ticker symbol, ISIN or name.',
  searchHint:
    'find a stock, look up a ticker symbol, what is the ticker or ISIN for a company, find a fund, is there an ETF I can buy, can I trade it here, is it listed, does this broker have it, search, which ticker, name of a company, is it available here, do they have it, can I buy bitcoin, gold, crypto, index fund, tracker, bond, S&P 500, world, all-world, find me',
  alwaysLoad: true,
  input: z.strictObject({
    query: z
      .string('must be the text to search for')
      .trim()
      .min(1, 'must not be empty')
      .max(200, 'is longer than 200 characters')
      .meta({ description: 'Ticker, name or ISIN' }),
    type: withJsonSchema(
      z.preprocess(
        (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
        z.enum(instrumentTypes, `must be one of ${instrumentTypes.join(', ')}`),
      ),
      { type: 'string', description: 'Such as ETF' },
    ).optional(),
    currency: z
      .string('must be a currency code')
      .trim()
      .max(8, 'is not a currency code')
      .optional()
      .meta({ description: 'Code' }),
    limit: limit(50, 10),
  }),
  output: () => ({
    ...listOutput(),
    ...table(matchColumns, { extendedHours: z.boolean() }),
    found: z.number(),
    unreadable: count(),
  }),
  run: async (args, call, deps: SearchDeps) => {
    const [{ instruments, answeredAt, unreadable }, preference] = await Promise.all([
      deps.directory.instruments(call.context()),
      readSearchPreference(call, deps),
    ]);
    const index = searchIn(instruments);
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

// What decides between instruments that fit a search equally well: what the account holds, and its currency.

/** How long (ms) they are used; an instrument that was bought since is found as well, only later in the list. */
const maxAgeMs = 10 * 60_000;

const lastRead = new WeakMap<SearchDeps['broker'], { readonly at: number; readonly preference: SearchPreference }>();

/** A search needs these for the order of its results only, so it waits at most this long (ms) for them. */
const maxWaitMs = 2_000;

/** Never throws: without the positions, a search returns the same instruments in another order. */
export async function readSearchPreference(call: ToolCall, deps: SearchDeps): Promise<SearchPreference> {
  const now = deps.clock.now();
  const last = lastRead.get(deps.broker);
  if (last && last.at <= now && now < last.at + maxAgeMs) return last.preference;
  const preference = await readAccount(call, deps, now);
  if (preference) lastRead.set(deps.broker, { at: now, preference });
  return preference ?? {};
}

async function readAccount(call: ToolCall, deps: SearchDeps, now: number): Promise<SearchPreference | undefined> {
  // Takes no turn at the rate limit that an order or another tool waits for.
  const context = { ...call.context({ waitUntil: now }), deadlineAt: Math.min(call.deadlineAt, now + maxWaitMs) };
  const positions = await deps.broker.call(endpoints.listPositions, {}, context).then(
    ({ data }) => data,
    // A search also works with a key that may not read positions, and while the service refuses them.
    () => undefined,
  );
  if (!positions) return undefined;
  const held = new Set(positions.flatMap(({ instrument }) => instrument?.ticker ?? []));
  const currency = positions.find(({ walletImpact }) => walletImpact?.currency)?.walletImpact?.currency;
  if (currency !== undefined) return { held, currency };
  const summary = await deps.broker.call(endpoints.getAccountSummary, {}, context).then(
    ({ data }) => data,
    // As above.
    () => undefined,
  );
  return { held, currency: summary?.currency };
}

/** What the search for instruments needs. */
export interface SearchDeps {
  readonly clock: Clock;
  readonly broker: Broker;
  readonly directory: InstrumentDirectory;
}
