/**
 * The symbol inside a ticker. The documented shape is `<SYMBOL>_<COUNTRY>_<KIND>`, and half of the
 * tickers differ: a small letter for the venue in place of the country (`QVLTl_EQ`), a slash or a dot
 * in the symbol (`QX/A_US_EQ`), no suffix at all (`QVLT`). So this is for finding and suggesting only;
 * nothing that moves money may depend on it.
 */
export function parseSymbol(ticker: string): string {
  const end = ticker.indexOf('_');
  if (end < 0) return ticker;
  const head = ticker.slice(0, end);
  const hasCountry = ticker.includes('_', end + 1);
  return !hasCountry && /[^a-z][a-z]$/.test(head) ? head.slice(0, -1) : head;
}
