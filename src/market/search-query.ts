import { isStopWord, significantWords, splitWords } from './normalize-text.ts';
import { padWithSpaces } from './search-index.ts';

export interface SearchTerm {
  readonly text: string;
  /** The term as a whole word, and as the beginning of one, in a row's spaced text. */
  readonly whole: string;
  readonly start: string;
}

export interface SearchQuery {
  /** As it was typed: tickers are case sensitive. */
  readonly typed: string;
  readonly lower: string;
  readonly compact: string;
  /** The telling words in the order typed, as in a row's `core`. */
  readonly core: string;
  /** The telling words, longest first: the longest one rules out the most rows. */
  readonly terms: readonly SearchTerm[];
  /** The other words (`etf`, `plc`): they rule nothing out, and decide between rows that are alike. */
  readonly kinds: readonly string[];
}

/** Longer queries are cut: the longest names of instruments are about this long. */
const maxQueryLength = 120;
const maxTerms = 8;

/** Undefined when there is nothing to look for (no letter and no digit). */
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
