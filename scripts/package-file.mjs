/** package.json. Read from the repository, because Node 20 warns of an experimental feature when JSON is imported. */
import { readFileSync } from 'node:fs';

/** @type {typeof import('../package.json')} */
export const packageFile = JSON.parse(readFileSync('package.json', 'utf8'));
