/** Writes the generated parts of the README and the guides: `npm run docs`. A test checks that they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { documents, withGenerated } from './generated-text.ts';

for (const path of Object.keys(documents)) writeFileSync(path, withGenerated(path, readFileSync(path, 'utf8')));
