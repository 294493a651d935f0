/**
 * Builds the pictures that hosts show beside answers (MCP Apps): each view one HTML page that loads nothing.
 * The same sources give the same bytes, so the resource that a host has reviewed stays the one it gets.
 */
import { build, transform } from 'esbuild';

export const viewNames = ['allocation', 'profit-loss', 'dividends', 'gains', 'draft', 'ticket'];

/** The most that a view may weigh. */
export const maxBytes = 60 * 1024;

const titles = {
  allocation: 'Allocation',
  'profit-loss': 'Profit and loss',
  dividends: 'Dividends',
  gains: 'Realised gains and losses',
  draft: 'Draft of orders',
  ticket: 'Order ticket',
};

/** What a view needs besides the common style (src/views/style.ts). */
const styles = { allocation: ['treemap'], ticket: ['ticket'] };

async function bundle(options) {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    logLevel: 'warning',
    legalComments: 'none',
    charset: 'utf8',
    ...options,
  });
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

/** The HTML of each view by its name. Throws when one weighs more than `maxBytes`. */
export async function buildViews() {
  const { buildPage } = await load('src/views/page.ts');
  const { clientScript } = await load('src/views/client-script.ts');
  const { code: common } = await transform(clientScript, small);
  const views = {};
  for (const name of viewNames) {
    const script = await bundle({
      entryPoints: [`src/views/app/${name}.ts`],
      format: 'iife',
      platform: 'browser',
      ...small,
    });
    const page = buildPage({
      title: titles[name],
      look: 'view',
      main: { markup: '' },
      styles: styles[name],
      scripts: [common, script],
    });
    const bytes = Buffer.byteLength(page);
    if (bytes > maxBytes) throw new Error(`The view ${name} weighs ${bytes} bytes; the most is ${maxBytes}.`);
    views[name] = page;
  }
  return views;
}
