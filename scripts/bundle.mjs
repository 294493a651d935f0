/**
 * The program as a few files of plain JavaScript: a start, and a part for each thing that is loaded when it is
 * first needed. An engine reads a file whole before it runs a line of it, so what a start does not need is in
 * other files; what several parts need is in files that they share, and nothing is there twice. The packages
 * are inside, as they were published: a folder of packages takes longer to install and several times as long to load.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { bannerOf } from './banner.mjs';
import { readLock } from './packages.mjs';
import { printJson } from './print-json.mjs';
import { startFile, startSources, writeStart } from './start-file.mjs';

/** What is loaded by itself (an `import()` of it is somewhere), and the name of its file. */
const partNames = {
  'src/main.ts': 'main',
  'src/cli/serve.ts': 'serve',
  'src/cli/serve-http.ts': 'http',
  'src/features/oauth/oauth.ts': 'oauth',
  'src/features/passkeys/passkeys.ts': 'passkeys',
  'src/app/tool-runtime.ts': 'tools',
  'src/features/guides/skills/skill-files.ts': 'skills',
  'src/cli/commands.ts': 'commands',
  'src/simulator/index.ts': 'simulator',
  'src/core/broker/transport/undici.ts': 'undici',
  'node_modules/pg/esm/index.mjs': 'pg',
  'node_modules/nodemailer/dist/esm/nodemailer.js': 'mailer',
};

const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.18',
  logLevel: 'warning',
  preserveSymlinks: true,
  // It brings a binary, which no bundle can hold; without it the program says so and goes on reading.
  external: ['@photostructure/sqlite'],
};

/** The parts that share one file; the packages beside them do without it. */
const sharers = ['main', 'serve', 'http', 'oauth', 'passkeys', 'tools', 'commands', 'simulator'];

/** The parts that run only where others are loaded: whether a file with these users is loaded by then. */
const latePart = {
  oauth: (users) => users.includes('main') || users.includes('http'),
  passkeys: (users) => users.includes('tools') && users.includes('commands'),
};

/**
 * @param {{ plugins?: import('esbuild').Plugin[] }} options
 * @returns {Promise<{ files: Map<string, string>, inputs: string[] }>} the text of each file by its name, and
 *   the files of the repository and of packages that are in them
 */
export async function bundleProgram({ plugins = [] } = {}) {
  const first = await splitProgram(plugins);
  const shared = findShared(first.metafile);
  const { metafile: second } = await splitProgram([sharing(shared), ...plugins]);
  const { outputFiles, metafile } = await splitProgram([sharing(shared, findSplit(second)), ...plugins]);
  const names = nameFiles(metafile.outputs);
  const lock = await readLock();
  const files = new Map();
  files.set(startFile, `#!/usr/bin/env node\n${bannerOf(startFile, startSources, lock)}${await writeStart()}`);
  for (const [path, output] of Object.entries(metafile.outputs)) {
    const name = names.get(path);
    const { text } = outputFiles.find((candidate) => candidate.path.endsWith(`/${path}`));
    files.set(name, bannerOf(name, sourcesIn(output), lock) + (await toCommonJs(rename(text, names))));
  }
  files.set('tool-list.json', `${printJson(await buildToolListing())}\n`);
  return { files, inputs: Object.keys(metafile.inputs) };
}

const splitProgram = (plugins) =>
  build({
    ...common,
    entryPoints: ['src/main.ts'],
    splitting: true,
    // Nothing is written here; the names are given below.
    outdir: 'dist',
    write: false,
    metafile: true,
    outExtension: { '.js': '.mjs' },
    define: { IS_BUILT: 'true' },
    plugins,
  });

/** The sources that serving and at least two other parts need, not always the same two: left alone, they would be in six small files. */
function findShared({ outputs }) {
  const names = nameFiles(outputs);
  return Object.entries(outputs).flatMap(([path, { inputs }]) => {
    const sources = Object.keys(inputs).filter((input) => input.endsWith('.ts'));
    const users = usersOf(path, outputs, names);
    return users.includes('serve') && users.length >= 3 ? sources : [];
  });
}

/**
 * For each late part the sources that share a file with some that it needs. It takes all of what is loaded by then: left
 * alone, it would split those files, and each start would open more of them.
 */
