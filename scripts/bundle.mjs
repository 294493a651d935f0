/**
 * The program as one file of JavaScript: three parts, each compressed, and a few lines that unpack one
 * when it is first asked for. `start` is what a start needs, `work` what the first tool call needs, and
 * `http` what serving over HTTP needs. One file of everything in the clear is three times as large, and
 * an engine reads a file whole before it runs a line. Who wants to read it finds the same text in
 * `npm run build -- --readable`.
 *
 * Three more things keep a start short, because a host starts a server for every session: the listing of
 * the tools is computed here and written in as data; CommonJS loads faster than a module of the same
 * size; and the SDK's JSON Schema validator (a third of its size, unused here) is left out.
 *
 * What is not compressed is ES5, so that a Node that is too old can read the file and say so.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { needed, refuseOldNode } from './check-node.cjs';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  logLevel: 'warning',
  legalComments: 'none',
  // It brings a binary, which no bundle can hold; without it the program says so and goes on reading.
  external: ['@photostructure/sqlite'],
};
/** How one part asks for another. */
const nameOf = (part) => `brokerage-mcp/${part}`;

/** The file of each part, and how another part imports it. */
const entries = {
  start: { file: 'src/main.ts' },
  // The listing is prepared, so describing the tools at run time is left to the work as well.
  work: { file: 'src/cli/work.ts', importedAs: /\/(work|describe)\.ts$/ },
  http: { file: 'src/cli/http/serve-http.ts', importedAs: /\/serve-http\.ts$/ },
};

/**
 * @typedef {{ text: string, inputs: string[] }} Part its text, and the files that are in it
 * @typedef {{ start: Part, work: Part, http: Part }} Parts
 * @param {keyof Parts} name
 * @param {{ views?: Record<string, string>, plugins?: import('esbuild').Plugin[], minify?: boolean }} options
 * @returns {Promise<Part>}
 */
export async function bundlePart(name, { views = {}, plugins = [], minify = true } = {}) {
  const { outputFiles, metafile } = await build({
    ...common,
    format: 'cjs',
    write: false,
    metafile: true,
    minify,
    // Code that was compiled from a text can load by `require` alone.
    supported: { 'dynamic-import': false },
    entryPoints: [entries[name].file],
    define:
      name === 'work'
        ? { PREPARED_VIEWS: JSON.stringify(views) }
        : { PREPARED_LISTING: JSON.stringify(await prepareListing()) },
    plugins: [withoutValidator, slimUndici, othersAreParts(name), ...plugins],
  });
  return { text: outputFiles[0].text, inputs: Object.keys(metafile.inputs) };
}

/**
 * @param {Parts} parts
 * @param {number} quality 0 to 11: the best takes seconds, which only what is published is worth
 * @returns {string} all parts as one file.
 */
export const joinParts = (parts, quality = constants.BROTLI_MAX_QUALITY) => `#!/usr/bin/env node
'use strict';
var refuseOldNode = ${refuseOldNode};
var refusal = refuseOldNode('${needed}');
if (refusal) {
  process.stderr.write(refusal + '\\n');
  process.exitCode = 1;
} else load('start');
function load(name) {
  var loaded = load.loaded || (load.loaded = {});
  if (loaded[name]) return loaded[name].exports;
  var module = (loaded[name] = { exports: {} });
  var text = require('node:zlib').brotliDecompressSync(Buffer.from(packed()[name], 'base64')).toString();
  function need(path) {
    return path.indexOf('${nameOf('')}') === 0 ? load(path.slice(${nameOf('').length})) : require(path);
  }
  var options = { filename: __filename + '#' + name };
  require('node:vm').compileFunction(text, ['module', 'exports', 'require'], options)(module, module.exports, need);
  return module.exports;
}
function packed() {
  return {
${Object.entries(parts)
  .map(([name, { text }]) => `${name}: '${pack(text, quality)}',`)
  .join('\n')}
  };
}
`;

const pack = (text, quality) =>
  brotliCompressSync(text.replace(/^#!.*\n/, ''), {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }).toString('base64');

async function prepareListing() {
  await mkdir('node_modules/.build', { recursive: true });
  const outfile = join('node_modules/.build', `describe-${process.pid}.mjs`);
  await build({ ...common, entryPoints: ['src/mcp/describe.ts'], format: 'esm', packages: 'external', outfile });
  try {
    return (await import(pathToFileURL(outfile).href)).describeTools();
  } finally {
    await rm(outfile, { force: true });
  }
}

const othersAreParts = (name) => ({
  name: 'others-are-parts',
  setup(plugin) {
    for (const [other, { importedAs }] of Object.entries(entries)) {
      if (other === name || !importedAs) continue;
      plugin.onResolve({ filter: importedAs }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: nameOf(other), external: true },
      );
    }
  },
});

/** The SDK's validator of JSON Schema is never called: arguments are parsed by zod. */
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

/**
 * Of undici the transport takes three names (src/broker/transport); its index would bring fetch,
 * WebSocket, caches and mocks along, which are half a megabyte. HTTP/2 is switched off in the transport.
 */
const slimUndici = {
  name: 'slim-undici',
  setup(plugin) {
    plugin.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: 'undici',
      namespace: 'slim',
      pluginData: resolveDir,
    }));
    plugin.onLoad({ filter: /^undici$/, namespace: 'slim' }, ({ pluginData }) => ({
      contents: `
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');
Dispatcher.prototype.request = require('undici/lib/api/api-request.js');
exports.Pool = require('undici/lib/dispatcher/pool.js');
exports.Client = require('undici/lib/dispatcher/client.js');
exports.buildConnector = require('undici/lib/core/connect.js');`,
      resolveDir: pluginData,
      loader: 'js',
    }));
    plugin.onLoad({ filter: /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('this part of undici is not in this build'); };",
      loader: 'js',
    }));
  },
};
