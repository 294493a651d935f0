/** A command of the program in this process, which costs a fraction of a start. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { main } from '../../src/cli/dispatch.ts';
import type { ProcessContext } from '../../src/core/process/process-context.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A terminal with the files of this machine, an empty standard input and no variables, except for `parts`. */
export const testTerminal = (parts: Partial<ProcessContext> = {}): ProcessContext => ({
  argv: [],
  env: {},
  platform: process.platform,
  print: () => undefined,
  warn: () => undefined,
  screens: { output: { isTerminal: false, columns: 80 }, errors: { isTerminal: false, columns: 80 } },
  zone: () => 'UTC',
  self: { command: process.execPath, args: [resolve('dist/brokerage-mcp.cjs')] },
  machine: { node: process.versions.node, arch: process.arch, uid: process.geteuid?.() },
  shutdownSignal: new AbortController().signal,
  processes: { pid: process.pid, getStartTime: () => 'running', pidNamespace: '' },
  watchInput: () => undefined,
  exitSoon: () => undefined,
  forceExitOnNextSignal: () => undefined,
  memoryBytes: () => 0,
  isInspected: () => false,
  input: () => Readable.from([]),
  readFile: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  getFileMode: (path) => statSync(path).mode & 0o777,
  ...parts,
});

/** Runs a command to its end. Its lines end as those of the built program do. */
export async function runCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  parts: Partial<ProcessContext> = {},
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const code = await main(
    testTerminal({
      argv,
      env,
      print: (line) => {
        written.stdout += `${line}\n`;
      },
      warn: (line) => {
        written.stderr += `${line}\n`;
      },
      ...parts,
    }),
  );
  return { code, ...written };
}
