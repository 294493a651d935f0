/**
 * Builds the program into dist: one file with all of its packages in it. With `--readable`, also the text
 * of its parts as it was before it was made small, for those who want to read what they run.
 */
import './check-node.cjs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { buildViews } from './build-views.mjs';
import { bundlePart, joinParts } from './bundle.mjs';
import { licencesOf } from './licences.mjs';

const outfile = 'dist/brokerage-mcp.cjs';
const views = await buildViews();
const bundleAll = async (options) => ({
  start: await bundlePart('start', options),
  work: await bundlePart('work', { views, ...options }),
  http: await bundlePart('http', options),
});

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
const parts = await bundleAll({});
await writeFile(outfile, joinParts(parts));
await chmod(outfile, 0o755);
await writeFile(
  'dist/third-party-licenses.txt',
  await licencesOf(Object.values(parts).flatMap(({ inputs }) => inputs)),
);

if (process.argv.includes('--readable')) {
  await mkdir('dist/readable');
  for (const [name, { text }] of Object.entries(await bundleAll({ minify: false })))
    await writeFile(`dist/readable/${name}.cjs`, text);
}
