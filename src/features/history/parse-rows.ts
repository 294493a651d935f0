/** Turns stored rows back into the rows of the service. */
import type { HistoryKind, RowOf } from './kinds.ts';
import type { HistoryView } from './ports.ts';
import { addReportedTax } from './reported-tax.ts';

/** Parses stored rows, and completes dividends by what only reports have. */
export async function parseRows<Kind extends HistoryKind>(
  tx: HistoryView,
  kind: Kind,
  stored: readonly { readonly data: string }[],
): Promise<RowOf[Kind][]> {
  const rows = stored.map(({ data }) => JSON.parse(data) as never);
  return kind === 'dividends' ? ((await addReportedTax(tx, rows)) as never) : rows;
}
