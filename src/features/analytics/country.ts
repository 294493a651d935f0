/** The country in which an instrument is registered, which its ISIN begins with. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Returns the code of the country, such as `IE`; `unknown` without an ISIN. */
export const findCountry = (isin: string | undefined): string => isin?.slice(0, 2).toUpperCase() || 'unknown';

/** Undefined for a code that is no country, such as `XS`, the prefix of international securities. */
export const nameCountry = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined);
