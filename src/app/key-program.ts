/** Runs a program that prints a key, and ends it with everything that it started and that keeps its output open. */
import { type ChildProcess, spawn } from 'node:child_process';
import { kill, platform } from 'node:process';
import type { CommandLine } from '../core/settings/split-command.ts';

/** A password manager may ask the user first. Two programs together fit into the 50 seconds of a call. */
const timeoutMs = 20_000;
/** After its end, what the program printed last may still be on its way (ms). */
const drainMs = 200;
const maxSecretBytes = 4096;

/** What the program printed; or why that is not known, as the end of a sentence. */
export type Printed = { readonly output: Buffer } | { readonly fault: string };

/**
 * Runs it without a shell and without a terminal. Waits for its end and not for that of its children: one that keeps the
 * output open would hold the call. The caller overwrites the output.
 */
export function runProgram([program, ...args]: CommandLine): Promise<Printed> {
  const child = spawn(program, args, {
    // A group of its own, which ends with all of its processes. Windows has none.
    detached: platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (printed: Printed) => {
      clearTimeout(timer);
      clearTimeout(draining);
      child.stdout.destroy();
      for (const chunk of chunks) chunk.fill(0);
      resolve(printed);
    };
    const stop = (fault: string) => {
      endGroup(child);
      finish({ fault });
    };
    const complete = (code: number | null) => {
      if (code !== 0) return finish({ fault: code === null ? 'was ended by a signal' : `ended with code ${code}` });
      finish({ output: Buffer.concat(chunks) });
    };
    const timer = setTimeout(() => stop(`did not finish in ${timeoutMs / 1000} seconds`), timeoutMs);
    let draining: NodeJS.Timeout | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxSecretBytes) stop('printed more text than a key can have');
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish({ fault: error.code === 'ENOENT' ? 'was not found' : 'could not be run' }),
    );
    child.on('exit', (code) => {
      draining = setTimeout(() => {
        endGroup(child);
        complete(code);
      }, drainMs);
    });
    child.on('close', complete);
  });
}

function endGroup(child: ChildProcess): void {
  child.kill('SIGKILL');
  if (child.pid === undefined || platform === 'win32') return;
  try {
    kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
