/** Runs a TypeScript file of this repository: `node scripts/run.mjs path/to/file.ts [arguments]`. */
import './check-node.cjs';
import { pathToFileURL } from 'node:url';
import { bundleScript } from './bundle-script.mjs';

const [file, ...rest] = process.argv.slice(2);
if (!file) throw new Error('usage: node scripts/run.mjs FILE.ts [arguments]');
// Before the module is loaded: only then does Node read its source map.
process.setSourceMapsEnabled(true);
const { outfile, remove } = await bundleScript(file, { hasSourceMap: true });
// However it ends.
process.once('exit', remove);
process.argv = [process.argv[0], file, ...rest];
await import(pathToFileURL(outfile).href);