function findSplit({ outputs }) {
  const names = nameFiles(outputs);
  const chunks = Object.entries(outputs).map(([path, { inputs }]) => {
    const all = usersOf(path, outputs, names);
    const users = all.filter((user) => !Object.hasOwn(latePart, user));
    return { all, users, sources: Object.keys(inputs).filter((input) => input.endsWith('.ts')) };
  });
  return Object.fromEntries(
    Object.entries(latePart).map(([part, isLoaded]) => {
      const isTouched = ({ users }) =>
        chunks.some((other) => other.all.includes(part) && other.users.join() === users.join());
      const found = chunks.filter((chunk) => chunk.users.length > 1 && isLoaded(chunk.users) && isTouched(chunk));
      return [part, found.flatMap(({ sources }) => sources)];
    }),
  );
}

/** Makes each of the parts import the shared sources, so that all of them are in one file: opening a file costs a start a millisecond. */
const sharing = (sources, ofLate = {}) => ({
  name: 'sharing',
  setup(plugin) {
    const files = Object.keys(partNames).filter((file) => sharers.includes(partNames[file]));
    const toImports = (all) => all.map((source) => `import ${JSON.stringify(resolve(source))};`).join('\n');
    plugin.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = files.find((one) => path === resolve(one));
      if (file === undefined) return undefined;
      const all = [...sources, ...(ofLate[partNames[file]] ?? [])];
      return { contents: `${await readFile(path, 'utf8')}\n${toImports(all)}`, loader: 'ts' };
    });
  },
});

/**
 * esbuild splits modules of the newer kind alone, and Node 20 loads the older kind 15 ms faster. The comments that
 * name the sources are marked for the way, as esbuild keeps those of licences alone.
 */
async function toCommonJs(text) {
  const { code } = await transform(text.replace(/^( *)\/\/ (?=(?:src|node_modules)\/)/gm, '$1//! '), {
    format: 'cjs',
    platform: 'node',
    target: common.target,
    legalComments: 'inline',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileAddress' },
  });
  const address = 'var fileAddress = require("node:url").pathToFileURL(__filename).href;\n';
  return (
    (code.includes('fileAddress') ? address : '') + code.replace(/^( *)\/\/! (?=(?:src|node_modules)\/)/gm, '$1// ')
  );
}

/** A file of nothing but imports has no sources but the one that it is the part of. */
const sourcesIn = ({ inputs, entryPoint }) => {
  const files = Object.keys(inputs);
  return files.length > 0 ? files : [entryPoint ?? 'scripts/bundle.mjs'];
};

/** The names of the files: of a part its own, of a shared file those of the parts that share it. */
function nameFiles(outputs) {
  const parts = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const names = new Map();
  for (const [path, { entryPoint }] of parts) {
    const name = partNames[entryPoint];
    if (name === undefined)
      throw new Error(`${entryPoint} is imported by itself and has no name in ${import.meta.url}`);
    names.set(path, `${name}.cjs`);
  }
  for (const path of Object.keys(outputs).filter((path) => !names.has(path))) {
    const users = usersOf(path, outputs, names);
    const isForAll = users.join() === sharers.toSorted().join();
    const isEmpty = Object.keys(outputs[path].inputs).length === 0;
    names.set(path, `${isEmpty ? 'runtime' : isForAll ? 'shared' : `shared-${users.join('-')}`}.cjs`);
  }
  return names;
}

/** The parts that need a file at once. */
const usersOf = (path, outputs, names) =>
  Object.entries(outputs)
    .filter(([part, { entryPoint }]) => entryPoint !== undefined && needsOf(part, outputs).has(path))
    .map(([part]) => names.get(part).replace('.cjs', ''))
    .sort();

/** What a file imports at once, and what that imports. */
function needsOf(path, outputs, found = new Set()) {
  for (const { path: other, kind, external } of outputs[path].imports) {
    if (external || kind !== 'import-statement' || found.has(other)) continue;
    found.add(other);
    needsOf(other, outputs, found);
  }
  return found;
}

/** All files are in one folder. */
const rename = (text, names) =>
  [...names].reduce((renamed, [path, name]) => renamed.replaceAll(`./${path.split('/').pop()}`, `./${name}`), text);

/** What tools/list says (src/app/load-listing.ts). */
async function buildToolListing() {
  await mkdir('node_modules/.build', { recursive: true });
  const outfile = join('node_modules/.build', `describe-${process.pid}.mjs`);
  await build({ ...common, entryPoints: ['src/app/build-tool-listing.ts'], packages: 'external', outfile });
  try {
    return (await import(pathToFileURL(outfile).href)).buildToolListing();
  } finally {
    await rm(outfile, { force: true });
  }
}
