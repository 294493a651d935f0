/**
 * Builds the program in a folder of its own, as scripts/build.mjs does, so that another build does not interfere; for
 * the mutants, with changes to the text of single files.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../../scripts/bundle.mjs';

export interface Edit {
  /** Below src. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

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
export const buildMutant = (edits: readonly Edit[]): Promise<Program> => writeProgram([withEdits(edits)]);

async function writeProgram(plugins: Plugin[] = []): Promise<Program> {
  const { files } = await bundleProgram({ plugins });
  await mkdir('node_modules', { recursive: true });
  // Inside node_modules, so that the bare import of the database resolves.
  const folder = resolve(await mkdtemp(join('node_modules', '.campaign-')));
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)));
  return { file: join(folder, 'brokerage-mcp.cjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}

function withEdits(edits: readonly Edit[]): Plugin {
  return {
    name: 'with-edits',
    setup(plugin) {
      const files = new Set(edits.map(({ file }) => file));
      for (const file of files) {
        const filter = new RegExp(`/src/${file.replaceAll('.', '\\.')}$`);
        plugin.onLoad({ filter }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const edit of edits.filter((candidate) => candidate.file === file)) contents = changed(contents, edit);
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}

/** A mutant whose text no longer occurs in the source must fail, or it would silently be the program itself. */
function changed(text: string, { file, find, put }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`The mutant's text occurs ${parts.length - 1} times in src/${file}: ${find.slice(0, 80)}`);
  return parts.join(put);
}
