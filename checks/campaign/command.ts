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
  kill(): void;
}

export function startCommand({ file }: Program, rig: Rig, ...words: readonly string[]): Running {
  rig.line.processes++;
  let kill = (): void => undefined;
  const ended = new Promise<Ran>((resolve) => {
    const options = { env: { ...rig.env }, timeout: longestMs };
    const child = execFile(process.execPath, [file, ...words], options, (_error, output, errors) =>
      resolve({ code: child.exitCode, output: `${output}${errors}` }),
    );
    kill = () => void child.kill('SIGKILL');
  });
  return { ended, kill: () => kill() };
}

export const runCommand = (program: Program, rig: Rig, ...words: readonly string[]): Promise<Ran> =>
  startCommand(program, rig, ...words).ended;
