/** The built program as a service: a real process that serves MCP over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { token } from './http.ts';

export interface Ran {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** All that it has written. */
  output(): string;
}

/** Starts the program, and ends it after the test. */
export function runProgram(env: Readonly<Record<string, string>>, ...flags: string[]): Ran {
  const home = env.BROKER_STATE_DIR ?? '/nowhere';
  const child = spawn(process.execPath, ['dist/brokerage-mcp.cjs', ...flags], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    // A service has no standard input.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, output: () => output };
}

export async function startHttpProcess(
  env: Readonly<Record<string, string>>,
  address = '127.0.0.1:0',
): Promise<Ran & { readonly url: URL }> {
  const running = runProgram({ BROKER_HTTP_TOKEN: token, ...env }, '--http', address);
  await expect.poll(running.output).toMatch(/serving MCP.*\/mcp\n/);
  return { ...running, url: new URL(/http:\S+/.exec(running.output())?.[0] ?? '') };
}
