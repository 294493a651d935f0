import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';
import { configFolder, type DoctorContext } from './context.ts';
import { type Finding, fault, note, ok, warning } from './finding.ts';
import { isConfiguration, listTracked, readTracked } from './git-tracked-files.ts';
import { findGitRoot, readHostFiles } from './host-files.ts';
import { listKeyFiles } from './known-secrets.ts';
import { findAssignments, findKnown } from './secret-scan.ts';

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
