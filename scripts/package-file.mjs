/** package.json. Read with `require`, because Node 20 warns of an experimental feature when JSON is imported. */
import { createRequire } from 'node:module';

/** @type {typeof import('../package.json')} */
export const packageFile = createRequire(import.meta.url)('../package.json');
