/** A command of the program. */
import { execFile } from 'node:child_process';
import type { Program } from './build.ts';
import type { Rig } from './harness.ts';

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

const longestMs = 60_000;

export interface Running {
  readonly ended: Promise<Ran>;
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

export function startCommand({ file }: Program, rig: Rig, ...words: readonly string[]): Running {
  rig.line.processes++;
  const options = { env: { ...rig.env }, timeout: longestMs };
  let tell: (ran: Ran) => void;
  const ended = new Promise<Ran>((resolve) => {
    tell = resolve;
  });
  const child = execFile(process.execPath, [file, ...words], options, (_error, output, errors) =>
    tell({ code: child.exitCode, output: `${output}${errors}` }),
  );
  return { ended, signal: (name) => void child.kill(name) };
}

export const runCommand = (program: Program, rig: Rig, ...words: readonly string[]): Promise<Ran> =>
  startCommand(program, rig, ...words).ended;
