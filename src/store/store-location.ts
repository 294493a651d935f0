/** Where the store is: the database of a state folder, or a PostgreSQL that several machines share. */
import { join } from 'node:path';

export type StoreLocation = { readonly stateDir: string } | { readonly stateUrl: string };

/** The sandbox's account lives in this machine's folder, and so does all that is about it. */
export const resolveStoreLocation = (config: {
  readonly environment: string;
  readonly stateDir: string;
  readonly stateUrl: string | undefined;
}): StoreLocation =>
  config.stateUrl !== undefined && config.environment !== 'sandbox'
    ? { stateUrl: config.stateUrl }
    : { stateDir: config.stateDir };

/** The database of a state folder. */
export const storeFile = (stateDir: string): string => join(stateDir, 'store.sqlite');

/** The place in words, without the password. */
export function describeLocation(place: StoreLocation): string {
  if ('stateDir' in place) return storeFile(place.stateDir);
  const { protocol, host, pathname } = new URL(place.stateUrl);
  return `${protocol}//${host}${pathname}`;
}
