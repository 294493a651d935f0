/** Writes the rows of a page to the store: inserts new rows, updates changed ones and removes replaced ones. */
import { type HistoryDefinition, type HistoryKind, kinds, type RowOf, unfilledKey } from './kinds.ts';
import type { Segment } from './mirror-state.ts';
import { type HistoryChange, type StoredRow, undatedSortKey } from './ports.ts';
import { toTimestamp } from './segments.ts';

export interface PageRows {
  readonly keys: readonly string[];
  readonly known: ReadonlyMap<string, { readonly segment: number; readonly data: string }>;
  /** The other segments of the mirror. */
  readonly stretches: readonly Pick<Segment, 'id'>[];
  /** The id of the segment that is being read. */
  readonly own: number;
}

export async function writeRows(
  tx: HistoryChange,
  kind: HistoryKind,
  items: readonly RowOf[HistoryKind][],
  { keys, known, stretches, own }: PageRows,
): Promise<void> {
  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  // A row keeps its first segment, so that the meeting of two segments can be detected.
  const others = new Set(stretches.map(({ id }) => id));
  const rows = items.map((row, index): StoredRow => {
    const key = keys[index] as string;
    const had = known.get(key)?.segment;
    return storedRow(facts, row, key, had !== undefined && others.has(had) ? had : own);
  });
  const hasChanged = (row: StoredRow) => {
    const had = known.get(row.key);
    return had?.data !== row.data || had.segment !== row.segment;
  };
  await tx.put('pages', rows.filter(hasChanged));
  if (kind === 'orders') await removeReplaced(tx, items as readonly RowOf['orders'][], keys);
}

/**
 * Removes the row that an order had before its first fill, because the fill's row replaces it. The row of a
 * cancelled order stays.
 */
async function removeReplaced(
  tx: HistoryChange,
  rows: readonly RowOf['orders'][],
  keys: readonly string[],
): Promise<void> {
  const filled = new Set(rows.flatMap(({ order, fill }) => (fill && order?.id) || []));
  const unfilled = [...filled].map(unfilledKey).filter((key) => !keys.includes(key));
  const replaced = (await tx.known(unfilled)).filter(({ isFinal, data }) => {
    const { order } = JSON.parse(data) as RowOf['orders'];
    return !isFinal || order?.status === 'FILLED';
  });
  if (replaced.length === 0) return;
  await tx.remove(
    'pages',
    replaced.map(({ key }) => key),
  );
}

export function storedRow<Row>(facts: HistoryDefinition<Row>, row: Row, key: string, segment: number): StoredRow {
  return {
    key,
    at: toTimestamp(facts.getDate(row)) ?? undatedSortKey,
    ticker: facts.getTicker(row),
    type: facts.getType(row),
    isFinal: facts.isFinal(row),
    segment,
    data: JSON.stringify(row),
  };
}
