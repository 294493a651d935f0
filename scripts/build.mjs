/**
 * Builds dist/brokerage-mcp.cjs: one minified file that needs no packages beside it.
 *
 * Three things keep a start short, because a host starts a server for every session: the listing of
 * the tools is computed here and written in as data; CommonJS loads faster than a module of the same
 * size; and the SDK's JSON Schema validator (a third of its size, unused here) is left out.
 */
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

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

const common = { bundle: true, platform: 'node', target: 'node20.18', logLevel: 'warning', legalComments: 'none' };

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

await build({
  ...common,
  entryPoints: ['src/main.ts'],
  format: 'cjs',
  minify: true,
  outfile,
  define: { PREPARED_LISTING: JSON.stringify(await prepareListing()) },
  plugins: [withoutValidator],
});
await chmod(outfile, 0o755);
