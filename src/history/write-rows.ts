/** The rows of a page in the store: new ones, changed ones, and the end of those that they take the place of. */
import { type HistoryDefinition, type HistoryKind, kinds, type RowOf, unfilledKey } from './kinds.ts';
import type { Segment } from './mirror-state.ts';
import { type HistoryChange, type StoredRow, undatedSortKey } from './ports.ts';
import { toTimestamp } from './segments.ts';

export interface PageRows {
  readonly keys: readonly string[];
  readonly known: ReadonlyMap<string, { readonly stretch: number; readonly data: string }>;
  /** Those that there are beside the one that is read. */
  readonly stretches: readonly Pick<Segment, 'id'>[];
  readonly own: number;
}

export async function writeRows(
  tx: HistoryChange,
  kind: HistoryKind,
  items: readonly RowOf[HistoryKind][],
  { keys, known, stretches, own }: PageRows,
): Promise<void> {
  const facts = kinds[kind] as HistoryDefinition<RowOf[HistoryKind]>;
  // A row stays with the stretch that had it first, so that it is seen where the two meet.
  const others = new Set(stretches.map(({ id }) => id));
  const rows = items.map((row, index): StoredRow => {
    const key = keys[index] as string;
    const had = known.get(key)?.stretch;
    return storedRow(facts, row, key, had !== undefined && others.has(had) ? had : own);
  });
  const hasChanged = (row: StoredRow) => {
    const had = known.get(row.key);
    return had?.data !== row.data || had.stretch !== row.stretch;
  };
  await tx.put('pages', rows.filter(hasChanged));
  if (kind === 'orders') await removeReplaced(tx, items as readonly RowOf['orders'][], keys);
}

/** The row of an order without a fill has become the row of its fill. One that was cancelled stays what it is. */
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

export function storedRow<Row>(facts: HistoryDefinition<Row>, row: Row, key: string, stretch: number): StoredRow {
  return {
    key,
    at: toTimestamp(facts.getDate(row)) ?? undatedSortKey,
    ticker: facts.getTicker(row),
    type: facts.getType(row),
    isFinal: facts.isFinal(row),
    stretch,
    data: JSON.stringify(row),
  };
}
