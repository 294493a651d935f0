import { createHash } from 'node:crypto';
import type Big from 'big.js';
import * as z from 'zod';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import {
  cursor,
  isValidRange,
  limit,
  rangeError,
  responseFormat,
  since,
  ticker,
  until,
  waitSeconds,
  withJsonSchema,
} from '../../core/mcp/arguments.ts';
import { positive, sideOf } from '../../core/mcp/order-arguments.ts';
import {
  amount,
  count,
  groups,
  itemFields,
  listOutput,
  oneOf,
  tableOrObjects,
  text,
  texts,
  yesNo,
} from '../../core/mcp/output-schemas.ts';
import { type Columns, type ResponseFormat, toTable, unknownCursor } from '../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../core/mcp/tool.ts';
import { coverageNote, describeImport, historyProgress, oneCoverage } from './coverage-notes.ts';
import { readTaxZone, resolveRange } from './date-range.ts';
import { describeEmpty, requireKnownType, typeFields } from './empty-history.ts';
import type { HistoryDeps } from './history-deps.ts';
import type { HistoryQuery } from './history-port.ts';
import { type HistoryKind, historyEndpoints, historyKinds, kinds, type RowOf } from './kinds.ts';
import type { RowPosition } from './mirror.ts';

const standardLimit = 50;
/** Seconds that a call waits for the rate limit when the caller gave no time. */
const standardWaitSeconds = 10;

export const fetchHistory = defineTool({
  name: 'fetch_history',
  title: 'History',
  toolset: 'history',
  effect: 'reads',
  endpoints: [...historyEndpoints, endpoints.getAccountSummary],
  description:
    'Lists trades ever made (past purchases and sales), dividends or transactions (deposits, withdrawals, interest), last ones first.',
  searchHint:
    'past trades, what did I buy, sold, when did I sell and for how much, list all my trades in it, transactions in March, deposits, how much have I paid in or deposited, withdrawals, did my withdrawal go out, interest, how much interest did I earn, did they pay me yet, recent purchases, activity, history, list of trades, executed orders, what did I sell last week or last year, when did I buy it, at which price, bought, purchases, deposits this tax year, money I put in, top ups, transfers, paid out, interest earned or paid on my cash, statement of transactions, dividends received, latest, past orders',
  alwaysLoad: true,
  input: z
    .strictObject({
      kind: z.enum(historyKinds, 'must be orders, dividends or transactions').meta({ description: 'orders: filled' }),
      since: since(),
      until: until(),
      ticker: ticker('Only this').optional(),
      type: withJsonSchema(z.string('must be a type').max(80, 'is not a type'), {
        type: 'string',
        description: 'Type or beginning',
      }).optional(),
      limit: limit(500, standardLimit),
      cursor: cursor(),
      waitSeconds: waitSeconds('Default 10'),
      responseFormat: responseFormat(),
    })
    .refine(isValidRange, rangeError)
    .refine(({ kind, ticker }) => kind !== 'transactions' || ticker === undefined, 'Transactions have no ticker'),
  output: () => ({
    ...listOutput(),
    ...tableOrObjects(
      Object.values(columnsByKind),
      historyKinds.map((kind) => z.looseObject({ ...itemFields(kinds[kind].endpoint.response), ...reportedFields() })),
    ),
    kind: oneOf(historyKinds),
    coverage: oneCoverage(),
    next: text(),
    retryAfterSeconds: count(),
    rowsComplete: text(),
    rowsArrived: text(),
    provisional: yesNo(),
    timeZone: text(),
    sums: groups({ type: text(), currency: text(), count: count(), amount: amount() }),
    matchedTypes: texts(),
    longerTypes: texts(),
  }),
  run: async (args, call, deps: HistoryDeps) => {
    const { kind, since, until, ticker, type } = args;
    // Times have a zone of their own, so only a date needs one.
    const hasDate = since?.day !== undefined || until?.day !== undefined;
    const { zone, ...range } = resolveRange(
      { since, until },
      hasDate ? await readTaxZone(call, deps) : 'UTC',
      deps.clock.now(),
    );
    const reply = await answer({ kind, ...range, ticker, type }, args, call, deps);
    return hasDate ? { ...reply, fields: { timeZone: zone, ...reply.fields } } : reply;
  },
});

