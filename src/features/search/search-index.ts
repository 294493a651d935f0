import type { TradableInstrument } from '../../core/endpoints/index.ts';
import { alphanumeric, significantWords, splitWords } from './normalize-text.ts';

/** One instrument, prepared for searching. Every text except `ticker` is normalized (see normalize-text.ts). */
export interface SearchRow {
  readonly instrument: TradableInstrument;
  readonly ticker: string;
  readonly tickerLower: string;
  readonly symbol: string;
  /** True when the symbol is everything before the first `_`, so that no venue letter was removed by a guess. */
  readonly isWholeSymbol: boolean;
  readonly shortName: string;
  readonly isin: string;
  readonly nameWords: readonly string[];
  /** The significant words of the name, with a space before and after each. */
  readonly core: string;
  readonly compactName: string;
  /** All words of symbol, short name and name, with a space before and after each. */
  readonly text: string;
  /** Breaks ties: common instrument types first, then shorter names. */
  readonly order: number;
}

export interface SearchIndex {
  readonly rows: readonly SearchRow[];
  readonly texts: TextColumn;
  readonly compactNames: TextColumn;
  /** Ticker in lower case and ISIN. */
  readonly codes: TextColumn;
}

export const padWithSpaces = (words: readonly string[]) => (words.length > 0 ? ` ${words.join(' ')} ` : '');

const typesInOrder: readonly string[] = ['STOCK', 'ETF'];

export function buildSearchIndex(instruments: readonly TradableInstrument[]): SearchIndex {
  const rows = instruments.map(buildRow);
  return {
    rows,
    texts: createTextColumn(rows.map((row) => row.text)),
    compactNames: createTextColumn(rows.map((row) => row.compactName)),
    codes: createTextColumn(rows.map((row) => `${row.tickerLower} ${row.isin}`)),
  };
}

/** Builds a row. An instrument without any text (every field may be missing) becomes a row that no query finds. */
function buildRow(instrument: TradableInstrument): SearchRow {
  const ticker = instrument.ticker ?? '';
  const symbolText = parseSymbol(ticker);
  const shortNameText = instrument.shortName ?? '';
  const symbol = wordsAndCompact(symbolText);
  const shortName = shortNameText === symbolText ? symbol : wordsAndCompact(shortNameText);
  const nameWords = splitWords(instrument.name ?? '');
  const telling = significantWords(nameWords);
  const nameText = padWithSpaces(nameWords);
  const compactName = nameWords.join('');
  const typeOrder = typesInOrder.indexOf(instrument.type ?? '');
  const codesText = shortName === symbol ? symbol.text : `${symbol.text}${shortName.text}`;

  return {
    instrument,
    ticker,
    tickerLower: ticker.toLowerCase(),
    symbol: symbol.compact,
    isWholeSymbol: ticker.length === symbolText.length || ticker[symbolText.length] === '_',
    shortName: shortName.compact,
    isin: alphanumeric(instrument.isin ?? ''),
    nameWords,
    core: telling === nameWords ? nameText : padWithSpaces(telling),
    compactName,
    text: `${codesText}${nameText || ' '}`,
    order: (typeOrder < 0 ? typesInOrder.length : typeOrder) * 1000 + Math.min(compactName.length, 999),
  };
}

/** `QX/A` can be found as `qxa`, `qx a` and `qx`, so the text has a space before each of these words. */
function wordsAndCompact(text: string): { compact: string; text: string } {
  const words = splitWords(text);
  const joined = words.join('');
  if (words.length === 0) return { compact: '', text: '' };
  return { compact: joined, text: words.length > 1 ? ` ${joined} ${words.join(' ')}` : ` ${joined}` };
}

/**
 * One text per row, joined into a single string, because one `indexOf` over a megabyte is ten times faster than
 * sixteen thousand small ones.
 */
interface TextColumn {
  /** Calls `visit` once for each row that contains the pattern, in order. */
  eachRowWith(pattern: string, visit: (row: number) => void): void;
  /** Calls `visit` for rows in which a word starts with the pattern. */
  eachRowWithStart(pattern: string, visit: (row: number) => void): void;
}

const separator = '\n';
const space = 32;

/** The texts must be normalized, so that none contains the separator. */
function createTextColumn(texts: readonly string[]): TextColumn {
  const joined = texts.join(separator);
  const ends = new Uint32Array(texts.length);
  let end = -separator.length;
  texts.forEach((text, row) => {
    end += separator.length + text.length;
    ends[row] = end;
  });
  const getEnd = (row: number) => ends[row] ?? joined.length;

  const eachRow = (pattern: string, accept: (at: number) => boolean, visit: (row: number) => void) => {
    if (pattern === '') return;
    let row = 0;
    let at = joined.indexOf(pattern);
    while (at >= 0) {
      const accepted = accept(at);
      if (accepted) {
        while (getEnd(row) < at) row++;
        visit(row);
      }
      // A row needs no second hit.
      at = joined.indexOf(pattern, accepted ? getEnd(row) : at + 1);
    }
  };

  return {
    eachRowWith: (pattern, visit) => eachRow(pattern, () => true, visit),
    // Including the space in the pattern would be simpler but slow: the search skips to the next first letter, and a
    // space is the most frequent one.
    eachRowWithStart: (pattern, visit) => eachRow(pattern, (at) => joined.charCodeAt(at - 1) === space, visit),
  };
}

/**
 * The symbol in a ticker. The documented format is `<SYMBOL>_<COUNTRY>_<KIND>`, but half of the tickers differ: a
 * small letter for the venue instead of the country (`QVLTl_EQ`), a slash or a dot in the symbol (`QX/A_US_EQ`), no
 * suffix at all (`QVLT`). So use it only for search and suggestions; nothing that moves money may depend on it.
 */
export function parseSymbol(ticker: string): string {
  const end = ticker.indexOf('_');
  if (end < 0) return ticker;
  const head = ticker.slice(0, end);
  const hasCountry = ticker.includes('_', end + 1);
  return !hasCountry && /[^a-z][a-z]$/.test(head) ? head.slice(0, -1) : head;
}
