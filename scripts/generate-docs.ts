/** Writes the generated tables into README.md: `npm run docs`. A test checks that they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from '../test/support/readme-tables.ts';

const readme = readFileSync('README.md', 'utf8');
writeFileSync('README.md', withTables(readme));
