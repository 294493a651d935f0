/** Prints the source of a place that a view reported: `node scripts/view-place.mjs allocation.js:27:95`. */
import { findSource } from './build-views.mjs';

process.stdout.write(`${await findSource(process.argv[2] ?? '')}\n`);
