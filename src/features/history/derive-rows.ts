/** Computes a value from all rows of a history, in parts, and keeps it until the rows change. */
import { createHash } from 'node:crypto';
import { planSources } from './coverage.ts';
import type { Derivation } from './history-port.ts';
import type { KeptValues } from './kept-values.ts';
import type { HistoryKind, RowOf } from './kinds.ts';
import { emptyMirror, type MirrorState } from './mirror-state.ts';
import { parseRows } from './parse-rows.ts';
import type { HistoryView, RowFilter, Span } from './ports.ts';

/** Parsed rows take several times the memory of their text, so only this many exist at a time. */
const rowsPerPart = 500;

export interface DerivePlace<Kind extends HistoryKind> {
  readonly account: string;
  readonly kind: Kind;
  readonly kept: KeptValues;
}

/** The value, and a text that is different for other rows. All rows are read in the transaction of `tx`. */
export async function deriveRows<Kind extends HistoryKind, Value>(
  tx: HistoryView,
  { account, kind, kept }: DerivePlace<Kind>,
  { name, start }: Derivation<RowOf[Kind], Value>,
): Promise<{ readonly value: Value; readonly version: string }> {
  const state = (await tx.state()) ?? emptyMirror;
  const spans = planSources(state, {});
  const version = `${account} ${kind} ${await tx.rowsVersion()} ${hashSources(state, spans)}`;
  const slot = `${account} ${kind} ${name}`;
  const found = kept.find<{ readonly value: Value }>(slot, version);
  if (found) return { value: found.value, version };
  const maker = start();
  for await (const part of readParts(tx, spans)) maker.add(await parseRows(tx, kind, part));
  const { value, bytes } = maker.finish();
  return { value: kept.keep(slot, version, { value: { value }, bytes }).value, version };
}

/** The same rows can be chosen differently: by what pages cover, and from which reports the tax is known. */
const hashSources = ({ reports }: MirrorState, spans: readonly Span[]): string =>
  createHash('sha256')
    .update(JSON.stringify([spans, reports.map(({ reportId, from, to }) => [reportId, from, to])]))
    .digest('hex')
    .slice(0, 16);

/** Newest first. Each span is read alone, which an index can do, so no row may be in two of them. */
async function* readParts(tx: HistoryView, spans: readonly Span[]) {
  for (const span of withoutInner(spans).toSorted((a, b) => b.from - a.from)) {
    let filter: RowFilter = { spans: [span] };
    for (;;) {
      const part = await tx.rows(filter, rowsPerPart);
      if (part.length > 0) yield part;
      const last = part.at(-1);
      if (!last || part.length < rowsPerPart) break;
      filter = { spans: [{ ...span, to: last.at + 1 }], after: last };
    }
  }
}

/** The spans that are no part of another one: a range without an end contains the rows without a date, too. */
const withoutInner = (spans: readonly Span[]): Span[] =>
  spans.filter(
    (span) =>
      !spans.some(
        (other) => other !== span && other.source === span.source && other.from <= span.from && other.to >= span.to,
      ),
  );
