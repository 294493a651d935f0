import { execFile } from 'node:child_process';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import { configFolder, type DoctorContext, type Finding, fault, note, ok, warning } from './context.ts';
import { findGitRoot, readHostFiles } from './host-checks.ts';
import { listKeyFiles } from './known-secrets.ts';

const replaceKey =
  'create a new key in the broker’s application and delete the old one there (git keeps committed content)';
const intoFile = (variable: string) =>
  variable === 'BROKER_HTTP_TOKEN'
    ? 'Remove it from the file, provide it to the server in another way, then create a new one.'
    : `Write it into a file that only you can read (chmod 600), and set ${variable}_FILE to its path instead.`;

/**
 * Checks whether a key is exposed: in a file that git tracks, or in plain text in a host's file. Never shows values.
 */
export async function checkSecrets(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  let looked = 0;
  const tracked = new Set<string>();
  for (const top of await workTrees(context)) {
    const paths = await listTracked(top, context.terminal.env, signal);
    if (!paths) {
      found.push(
        note(
          `${top} is a git work tree, but git cannot list its tracked files.`,
          'Install git, or run doctor as the owner of the folder, to have tracked files searched for keys.',
        ),
      );
      continue;
    }
    const { isComplete, files } = await readTracked(top, paths, signal, ({ path, text }) => {
      const full = join(top, path);
      const at = (line: number) => `${full}, line ${line}`;
      for (const { line } of findKnown(text, context.secrets).slice(0, 1)) {
        tracked.add(full);
        found.push(
          fault(
            `A file tracked by git contains a key that is in use: ${at(line)}.`,
            `Remove it from the file, and ${replaceKey}.`,
          ),
        );
      }
      if (tracked.has(full) || !isConfiguration(path)) return;
      for (const { line, variable = '' } of findAssignments(text).slice(0, 1)) {
        tracked.add(full);
        found.push(
          warning(
            `A file tracked by git contains ${variable} in plain text: ${at(line)}.`,
            `Remove it from the file, and if it is a real key or secret, ${replaceKey}.`,
          ),
        );
      }
    });
    looked += files;
    if (!isComplete)
      found.push(
        note(
          `${top} is too large to search completely: ${files} of ${paths.length} tracked files were read.`,
          'Search the rest yourself: git grep -n BROKER_API',
        ),
      );
  }
  found.push(...(await inHostFiles(context, tracked)));
  return found.length > 0 ? found : [ok(`No key in plain text in ${looked} tracked files or in a host’s file.`)];
}

async function inHostFiles(
  { terminal, folder, secrets }: DoctorContext,
  tracked: ReadonlySet<string>,
): Promise<Finding[]> {
  const files = await readHostFiles(terminal, folder);
  return files
    .filter(({ path }) => !tracked.has(path))
    .flatMap(({ host, path, text }) => {
      const [first] = [...findAssignments(text), ...findKnown(text, secrets)];
      if (!first) return [];
      const variable = first.variable ?? 'BROKER_API_KEY';
      return [
        warning(
          `${host} keeps ${first.variable ?? 'a key'} in plain text: ${path}, line ${first.line}.`,
          intoFile(variable),
        ),
      ];
    });
}

/**
 * Returns the real work trees of the current folder, the state, the configuration and the key files, without
 * duplicates.
 */
async function workTrees(context: DoctorContext): Promise<readonly string[]> {
  const files = [context.configFile, ...listKeyFiles(context.flags, context.terminal)];
  const folders = (await Promise.all(files.map(real))).map((file) => dirname(file));
  const starts = [context.folder, configFolder(context), context.stateDir, ...folders];
  const tops: string[] = [];
  for (const start of starts) {
    const top = await findGitRoot(await real(start));
    if (top !== undefined && !tops.includes(top)) tops.push(top);
  }
  return tops;
}

const real = (path: string) => realpath(path).catch(orIfRefused(path));

/** Finds keys in a text: known values, and any plain value assigned to one of our variables. */

interface PlainSecret {
  readonly line: number;
  /** The variable it is assigned to; undefined when a value in use was found. */
  readonly variable: string | undefined;
}

const assigned = /\b(BROKER_(?:API_KEY|API_SECRET|HTTP_TOKEN))["']?\s*[:=]\s*["']?([^\s"',;}\]]+)/g;

/** Whether a value is a placeholder of an example or of another program. */
const isPlaceholder = (value: string) =>
  value.length < 8 || /^[$<{%]|your|example|xxx|\.\.\.|…|change-?me|placeholder|secret-?here/i.test(value);

/** Minimum length: shorter values would match ordinary text. */
const minSecretLength = 8;

/** Returns every known value in the text, with its position. */
export const findKnown = (text: string, secrets: readonly string[]): PlainSecret[] =>
  secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => {
      const at = text.indexOf(secret);
      return at < 0 ? [] : [{ line: lineAt(text, at), variable: undefined }];
    });

/** Returns every plain value assigned to one of our variables, with its position. */
export const findAssignments = (text: string): PlainSecret[] =>
  [...text.matchAll(assigned)]
    .filter(([, , value = '']) => !isPlaceholder(value))
    .map((match) => ({ line: lineAt(text, match.index), variable: match[1] }));

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length;

// Lists and reads the files that git tracks, with bounds on their number and size.

const maxFiles = 5_000;
/** Larger files are data that no person typed. */
const maxFileBytes = 1024 * 1024;
const maxBytes = 48 * 1024 * 1024;
const maxListedFiles = 32 * 1024 * 1024;

interface TrackedText {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether the path is a configuration file: keys are often placed there, and a value follows the name of its variable.
 */
const isConfiguration = (path: string): boolean =>
  /(^|\/)Dockerfile|\.env(rc|\.[^/]*)?$|\.(json|jsonc|toml|ya?ml|ini|conf|cfg|properties|sh|ps1)$/i.test(path);

/**
 * Returns their paths, configuration first. Undefined when git is missing or refuses the folder (one of another user).
 * Runs nothing that the repository configures.
 */
function listTracked(
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
async function readTracked(
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
