/** Runs a TypeScript file of this repository: `node scripts/run.mjs path/to/file.ts [arguments]`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [file, ...rest] = process.argv.slice(2);
if (!file) throw new Error('usage: node scripts/run.mjs FILE.ts [arguments]');
// Inside node_modules, so that bare imports still resolve.
const folder = await mkdtemp(join('node_modules', '.run-'));
const outfile = join(folder, 'run.mjs');
await build({ entryPoints: [file], bundle: true, packages: 'external', platform: 'node', format: 'esm', outfile });
process.argv = [process.argv[0], file, ...rest];
try {
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
