/** Returns `1 ticker` or `2 tickers`. A quantity of shares is a decimal as a string. */
export const countOf = (count: number | string, noun: string): string =>
  `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;

/** A duration (ms) in words: `8 seconds`. */
export const secondsOf = (ms: number): string => countOf(Math.max(0, Math.round(ms / 1000)), 'second');

/** Returns the name of a field as words: `limitPrice` becomes `limit price`. Another text stays as it is, such as a ticker. */
export const toWords = (name: string): string =>
  /^[a-z][a-z0-9]*([.A-Z][a-z0-9]*)+$/.test(name)
    ? name.replace(/[.A-Z]/g, (sign) => (sign === '.' ? ' ' : ` ${sign.toLowerCase()}`))
    : name;

/** The names of authorities and countries in constants, which stay in capitals. */
const initials = /\b(?:finra|ptm|uk|us)\b/gi;

/** Returns a constant as words: `STOP_LIMIT` becomes `Stop limit`. */
export const formatConstant = (word: string): string =>
  (word.charAt(0).toUpperCase() + word.slice(1).replace(/_/g, ' ').toLowerCase()).replace(initials, (name) =>
    name.toUpperCase(),
  );
