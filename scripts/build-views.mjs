/**
 * Builds the pictures that hosts show beside answers (MCP Apps): each view one HTML page that loads nothing.
 * The same sources give the same bytes, so the resource that a host has reviewed stays the one it gets.
 */
import { SourceMap } from 'node:module';
import { build, transform } from 'esbuild';

/** The title of each view: of its page, and what it writes over a result that it cannot draw. */
const titles = {
  allocation: 'Allocation',
  'profit-loss': 'Profit and loss',
  dividends: 'Dividends',
  gains: 'Realised gains and losses',
  returns: 'Returns',
  draft: 'Draft of orders',
  ticket: 'Order ticket',
  document: 'Saved document',
};

const viewNames = Object.keys(titles);

/** The most that a view may weigh. */
const maxBytes = 60 * 1024;

/** What a view needs besides the common style (src/features/views/style.ts). */
const styles = {
  allocation: ['treemap'],
  ticket: ['ticket', 'orders'],
  draft: ['orders'],
  document: ['report', 'file'],
};

const bundled = { bundle: true, write: false, logLevel: 'warning', legalComments: 'none', charset: 'utf8' };

async function bundle(options) {
  const { outputFiles } = await build({ ...bundled, ...options });
  return outputFiles[0].text;
}

/** The modules of the program are TypeScript; they are loaded without leaving a file behind. */
async function load(file) {
  const code = await bundle({
    entryPoints: [file],
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
  });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

// A host is sent the whole page, so it is kept small; nobody should meet a line without an end.
const small = { target: 'es2020', minify: true, lineLimit: 160 };

/** The function of src/features/views/app/views.ts that starts a view. */
const starterOf = (name) => `show${name.replace(/(^|-)(\w)/g, (_, _dash, letter) => letter.toUpperCase())}`;

/** No module of a view does anything when it is loaded, so one whose exports are unused is left out. */
const withoutUnusedModules = {
  name: 'without-unused-modules',
  setup: (built) =>
    built.onResolve({ filter: /^\./ }, async ({ path, resolveDir, kind, pluginData }) =>
      pluginData === 'resolved'
        ? undefined
        : { ...(await built.resolve(path, { resolveDir, kind, pluginData: 'resolved' })), sideEffects: false },
    ),
};

const scriptOf = (name) => ({
  stdin: {
    contents: `import { ${starterOf(name)} } from './views.ts'; ${starterOf(name)}();`,
    resolveDir: 'src/features/views/app',
    sourcefile: 'view.ts',
  },
  plugins: [withoutUnusedModules],
  format: 'iife',
  platform: 'browser',
  ...small,
});

/**
 * The source of a place that a view reported, such as `allocation.js:27:95`: file, line and column. The view must be
 * built from the same commit. The script of the drawings follows the view's own lines.
 */
export async function findSource(place) {
  const [, name, line, column] = /^([\w-]+)\.js:(\d+):(\d+)$/.exec(place) ?? [];
  if (!viewNames.includes(name)) throw new Error(`No view has the place ${place}.`);
  const { outputFiles } = await build({
    ...bundled,
    ...scriptOf(name),
    outfile: `${name}.js`,
    sourcemap: 'external',
  });
  const [map, script] = outputFiles.map(({ text }) => text);
  if (Number(line) >= script.split('\n').length) return 'src/features/views/page.ts';
  const { originalSource, originalLine, originalColumn } = new SourceMap(JSON.parse(map)).findEntry(
    line - 1,
    column - 1,
  );
  return `${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
}

/** The HTML of each view by its name. Throws when one weighs more than `maxBytes`. */
export async function buildViews() {
  const { buildPage, clientScript } = await load('src/features/views/page.ts');
  const { code: clientCode } = await transform(clientScript, small);
  const views = {};
  for (const name of viewNames) {
    const script = await bundle(scriptOf(name));
    const page = buildPage({
      title: titles[name],
      look: 'view',
      styles: styles[name],
      // The script of the view comes first, so that it reports a fault of the other too. Stacks name the script by the comment,
      // and count its lines from its start, wherever a host puts the page.
      scripts: [`${script}${clientCode}//# sourceURL=${name}.js\n`],
    });
    const bytes = Buffer.byteLength(page);
    if (bytes > maxBytes) throw new Error(`The view ${name} weighs ${bytes} bytes; the most is ${maxBytes}.`);
    views[name] = page;
  }
  return views;
}
