/** One command of the program, from its start to its end. */
import { execFile } from 'node:child_process';
import type { Program } from './build.ts';
import type { Rig } from './harness.ts';

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

const longestMs = 60_000;

export function runCommand({ file }: Program, rig: Rig, ...words: readonly string[]): Promise<Ran> {
  rig.line.processes++;
  return new Promise((resolve) => {
    const options = { env: { ...rig.env }, timeout: longestMs };
    const child = execFile(process.execPath, [file, ...words], options, (_error, output, errors) =>
      resolve({ code: child.exitCode, output: `${output}${errors}` }),
    );
  });
}
