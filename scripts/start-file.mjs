/**
 * The file that a host starts. It is ES5, so that a Node that is too old can read it and say so; whatever
 * such a Node could not read is in files that it loads afterwards.
 */
import { readFile } from 'node:fs/promises';
import { needed } from './check-node.cjs';

export const startFile = 'brokerage-mcp.cjs';

export const startSources = ['scripts/start-file.mjs', 'scripts/check-node.cjs', 'scripts/compile-cache.cjs'];

export const writeStart = async () => `'use strict';

${await textOf('refuseOldNode', 'scripts/check-node.cjs')}

${await textOf('keepCompiledCode', 'scripts/compile-cache.cjs')}

var refusal = refuseOldNode('${needed}');
if (refusal) {
  process.stderr.write(refusal + '\\n');
  process.exitCode = 1;
} else {
  keepCompiledCode();
  require('./main.cjs');
}
`;

/** A function as it is written, with the comment above it: a function that runs may have been changed by a bundler. */
async function textOf(name, file) {
  const text = await readFile(file, 'utf8');
  const at = text.indexOf(`\nfunction ${name}(`);
  return text.slice(text.lastIndexOf('\n/**', at) + 1, text.indexOf('\n}\n', at) + 2);
}
