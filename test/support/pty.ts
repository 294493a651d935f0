/** A command in a real terminal, typed into by a test. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { skipTest } from './skip.ts';

/** `script` gives a program a terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

export interface TerminalRun {
  readonly code: number | null;
  /** Everything that the terminal showed. */
  readonly shown: string;
}

/**
 * Runs the built program; each step waits for a text to appear and then types a line, or does something before it
 * types. Skips the running test where there are no terminals.
 */
export function inTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly (readonly [awaited: string, typed: string | (() => Promise<string>)])[] = [],
): Promise<TerminalRun> {
  if (!hasTerminal) skipTest('no "script" on this machine gives a terminal');
  const command = [process.execPath, 'dist/brokerage-mcp.cjs', ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    let shown = '';
    let seenUntil = 0;
    let next = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      const step = steps[next];
      const at = step ? shown.indexOf(step[0], seenUntil) : -1;
      if (!step || at < 0) return;
      seenUntil = at + step[0].length;
      next++;
      const [, typed] = step;
      void Promise.resolve(typeof typed === 'string' ? typed : typed()).then((line) => child.stdin.write(`${line}\r`));
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 50_000);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, shown });
    });
  });
}

/**
 * Runs the built program, closes its terminal when a text appears, and waits until the program has ended. Skips the
 * running test where there are no terminals.
 */
export async function closeTerminalAt(
  awaited: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  endedFile: string,
): Promise<void> {
  if (!hasTerminal) skipTest('no "script" on this machine gives a terminal');
  const command = [process.execPath, 'dist/brokerage-mcp.cjs', ...args].map((word) => `'${word}'`).join(' ');
  // The shell outlives its terminal, to say when the program has ended.
  const child = spawn('script', ['-qec', `trap '' HUP; ${command}; echo ended >'${endedFile}'`, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve) => {
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.includes(awaited)) child.kill('SIGKILL');
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 50_000);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  for (let tries = 0; tries < 200 && !existsSync(endedFile); tries++) await pause(100);
}
