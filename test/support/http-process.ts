/** The built program as a service: a real process that serves MCP over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished as endWithTest, expect, vi } from 'vitest';
import { token } from './http.ts';

export interface Ran {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** All of its output. */
  output(): string;
}

/** Starts the program, and ends it after the test. */
export const runProgram = (env: Readonly<Record<string, string>>, ...flags: string[]): Ran =>
  run(env, flags, endWithTest);

type AtEnd = (end: () => Promise<void>) => void;

function run(env: Readonly<Record<string, string>>, flags: readonly string[], atEnd: AtEnd): Ran {
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
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, output: () => output };
}

export async function startHttpProcess(
  env: Readonly<Record<string, string>>,
  address = '127.0.0.1:0',
  atEnd: AtEnd = endWithTest,
): Promise<Ran & { readonly url: URL }> {
  const running = run({ BROKER_HTTP_TOKEN: token, ...env }, ['--http', address], atEnd);
  // As expect.poll, which only a test may use.
  await vi.waitFor(() => expect(running.output()).toMatch(/serving MCP.*\/mcp\n/), { timeout: 60_000 });
  return { ...running, url: new URL(/http:\S+/.exec(running.output())?.[0] ?? '') };
}
