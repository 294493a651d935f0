/** Runs a program to its end; on a timeout ends it and its children. */
import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Rejects when it cannot be started or does not end in time. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: true,
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        texts[name] += piece;
      });
    const line = [command, ...args].join(' ').slice(0, 200);
    const kill = () => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    };
    // A stop of the run stops this too.
    process.once('exit', kill);
    const timer = setTimeout(() => {
      kill();
      reject(new Error(`${line} did not end within ${options.timeoutMs / 1000} s.\n${lastLines(texts.stderr)}`));
    }, options.timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${line} cannot be started: ${error.message}`));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('exit', kill);
      resolve({ code: code ?? -1, ...texts });
    });
  });
}

/** The end of its output, where the reason usually is. */
export const lastLines = (text: string, count = 12): string => text.trim().split('\n').slice(-count).join('\n');

/** The reason that npm gives for a failure, without its log and the stack of a socket, which do not help. */
export function reasonOfNpm(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('npm error'));
  return (lines.length > 0 ? lines.filter((line) => !/^npm error\s+at |complete log/.test(line)).slice(0, 5) : [stderr])
    .join('\n')
    .trim();
}

/** So that an unreachable registry is reported within seconds. */
export const npmEnv = { npm_config_fetch_retries: '1', npm_config_update_notifier: 'false' } as const;

/** The result of the work, unless it takes too long. */
export async function within<T>(timeoutMs: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${timeoutMs / 1000} s.`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
