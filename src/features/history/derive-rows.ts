/** Computes a value from all rows of a history, in parts, and keeps it until the rows change. */

import { createHash } from 'node:crypto';
import Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { planSources } from './coverage.ts';
import type { Derivation } from './history-port.ts';
import type { KeptValues } from './kept-values.ts';
import type { HistoryKind, RowOf } from './kinds.ts';
import { emptyMirror, type MirrorState } from './mirror-state.ts';
import type { HistoryView, RowFilter, Span } from './row-store.ts';
import { toTimestamp } from './segments.ts';

/** Parsed rows take several times the memory of their text, so only this many exist at a time. */
const rowsPerPart = 500;

interface DerivePlace<Kind extends HistoryKind> {
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

// Turns stored rows back into the rows of the service.

/** Parses stored rows, and completes dividends by what only reports have. */
export async function parseRows<Kind extends HistoryKind>(
  tx: HistoryView,
  kind: Kind,
  stored: readonly { readonly data: string }[],
): Promise<RowOf[Kind][]> {
  const rows = stored.map(({ data }) => JSON.parse(data) as never);
  return kind === 'dividends' ? ((await addReportedTax(tx, rows)) as never) : rows;
}

// Adds to dividends that were read from pages what only reports have: the tax withheld. The rows of the two have no
// common id, so a row joins by its day, instrument, amount and quantity.

/**
 * Returns the rows, where those of pages have the tax (and the gross amount per share, if they lack it) of the report
 * rows that they join. If several report rows fit and name different taxes, or fewer fit than payments of the history,
 * the tax stays unknown and `withholdingTaxIsAmbiguous` says so.
 */
export async function addReportedTax(tx: HistoryView, rows: readonly Dividend[]): Promise<Dividend[]> {
  const state = (await tx.state()) ?? emptyMirror;
  const range = toWholeDays(rows.filter(lacksTax));
  if (!range) return [...rows];
  // Where two reports overlap, each moment is taken from one of them, so that no payment is there twice.
  const spans = planSources({ ...state, stretches: [] }, range).filter(({ source }) => source !== 'pages');
  const reported = groupByDay(await readRows(tx, spans));
  if (reported.size === 0) return [...rows];
  // Where no page covers a payment, its report row is in the history itself, and its tax is its own.
  const rivals = groupByDay(await readRows(tx, planSources(state, range)));
  return rows.map((row) => {
    if (!lacksTax(row)) return row;
    const key = toDayKeys(row).find((one) => reported.has(one));
    if (key === undefined) return row;
    const found = (reported.get(key) ?? []).filter((one) => hasSameQuantity(one, row));
    const claims = (rivals.get(key) ?? []).filter((rival) => found.some((one) => hasSameQuantity(one, rival)));
    return found.length === 0 ? row : joinRow(row, found, found.length >= claims.length);
  });
}

function groupByDay(rows: readonly Dividend[]): Map<string, Dividend[]> {
  const groups = new Map<string, Dividend[]>();
  for (const row of rows)
    for (const key of toDayKeys(row)) {
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
  return groups;
}

const lacksTax = ({ fromReport, withholdingTax }: Dividend): boolean => !fromReport && withholdingTax === undefined;

function joinRow(row: Dividend, found: readonly Dividend[], isEnough: boolean): Dividend {
  const [first] = found;
  if (!first || found.every(({ withholdingTax }) => withholdingTax === undefined)) return row;
  const isSame = found.every(
    (one) => one.withholdingTax === first.withholdingTax && one.withholdingTaxCurrency === first.withholdingTaxCurrency,
  );
  if (!isEnough || !isSame) return { ...row, withholdingTaxIsAmbiguous: true };
  const { withholdingTax, withholdingTaxCurrency, grossAmountPerShare, tickerCurrency, quantity } = first;
  const gross = row.grossAmountPerShare === undefined ? { grossAmountPerShare, tickerCurrency } : {};
  return { ...row, ...gross, quantity: row.quantity ?? quantity, withholdingTax, withholdingTaxCurrency };
}

async function readRows(tx: HistoryView, spans: readonly Span[]): Promise<Dividend[]> {
  return (await tx.rows({ spans })).map(({ data }) => JSON.parse(data) as Dividend);
}

/** The complete days (UTC) of the rows, because other rows of a day can claim the same report row. */
function toWholeDays(rows: readonly Dividend[]): { readonly since: number; readonly until: number } | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { paidOn } of rows) {
    const day = Math.floor((toTimestamp(paidOn) ?? Number.NaN) / dayMs) * dayMs;
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return first <= last ? { since: first, until: last + dayMs } : undefined;
}

/** A key by ISIN and one by ticker, as far as the row has them. Reports have amounts to the penny. */
function toDayKeys(row: Dividend): string[] {
  const at = toTimestamp(row.paidOn);
  if (at === undefined || row.amount === undefined) return [];
  const amount = new Big(row.amount).round(2).toFixed(2);
  const names = new Set([row.instrument?.isin, getTicker(row)]);
  return [...names].flatMap((name) => (name ? `${Math.floor(at / dayMs)} ${name} ${amount}` : []));
}

/** Reports have ten decimals. A row without a quantity can be any. */
const hasSameQuantity = ({ quantity: one }: Dividend, { quantity: other }: Dividend): boolean =>
  one === undefined || other === undefined || new Big(one).abs().round(10).eq(new Big(other).abs().round(10));
