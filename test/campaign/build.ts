/**
 * The program in a folder of its own, as scripts/build.mjs makes it, so that nobody else's build is in
 * the way; and with changes of the text of single files, for the mutants.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export interface Edit {
  /** Below src. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export interface Program {
  readonly folder: string;
  /** What node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  logLevel: 'error',
  legalComments: 'none',
  external: ['@photostructure/sqlite'],
};

/** Somebody may be in the middle of a change of the sources: then once more, a little later. */
export const buildProgram = (): Promise<Program> =>
  buildOnce().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return buildOnce();
  });

async function buildOnce(): Promise<Program> {
  const program = await emptyProgram();
  try {
    await buildInto(program);
    return program;
  } catch (error) {
    await program.remove();
    throw error;
  }
}

async function buildInto(program: Program): Promise<void> {
  const listing = await prepareListing(program.folder);
  await build({
    ...common,
    format: 'cjs',
    minify: true,
    entryPoints: ['src/main.ts'],
    outfile: program.file,
    define: { PREPARED_LISTING: listing },
    plugins: [withoutValidator, workInAnotherFile],
  });
  await buildWork(program.folder, []);
}

/** A program with mistakes in it. They are all in the second file, so the first one is as it was. */
export async function buildMutant(original: Program, edits: readonly Edit[]): Promise<Program> {
  const program = await emptyProgram();
  try {
    await copyFile(original.file, program.file);
    await buildWork(program.folder, edits);
    return program;
  } catch (error) {
    await program.remove();
    throw error;
  }
}

async function emptyProgram(): Promise<Program> {
  await mkdir('node_modules', { recursive: true });
  // Inside node_modules, so that the bare import of the database resolves.
  const folder = resolve(await mkdtemp(join('node_modules', '.campaign-')));
  return {
    folder,
    file: join(folder, 'brokerage-mcp.cjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const buildWork = (folder: string, edits: readonly Edit[]) =>
  build({
    ...common,
    format: 'cjs',
    minify: true,
    entryPoints: ['src/cli/work.ts'],
    outfile: join(folder, 'work.cjs'),
    plugins: [withoutValidator, ...(edits.length > 0 ? [withEdits(edits)] : [])],
  });

async function prepareListing(folder: string): Promise<string> {
  const outfile = join(folder, 'describe.mjs');
  await build({ ...common, entryPoints: ['src/mcp/describe.ts'], format: 'esm', packages: 'external', outfile });
  const { describeTools } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
    describeTools: () => unknown;
  };
  return JSON.stringify(describeTools());
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

/** A mutant that no longer says what it means must be noticed, not silently become the program itself. */
function changed(text: string, { file, find, put }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`The mutant's text occurs ${parts.length - 1} times in src/${file}: ${find.slice(0, 80)}`);
  return parts.join(put);
}

const withoutValidator: Plugin = {
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

const workInAnotherFile: Plugin = {
  name: 'work-in-another-file',
  setup(plugin) {
    plugin.onResolve({ filter: /\/(work|describe)\.ts$/ }, () => ({ path: './work.cjs', external: true }));
  },
};
