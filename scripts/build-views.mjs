/**
 * Builds the pictures that hosts show beside answers (MCP Apps): each view one HTML page that loads nothing.
 * The same sources give the same bytes, so the resource that a host has reviewed stays the one it gets.
 */
import { build } from 'esbuild';

export const viewNames = ['allocation', 'profit-loss', 'dividends', 'gains', 'ticket'];

/** The most that a view may weigh. */
export const maxBytes = 60 * 1024;

const titles = {
  allocation: 'Allocation',
  'profit-loss': 'Profit and loss',
  dividends: 'Dividends',
  gains: 'Realised gains and losses',
  ticket: 'Order ticket',
};

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

/** The shell is TypeScript of the program; it is loaded without leaving a file behind. */
async function loadShell() {
  const code = await bundle({
    entryPoints: ['src/views/page.ts'],
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
  });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** The HTML of each view by its name. Throws when one weighs more than `maxBytes`. */
export async function buildViews() {
  const { buildPage } = await loadShell();
  const views = {};
  for (const name of viewNames) {
    const script = await bundle({
      entryPoints: [`src/views/app/${name}.ts`],
      format: 'iife',
      platform: 'browser',
      target: 'es2020',
      // A host is sent the whole page, so it is kept small; nobody should meet a line without an end.
      minify: true,
      lineLimit: 160,
    });
    const page = buildPage({ title: titles[name], look: 'view', main: { markup: '' }, script });
    const bytes = Buffer.byteLength(page);
    if (bytes > maxBytes) throw new Error(`The view ${name} weighs ${bytes} bytes; the most is ${maxBytes}.`);
    views[name] = page;
  }
  return views;
}
