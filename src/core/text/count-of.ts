/** Returns `1 ticker` or `2 tickers`. A quantity of shares is a decimal as a string. */
export const countOf = (count: number | string, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

/** A duration (ms) in words: `8 seconds`. */
export const secondsOf = (ms: number): string => countOf(Math.max(0, Math.round(ms / 1000)), 'second');

/** Returns the name of a field as words: `limitPrice` becomes `limit price`. Another text stays as it is, such as a ticker. */
export const toWords = (name: string): string =>
  /^[a-z]+([.A-Z][a-z]*)+$/.test(name)
    ? name.replace(/[.A-Z]/g, (sign) => (sign === '.' ? ' ' : ` ${sign.toLowerCase()}`))
    : name;

/** Returns a constant as words: `STOP_LIMIT` becomes `Stop limit`. */
export const formatConstant = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1).replace(/_/g, ' ').toLowerCase();
