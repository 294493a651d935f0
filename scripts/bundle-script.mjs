/** A TypeScript file of this repository as one module that Node runs: a development tool, not the program. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * @param {string} file
 * @param {{ hasSourceMap?: boolean }} options `hasSourceMap` writes a source map beside the module, for debuggers and
 *   stacks that name the lines of the sources
 * @returns {Promise<{ outfile: string, remove: () => void }>}
 */
export async function bundleScript(file, { hasSourceMap = false } = {}) {
  // Inside node_modules, so that bare imports still resolve.
  const folder = resolve(await mkdtemp(join('node_modules', '.run-')));
  const outfile = join(folder, 'run.mjs');
  await build({
    entryPoints: [file],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: hasSourceMap,
    // The sources are in this repository.
    sourcesContent: false,
    outfile,
  });
  return { outfile, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
