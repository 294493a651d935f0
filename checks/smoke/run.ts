/** Programs by other authors, each with a time limit, and temporary folders. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const longestMs = 180_000;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Its standard output. Throws with the end of its standard error when it fails. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  try {
    const { stdout } = await execute(command, [...args], {
      cwd: options.cwd,
      env: options.env ?? cleanEnv(),
      timeout: longestMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new Error(`${command} ${args.slice(0, 3).join(' ')}: ${(stderr || message).trim().slice(-1_500)}`);
  }
}

/**
 * Without the variables in which `npm run` describes its own folder, and without settings of ours: neither may reach an
 * empty folder. The settings of the registry stay.
 */
const cleanEnv = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(BROKER_|npm_(?!config_(registry|userconfig|globalconfig|cafile|\w*proxy)$))/.test(name),
    ),
  );

/** An empty folder outside of the repository, removed after the work. */
export async function inEmptyFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-smoke-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const startedAt = performance.now();
  const result = await work();
  return { seconds: (performance.now() - startedAt) / 1000, result };
}
