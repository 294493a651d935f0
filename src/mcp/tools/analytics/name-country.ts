/** The names of countries, for groups by the country of an ISIN. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Undefined for a group that is no country, such as `XS`, the prefix of international securities. */
export const nameCountry = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined);
