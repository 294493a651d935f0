/** A command in a real terminal, typed into by a test. */
import { spawn, spawnSync } from 'node:child_process';

/** `script` gives a program a terminal; where it is missing the tests that need one say so. */
export const hasTerminal = spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;

export interface TerminalRun {
  readonly code: number | null;
  /** Everything that the terminal showed. */
  readonly shown: string;
}

/** Runs the built program; each step waits for a text to appear and then types a line. */
export function inTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly (readonly [awaited: string, typed: string])[] = [],
): Promise<TerminalRun> {
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
    const timer = setTimeout(() => child.kill('SIGKILL'), 25_000);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, shown });
    });
  });
}
