/**
 * Ends a start on a Node that is too old with one line instead of a stack. Every script of this repository
 * loads this file first, and scripts/start-file.mjs writes its function at the top of the program.
 *
 * ES5 only: Node reads a whole file before it runs the first line, and an old Node must be able to read this one.
 */
'use strict';

/**
 * The line for a Node that is older than `needed` ("20.18.1"); undefined when this one is new enough. It uses
 * nothing outside itself, because the program holds a copy of its text.
 */
function refuseOldNode(needed) {
  var version = process.versions.node;
  var here = version.split('.');
  var least = needed.split('.');
  var at = 0;
  while (at < least.length && Number(here[at]) === Number(least[at])) at++;
  if (at === least.length || Number.parseInt(here[at], 10) > Number(least[at])) return undefined;
  return [
    'brokerage-mcp needs Node ' + needed + ' or newer, and this is Node ' + version + ' (' + process.execPath + ').',
    'Install a newer one from https://nodejs.org and start again with it; a host takes its path as "command".',
  ].join(' ');
}

exports.needed = require('../package.json').engines.node.replace('>=', '');
exports.refuseOldNode = refuseOldNode;

var refusal = refuseOldNode(exports.needed);
if (refusal) {
  process.stderr.write(refusal + '\n');
  process.exit(1);
}