async function answer<Kind extends HistoryKind>(
  question: HistoryQuery<Kind>,
  options: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
    readonly waitSeconds?: number | undefined;
    readonly responseFormat?: ResponseFormat | undefined;
  },
  call: ToolCall,
  deps: HistoryDeps,
) {
  const { kind } = question;
  const most = options.limit ?? standardLimit;
  const mark = computeMark(question);
  const from = options.cursor === undefined ? undefined : readCursor(options.cursor, mark);
  const page = await deps.history.page(question, {
    after: from?.place,
    most,
    // A caller that gives a wait time wants all rows; otherwise the call returns as soon as there are enough rows.
    wantsAll: options.waitSeconds !== undefined,
    // Sums cover all matching rows, because a model would add up the page it sees. Orders have no single amount to add.
    alsoMatching: kind !== 'orders' && from === undefined,
    context: call.context({ waitUntil: deps.clock.now() + (options.waitSeconds ?? standardWaitSeconds) * 1000 }),
    onProgress: historyProgress(call),
  });
  const { coverage } = page;
  const count = page.before + page.rows.length + page.after;
  const isEmpty = count === 0;
  requireKnownType(page.typeMatch, kind, coverage);
  // Old rows can belong to delisted instruments, so the ticker is checked only when no rows were found.
  if (question.ticker !== undefined && isEmpty && !page.outside && coverage.complete)
    await deps.directory.getOrThrow(question.ticker, call.context());

  const rows = page.rows.map(({ row }) => row);
  const cursorAfter = (kept: number) => {
    const last = page.rows[kept - 1];
    // While the history is being read, more rows may follow the last known one.
    const more = kept < page.rows.length || page.after > 0 || coverage.reading;
    if (!more) return undefined;
    return last ? writeCursor({ place: last.place, before: page.before + kept }, mark) : options.cursor;
  };
  const arrived = from ? page.before - from.before : 0;
  return {
    asOf: page.asOf,
    fields: {
      kind,
      complete: coverage.complete,
      coverage,
      ...typeFields(page.typeMatch),
      ...withHints(coverageNote(coverage), {
        note: isEmpty ? describeEmpty(question, page) : undefined,
        next: await describeImport(deps, coverage),
      }),
      ...(!coverage.complete && page.isComplete
        ? { rowsComplete: 'These rows have no gap; only older rows are missing.' }
        : {}),
      ...(page.matching && !coverage.complete ? { provisional: true } : {}),
      ...(page.matching ? { sums: formatSums(page.matching as readonly RowOf['dividends' | 'transactions'][]) } : {}),
      ...(arrived > 0 ? { rowsArrived: `${arrived} newer rows arrived. Call again without cursor to see them.` } : {}),
    },
    list: {
      ...(options.responseFormat === 'detailed'
        ? { rows }
        : toTable(rows, columnsByKind[kind] as Columns<RowOf[Kind]>)),
      asObjects: options.responseFormat === 'objects',
      cursorAfter,
      isContinued: from !== undefined,
      // While rows are missing, the stored ones are not all that match.
      ...(coverage.complete ? { count } : {}),
    },
  };
}

/** The note of an incomplete result and its next step, each with a second sentence if there is one. */
function withHints<Notes extends { readonly note?: string; readonly next?: string }>(
  fields: Notes,
  hints: { readonly note: string | undefined; readonly next: string | undefined },
): Notes {
  const note = [fields.note, hints.note].filter((text) => text !== undefined).join(' ');
  const next = [fields.next, hints.next].filter((text) => text !== undefined).join(' ');
  return { ...fields, ...(note === '' ? {} : { note }), ...(next === '' ? {} : { next }) };
}

