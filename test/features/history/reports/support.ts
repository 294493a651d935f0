/** Reports for tests: from the simulator over HTTP, or written by hand. */
import type { kinds } from '../../../../src/features/history/kinds.ts';
import type { ReportRow, ReportRowOfAnyKind } from '../../../../src/features/history/reports/build-rows.ts';
import { openReport, type ReportFile, type UnreadRow } from '../../../../src/features/history/reports/read-report.ts';
import type { Quirks } from '../../../../src/simulator/index.ts';
import { setup } from '../../../simulator/support.ts';

const exports_ = '/equity/history/exports';
export const everything = {
  includeDividends: true,
  includeInterest: true,
  includeOrders: true,
  includeTransactions: true,
};
const year = { timeFrom: '2025-06-01T00:00:00Z', timeTo: '2026-06-01T00:00:00Z' };

/** The CSV of a year as the simulator serves it, its books of that year, and its instruments. */
export async function simulatedReport(
  quirks: Partial<Quirks> = {},
  range = year,
  options: { readonly rareRows?: boolean } = {},
) {
  const { simulator, clock, post, get, send } = await setup({ quirks, ...options });
  const { reportId } = (await post(exports_, { ...range, dataIncluded: everything })).json;
  await clock.advance(20_000);
  const report = (await get(exports_)).json.find((one: { reportId: number }) => one.reportId === reportId);
  const { text } = await send('GET', report.downloadLink, undefined, {});
  const within = ({ at }: { at: number }) => at >= Date.parse(range.timeFrom) && at < Date.parse(range.timeTo);
  const books = simulator.groundTruth();
  return {
    text,
    history: books.history.filter(within),
    dividends: books.dividends.filter(within),
    transactions: books.transactions.filter(within),
    instruments: (await get('/equity/metadata/instruments')).json,
  };
}

/** CSV from rows of cells, each quoted when it must be. */
export const csv = (...rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.split('"').join('""')}"` : cell);

/** CSV from records: the header is the keys of the first, in its order. */
export function table(...records: readonly Readonly<Record<string, string>>[]): string {
  const header = Object.keys(records[0] ?? {});
  return csv(header, ...records.map((record) => header.map((name) => record[name] ?? '')));
}

export const untold = { resolveTicker: () => undefined };

/** A report with all of its rows. */
export async function readReport(text: string, options: Parameters<typeof openReport>[1]) {
  const { slices, kinds: _, newestAt: __, firstRows: ___, ...file } = await openReport(text, options);
  const rows: ReportRowOfAnyKind[] = [];
  for await (const slice of slices()) rows.push(...slice);
  const of = <Kind extends keyof typeof kinds>(wanted: Kind) =>
    rows.filter(({ kind }) => kind === wanted) as unknown as ReportRow<Kind>[];
  return { orders: of('orders'), dividends: of('dividends'), transactions: of('transactions'), ...file };
}

/** The file of a report with these rows, as `openReport` returns it. */
export function fileOf(rows: readonly ReportRowOfAnyKind[], unread: readonly UnreadRow[] = []): ReportFile {
  const factsOf = (wanted: keyof typeof kinds) => {
    const own = rows.filter(({ kind }) => kind === wanted);
    const short = own.filter(({ tickerIsShort }) => tickerIsShort);
    const oldestShortAt = short.length > 0 ? Math.min(...short.map(({ at }) => at)) : undefined;
    return { rows: own.length, shortTickers: short.length, oldestShortAt };
  };
  return {
    kinds: { orders: factsOf('orders'), dividends: factsOf('dividends'), transactions: factsOf('transactions') },
    newestAt: rows.length > 0 ? Math.max(...rows.map(({ at }) => at)) : undefined,
    unread,
    isComplete: true,
    columns: [],
    firstRows: [],
    totalRows: rows.length + unread.length,
    slices: async function* () {
      yield rows;
    },
  };
}
