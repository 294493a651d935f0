import { isStopWord, significantWords, splitWords } from './normalize-text.ts';
import { padWithSpaces } from './search-index.ts';

export interface SearchTerm {
  readonly text: string;
  /** The term as a complete word, and as the start of one, in a row's spaced text. */
  readonly whole: string;
  readonly start: string;
}

export interface SearchQuery {
  /** As it was typed, because tickers are case-sensitive. */
  readonly typed: string;
  readonly lower: string;
  readonly compact: string;
  /** The significant words in the order typed, in the format of a row's `core`. */
  readonly core: string;
  /** The significant words, longest first, because the longest one excludes the most rows. */
  readonly terms: readonly SearchTerm[];
  /** The other words (`etf`, `plc`). They exclude no row, and decide between equal matches. */
  readonly kinds: readonly string[];
}

/** Longer queries are truncated; the longest names of instruments have about this length. */
const maxQueryLength = 120;
const maxTerms = 8;

/** Undefined when the query has no letter and no digit. */
export function parseQuery(query: string): SearchQuery | undefined {
  const typed = query.trim().slice(0, maxQueryLength);
  const words = splitWords(typed);
  if (words.length === 0) return undefined;

  const telling = [...new Set(significantWords(words))].slice(0, maxTerms);
  return {
    typed,
    lower: typed.toLowerCase(),
    compact: words.join(''),
    core: padWithSpaces(telling),
    terms: telling
      .toSorted((a, b) => b.length - a.length)
      .map((text) => ({ text, whole: ` ${text} `, start: ` ${text}` })),
    kinds: words.filter((word) => isStopWord(word) && !telling.includes(word)),
  };
}
