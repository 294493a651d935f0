import { editDistance } from '../../core/text/suggestions.ts';
import { alphanumeric } from './normalize-text.ts';
import type { SearchRow } from './search-index.ts';
import { parseSymbol } from './symbol.ts';

const maxTickerLength = 40;

/**
 * The tickers probably meant by a wrong one, closest first: the same in another case, then the same symbol or short
 * name (a bare symbol, a wrong suffix, a renamed company), then symbols that start with it or differ by a letter or
 * two.
 */
export function nearestTickers(rows: readonly SearchRow[], wanted: string, count: number): string[] {
  const typed = wanted.trim().slice(0, maxTickerLength);
  const lower = typed.toLowerCase();
  const normalized = alphanumeric(typed);
  // Only its case distinguishes a venue letter from the symbol. If the case is lost, both readings are tried.
  const symbols = [...new Set([alphanumeric(parseSymbol(typed)), alphanumeric(typed.split('_')[0] ?? '')])];
  if (normalized === '' || count <= 0) return [];

  const near: { ticker: string; distance: number; rest: number }[] = [];
  for (const row of rows) {
    if (row.ticker === '') continue;
    const distance =
      row.tickerLower === lower ? 0 : Math.min(...symbols.map((symbol) => distanceTo(row, symbol, normalized)));
    if (distance < Number.POSITIVE_INFINITY) near.push({ ticker: row.ticker, distance, rest: row.order });
  }
  const ranked = near
    .sort((a, b) => a.distance - b.distance || a.rest - b.rest || (a.ticker < b.ticker ? -1 : 1))
    .map(({ ticker }) => ticker);
  return [...new Set(ranked)].slice(0, count);
}

function distanceTo(row: SearchRow, symbol: string, whole: string): number {
  if (row.symbol === symbol) return row.isWholeSymbol ? 1 : 1.2;
  if (row.shortName === symbol) return 1.4;

  const limit = symbol.length <= 2 ? 0 : symbol.length <= 5 ? 1 : 2;
  const bySymbol = editDistance(symbol, row.symbol, limit);
  const byShortName = row.shortName === row.symbol ? bySymbol : editDistance(symbol, row.shortName, limit);
  const distance = Math.min(bySymbol, byShortName);
  if (distance <= limit) return 1.5 + distance;
  if (isNearlyTicker(row, whole)) return 2.6;
  if (symbol.length >= 2 && row.symbol.startsWith(symbol)) return 3 + row.symbol.length / 100;
  return Number.POSITIVE_INFINITY;
}

const maxSeparators = 3;

/** Whether the text is the ticker except for its separators or one letter, such as `QVLTUS_EQ`. */
function isNearlyTicker({ tickerLower }: SearchRow, whole: string): boolean {
  if (tickerLower.length < whole.length - 1 || tickerLower.length > whole.length + 1 + maxSeparators) return false;
  return editDistance(whole, tickerLower.replace(/[_./-]/g, ''), 1) <= 1;
}
