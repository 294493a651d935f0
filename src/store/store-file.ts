import { join } from 'node:path';

/** The database of a state folder. */
export const storeFile = (stateDir: string): string => join(stateDir, 'store.sqlite');
