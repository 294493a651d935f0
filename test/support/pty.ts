/** A command in a real terminal, typed into by a test. */
import { spawn, spawnSync } from 'node:child_process';
import { skipTest } from './skip.ts';

/** `script` gives a program a terminal. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

export interface TerminalRun {
  readonly code: number | null;
  /** Everything that the terminal showed. */
  readonly shown: string;
}

/**
 * Runs the built program; each step waits for a text to appear and then types a line. Skips the running test
 * where there are no terminals.
 */
export function inTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly (readonly [awaited: string, typed: string])[] = [],
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
      child.stdin.write(`${step[1]}\r`);
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 50_000);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, shown });
    });
  });
}
