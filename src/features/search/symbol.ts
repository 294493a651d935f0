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
