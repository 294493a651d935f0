/**
 * Builds the program into dist: one file with all of its packages in it. With `--readable`, also the text
 * of its two halves as it was before it was made small, for those who want to read what they run.
 */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { buildViews } from './build-views.mjs';
import { bundleStart, bundleWork, joinHalves } from './bundle.mjs';
import { licencesOf } from './licences.mjs';

const outfile = 'dist/brokerage-mcp.cjs';
const views = await buildViews();

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
const [start, work] = [await bundleStart(), await bundleWork({ views })];
await writeFile(outfile, joinHalves(start, work));
await chmod(outfile, 0o755);
await writeFile('dist/third-party-licenses.txt', await licencesOf([...start.inputs, ...work.inputs]));

if (process.argv.includes('--readable')) {
  await mkdir('dist/readable');
  await writeFile('dist/readable/start.cjs', (await bundleStart({ minify: false })).text);
  await writeFile('dist/readable/work.cjs', (await bundleWork({ views, minify: false })).text);
}
