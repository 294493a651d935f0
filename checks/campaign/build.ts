/**
 * Builds the program in a folder of its own, as scripts/build.mjs does, so that another build does not interfere; for
 * the mutants, with changes to single files.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../../scripts/bundle.mjs';
import { applyEdits, type Edit, readSources, type Sources } from './edits.ts';

export interface Program {
  /** The file that node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

/** A source may be in the middle of a change: then the build is repeated once, a little later. */
export const buildProgram = (): Promise<Program> =>
  writeProgram().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return writeProgram();
  });

/** A program with mistakes in it. */
export const buildMutant = (edits: readonly Edit[]): Promise<Program> =>
  writeProgram([withSources(applyEdits(edits, readSources()))]);

async function writeProgram(plugins: Plugin[] = []): Promise<Program> {
  const { files } = await bundleProgram({ plugins });
  await mkdir('node_modules', { recursive: true });
  // Inside node_modules, so that the bare import of the database resolves.
  const folder = resolve(await mkdtemp(join('node_modules', '.campaign-')));
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)));
  return { file: join(folder, 'brokerage-mcp.cjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}

const withSources = (changed: Sources): Plugin => ({
  name: 'with-sources',
  setup: (plugin) => {
    const texts = new Map([...changed].map(([path, text]) => [resolve(path), text]));
    plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = texts.get(path);
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    });
  },
});
