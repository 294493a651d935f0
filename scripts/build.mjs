/**
 * Builds the program into dist, minified and without packages beside it: `brokerage-mcp.cjs` is what a
 * start needs, `work.cjs` what the first tool call needs.
 *
 * Four things keep a start short, because a host starts a server for every session: the listing of the
 * tools is computed here and written in as data; the larger half waits in the second file; CommonJS
 * loads faster than a module of the same size; and the SDK's JSON Schema validator (a third of its
 * size, unused here) is left out.
 */
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildViews } from './build-views.mjs';

const outfile = 'dist/brokerage-mcp.cjs';

const withoutValidator = {
  name: 'without-validator',
  setup(plugin) {
    const shims = { filter: /^@modelcontextprotocol\/server\/_shims$/ };
    plugin.onResolve(shims, () => ({ path: 'no-validator', namespace: 'stub' }));
    plugin.onLoad({ filter: /^no-validator$/, namespace: 'stub' }, () => ({
      contents: `import process from 'node:process';
export class DefaultJsonSchemaValidator { getValidator() { throw new Error('no JSON Schema validator in this build'); } }
export { process };`,
      loader: 'js',
    }));
  },
};

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  logLevel: 'warning',
  legalComments: 'none',
  // It brings a binary, which no bundle can hold; without it the program says so and goes on reading.
  external: ['@photostructure/sqlite'],
};

async function prepareListing() {
  await mkdir('node_modules/.build', { recursive: true });
  const file = join('node_modules/.build', `describe-${process.pid}.mjs`);
  await build({ ...common, entryPoints: ['src/mcp/describe.ts'], format: 'esm', packages: 'external', outfile: file });
  try {
    return (await import(pathToFileURL(file).href)).describeTools();
  } finally {
    await rm(file, { force: true });
  }
}

const workInAnotherFile = {
  name: 'work-in-another-file',
  setup(plugin) {
    // The listing is prepared, so describing the tools at run time is left to the other file as well.
    plugin.onResolve({ filter: /\/(work|describe)\.ts$/ }, () => ({ path: './work.cjs', external: true }));
  },
};

const final = { ...common, format: 'cjs', minify: true };
await rm('dist', { recursive: true, force: true });
await build({
  ...final,
  entryPoints: ['src/main.ts'],
  outfile,
  define: { PREPARED_LISTING: JSON.stringify(await prepareListing()) },
  plugins: [withoutValidator, workInAnotherFile],
});
await build({
  ...final,
  entryPoints: ['src/cli/work.ts'],
  outfile: 'dist/work.cjs',
  define: { PREPARED_VIEWS: JSON.stringify(await buildViews()) },
  plugins: [withoutValidator],
});
await chmod(outfile, 0o755);
