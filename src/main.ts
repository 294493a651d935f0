#!/usr/bin/env node
/** The process: argv and environment in, one exit code out. The only file that touches `process`. */
import { readFileSync, statSync } from 'node:fs';
import { main } from './cli/main.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
// A reader that goes away (a closed pipe) ends the program, it does not crash it.
process.stdout.on('error', () => ending.abort());

main({
  argv: process.argv.slice(2),
  env: process.env,
  platform: process.platform,
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
  self: { command: process.execPath, args: process.argv.slice(1, 2) },
  ending: ending.signal,
  watchInput: () => {
    process.stdin.on('end', () => ending.abort());
    process.stdin.on('close', () => ending.abort());
  },
  readFile: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  modeOf: (path) => (process.platform === 'win32' ? undefined : statSync(path).mode & 0o777),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`brokerage-mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 70;
  },
);
