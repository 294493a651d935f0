/** Written into the start of the program (scripts/start-file.mjs), so ES5, and each function by itself. */
'use strict';

/**
 * Lets Node (22.8 or newer) keep what it has compiled, so that the next start need not compile it again. The
 * folder is this user's alone: who can write into it decides what runs, and Node's own choice is below the
 * folder for temporary files, which all users share. Without such a folder nothing is kept.
 */
function keepCompiledCode() {
  var enable = require('node:module').enableCompileCache;
  if (!enable) return;
  var path = require('node:path');
  var fs = require('node:fs');
  var env = process.env;
  var home = env.HOME || require('node:os').homedir();
  var base = env.XDG_CACHE_HOME;
  if (process.platform === 'win32') base = env.LOCALAPPDATA || home;
  else if (process.platform === 'darwin') base = path.join(home, 'Library', 'Caches');
  else if (!base || !path.isAbsolute(base)) base = path.join(home, '.cache');
  if (!path.isAbsolute(base)) return;
  var folder = path.join(base, 'brokerage-mcp', 'compiled');
  var found;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 448 });
    found = fs.statSync(folder);
  } catch (_) {
    // A home that cannot be written: the start takes a little longer.
    return;
  }
  if (!process.geteuid || (found.uid === process.geteuid() && (found.mode & 18) === 0)) enable(folder);
}

exports.keepCompiledCode = keepCompiledCode;