/** Sums of every matching row, not of this page only. */
const formatSums = (rows: readonly RowOf['dividends' | 'transactions'][]) =>
  typeTotals(rows).map(({ amount, ...rest }) => ({ ...rest, amount: amount.toFixed() }));

/** What a report says of a dividend, and whether a row is of one. */
const reportedFields = () => ({
  fromReport: yesNo(),
  withholdingTax: amount(),
  withholdingTaxCurrency: text(),
  withholdingTaxIsAmbiguous: yesNo(),
});

/** Identifies the query of a cursor: with other filters its position means nothing. */
const computeMark = ({ kind, since, until, ticker, type }: HistoryQuery): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, since, until, ticker, type]))
    .digest('hex')
    .slice(0, 12);

/** The last returned row, and how many rows were returned up to it. */
interface CursorPosition {
  readonly place: RowPosition;
  readonly before: number;
}

const writeCursor = ({ place, before }: CursorPosition, mark: string): string =>
  Buffer.from(JSON.stringify([mark, place.at, place.key, before])).toString('base64url');

const cursorShape = z.tuple([z.string(), z.number(), z.string().max(64), z.number().int().min(0)]);

function readCursor(text: string, mark: string): CursorPosition {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw unknownCursor();
  }
  const parsed = cursorShape.safeParse(value);
  if (!parsed.success || parsed.data[0] !== mark) throw unknownCursor();
  const [, at, key, before] = parsed.data;
  return { place: { at, key }, before };
}

/** References and names are only in the detailed format, because they would double the size of a row. */
const columnsByKind: { readonly [Kind in HistoryKind]: Columns<RowOf[Kind]> } = {
  orders: {
    orderId: ({ order }) => order?.id,
    filledAt: ({ fill }) => fill?.filledAt,
    createdAt: ({ order }) => order?.createdAt,
    ticker: ({ order }) => getTicker(order),
    side: ({ order }) => order && sideOf(order),
    type: ({ order }) => order?.type,
    status: ({ order }) => order?.status,
    quantity: ({ order, fill }) => positive(fill?.quantity ?? order?.quantity),
    price: ({ fill }) => fill?.price,
    currency: ({ order }) => order?.instrument?.currency ?? order?.currency,
    fillType: ({ fill }) => fill?.type,
    netValue: ({ fill }) => fill?.walletImpact?.netValue,
    realisedProfitLoss: ({ fill }) => fill?.walletImpact?.realisedProfitLoss,
    accountCurrency: ({ fill }) => fill?.walletImpact?.currency,
  },
  dividends: {
    paidOn: (row) => row.paidOn,
    ticker: getTicker,
    type: (row) => row.type,
    quantity: (row) => row.quantity,
    grossAmountPerShare: (row) => row.grossAmountPerShare,
    tickerCurrency: (row) => row.tickerCurrency,
    amount: (row) => row.amount,
    currency: (row) => row.currency,
  },
  transactions: {
    dateTime: (row) => row.dateTime,
    type: (row) => row.type,
    amount: (row) => row.amount,
    currency: (row) => row.currency,
  },
};

// Exact sums of dividends or transactions, one per type and currency.

export interface TypeTotal {
  readonly type: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: Big;
}

interface Booking {
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
  readonly amount?: string | undefined;
}

/** Sums in the order in which the types first occur, with the service's signs. Rows without an amount are left out. */
export function typeTotals(rows: readonly Booking[]): TypeTotal[] {
  const sums = new Map<string, { type: string; currency: string; sum: ExactSum }>();
  for (const { type = 'unknown', currency = 'unknown', amount } of rows) {
    if (amount === undefined) continue;
    const name = `${currency} ${type}`;
    const entry = sums.get(name) ?? { type, currency, sum: createSum() };
    entry.sum.add(amount);
    sums.set(name, entry);
  }
  return [...sums.values()].map(({ type, currency, sum }) => ({
    type,
    currency,
    count: sum.count,
    amount: sum.total(),
  }));
}
