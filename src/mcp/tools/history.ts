import { createHash } from 'node:crypto';
import * as z from 'zod';
import { endpoints } from '../../catalogue/index.ts';
import { tickerOf } from '../../catalogue/ticker-of.ts';
import type { HistoryQuestion } from '../../history/history.ts';
import { type HistoryKind, historyKinds, type RowOf } from '../../history/kinds.ts';
import { type WalkPosition, type WalkResult, walkHistory } from '../../history/walk.ts';
import { cursor, limit, responseFormat, since, ticker, until, waitSeconds } from '../arguments.ts';
import { type Columns, tableOf, unknownCursor } from '../list.ts';
import { listOutput } from '../output.ts';
import { defineTool, type ToolCall } from '../tool.ts';

const standardLimit = 50;
/** How long a call waits for the limit when the caller did not say. */
const standardWaitSeconds = 10;

export const fetchHistory = defineTool({
  name: 'fetch_history',
  title: 'History',
  toolset: 'history',
  effect: 'reads',
  endpoints: [endpoints.listHistoricalOrders, endpoints.listDividends, endpoints.listTransactions],
  description:
    'Past orders with fills, dividends or cash transactions, newest first, paged automatically within the rate limit. complete says whether the whole range has been read.',
  input: z.strictObject({
    kind: z.enum(historyKinds, 'must be orders, dividends or transactions').meta({ description: 'Which history' }),
    since: since(),
    until: until(),
    ticker: ticker('Only this ticker').optional(),
    type: z
      .string('must be a type')
      .max(80, 'is no type')
      .optional()
      .meta({ description: 'Only this order, dividend or transaction type' }),
    limit: limit(500, standardLimit),
    cursor: cursor(),
    waitSeconds: waitSeconds('Longest wait for the rate limit, default 10'),
    responseFormat: responseFormat(),
  }),
  output: { ...listOutput, kind: z.string().optional(), coverage: z.looseObject({}).optional() },
  run: (args, call) => answer({ ...args, kind: args.kind }, args, call),
});

interface Options {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly waitSeconds?: number | undefined;
  readonly responseFormat?: 'concise' | 'detailed' | undefined;
}

async function answer<Kind extends HistoryKind>(question: HistoryQuestion<Kind>, options: Options, call: ToolCall) {
  const { kind } = question;
  const enough = options.limit ?? standardLimit;
  const mark = markOf(question);
  const waitUntil = call.clock.now() + (options.waitSeconds ?? standardWaitSeconds) * 1000;
  const result = await walkHistory(call.broker, question, {
    from: options.cursor === undefined ? undefined : readCursor(options.cursor, mark),
    enough,
    context: call.context({ waitUntil }),
    onPage: ({ rows, pages, oldest }) =>
      call.progress(
        `Read ${pages} page${pages === 1 ? '' : 's'} of ${kind}: ${rows} rows, back to ${oldest ?? 'an unknown date'}`,
        pages,
      ),
  });
  const unknownTicker = question.ticker !== undefined && result.rows.length === 0 && result.complete;
  // Rows of a delisted instrument exist, so a ticker is only doubted when nothing was found.
  if (unknownTicker && question.ticker) await call.directory.require(question.ticker, call.context());

  const chosen = result.rows.slice(0, enough);
  const rows = chosen.map(({ row }) => row);
  const cursorAfter = (kept: number) => {
    const last = chosen[kept - 1];
    const more = kept < result.rows.length || !result.complete;
    return more && last ? writeCursor(last.position, mark) : undefined;
  };
  return {
    asOf: result.asOf,
    fields: { kind, complete: result.complete, coverage: coverageOf(result), ...remarks(result) },
    list:
      options.responseFormat === 'detailed'
        ? { rows, cursorAfter }
        : { ...tableOf(rows, columnsOf[kind] as Columns<RowOf[Kind]>), cursorAfter },
  };
}

const coverageOf = (result: WalkResult<unknown>) => ({
  pagesRead: result.pagesRead,
  newest: result.newest ?? null,
  oldest: result.oldest ?? null,
});

/** Why the answer is not whole, in words; nothing when it is. */
function remarks(result: WalkResult<unknown>): Record<string, unknown> {
  switch (result.stopped) {
    case 'enough':
      return { note: 'More rows may follow: call again with nextCursor.' };
    case 'limit':
      return {
        note: `The rate limit stopped the reading: call again with nextCursor in ${result.retryAfterSeconds ?? 60} s.`,
        retryAfterSeconds: result.retryAfterSeconds,
      };
    case 'broken':
      return { note: `The reading broke off, so rows are missing: ${result.reason ?? 'unknown reason'}` };
    default:
      return {};
  }
}

/** A cursor belongs to one question: with other filters its place means nothing. */
const markOf = ({ kind, since, until, ticker, type }: HistoryQuestion): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, since, until, ticker, type]))
    .digest('hex')
    .slice(0, 12);

const writeCursor = (position: WalkPosition, mark: string): string =>
  Buffer.from(JSON.stringify([mark, position.page ?? null, position.after])).toString('base64url');

const cursorShape = z.tuple([z.string(), z.record(z.string(), z.string()).nullable(), z.string()]);

function readCursor(text: string, mark: string): WalkPosition {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    throw unknownCursor();
  }
  const parsed = cursorShape.safeParse(value);
  if (!parsed.success || parsed.data[0] !== mark) throw unknownCursor();
  return { page: parsed.data[1] ?? undefined, after: parsed.data[2] };
}

/** References and names are in the detailed form: they would double the size of a row. */
const columnsOf: { readonly [Kind in HistoryKind]: Columns<RowOf[Kind]> } = {
  orders: {
    orderId: ({ order }) => order?.id,
    filledAt: ({ fill }) => fill?.filledAt,
    createdAt: ({ order }) => order?.createdAt,
    ticker: ({ order }) => tickerOf(order),
    side: ({ order }) => order?.side,
    type: ({ order }) => order?.type,
    status: ({ order }) => order?.status,
    quantity: ({ order, fill }) => fill?.quantity ?? order?.quantity,
    price: ({ fill }) => fill?.price,
    currency: ({ order }) => order?.instrument?.currency ?? order?.currency,
    fillType: ({ fill }) => fill?.type,
    netValue: ({ fill }) => fill?.walletImpact?.netValue,
    realisedProfitLoss: ({ fill }) => fill?.walletImpact?.realisedProfitLoss,
    accountCurrency: ({ fill }) => fill?.walletImpact?.currency,
  },
  dividends: {
    paidOn: (row) => row.paidOn,
    ticker: tickerOf,
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
