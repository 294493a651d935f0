/** The location of the store: the database of a state folder, or a PostgreSQL that several machines share. */
import { join } from 'node:path';

/** The state folder, or the URL of the shared PostgreSQL database. */
export type StoreLocation = { readonly stateDir: string } | { readonly stateUrl: string };

/**
 * The location that the configuration names. The sandbox always uses the state folder, because its account exists
 * on this machine only.
 */
export const resolveStoreLocation = (config: {
  readonly environment: string;
  readonly stateDir: string;
  readonly stateUrl: string | undefined;
}): StoreLocation =>
  config.stateUrl !== undefined && config.environment !== 'sandbox'
    ? { stateUrl: config.stateUrl }
    : { stateDir: config.stateDir };

/** The path of the database in a state folder. */
export const storeFile = (stateDir: string): string => join(stateDir, 'store.sqlite');

/** The location as text, without the password. */
export function describeLocation(place: StoreLocation): string {
  if ('stateDir' in place) return storeFile(place.stateDir);
  const { protocol, host, pathname } = new URL(place.stateUrl);
  return `${protocol}//${host}${pathname}`;
}
