/**
 * Adds to dividends that were read from pages what only reports have: the tax withheld. The rows of the two have no
 * common id, so a row joins by its day, instrument, amount and quantity.
 */
import Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import { getTicker } from '../../core/endpoints/get-ticker.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { planSources } from './coverage.ts';
import { emptyMirror } from './mirror-state.ts';
import type { HistoryView, Span } from './ports.ts';
import { toTimestamp } from './segments.ts';

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
