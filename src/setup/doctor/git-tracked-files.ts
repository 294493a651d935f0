/** Lists and reads the files that git tracks, with bounds on their number and size. */
import { execFile } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';

const maxFiles = 5_000;
/** Larger files are data that no person typed. */
const maxFileBytes = 1024 * 1024;
const maxBytes = 48 * 1024 * 1024;
const maxListedFiles = 32 * 1024 * 1024;

export interface TrackedText {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether the path is a configuration file: keys are often placed there, and a value follows the name of its variable.
 */
export const isConfiguration = (path: string): boolean =>
  /(^|\/)Dockerfile|\.env(rc|\.[^/]*)?$|\.(json|jsonc|toml|ya?ml|ini|conf|cfg|properties|sh|ps1)$/i.test(path);

/**
 * Returns their paths, configuration first. Undefined when git is missing or refuses the folder (one of another user).
 * Runs nothing that the repository configures.
 */
export function listTracked(
  top: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  // Git variables of a hook would select another repository, and git does not need ours.
  const own = Object.entries(env).filter(([name]) => !name.startsWith('BROKER_') && !name.startsWith('GIT_'));
  const args = ['-c', 'core.fsmonitor=false', '-C', top, 'ls-files', '-z', '--cached'];
  const options = {
    env: { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    maxBuffer: maxListedFiles,
    timeout: 3_000,
    signal,
  };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      if (error) return resolve(undefined);
      const paths = stdout.split('\0').filter((path) => path !== '');
      resolve([...paths.filter(isConfiguration), ...paths.filter((path) => !isConfiguration(path))]);
    });
  });
}

/** Reads the files in sequence; `isComplete` is false when a bound was reached. */
export async function readTracked(
  top: string,
  paths: readonly string[],
  signal: AbortSignal,
  look: (file: TrackedText) => void,
): Promise<{ readonly isComplete: boolean; readonly files: number }> {
  let bytes = 0;
  let files = 0;
  for (const path of paths.slice(0, maxFiles)) {
    if (signal.aborted || bytes > maxBytes) return { isComplete: false, files };
    const full = join(top, path);
    const info = await lstat(full).catch(orIfRefused(undefined));
    // Reads regular files only: reading a pipe would block.
    if (!info?.isFile() || info.size > maxFileBytes) continue;
    const text = await readFile(full, 'utf8').catch(orIfRefused(undefined));
    if (text === undefined) continue;
    bytes += info.size;
    files++;
    look({ path, text });
  }
  return { isComplete: paths.length <= maxFiles, files };
}
