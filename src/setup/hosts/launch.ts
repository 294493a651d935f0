import { realpathSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import { isPublished, version } from '../../core/process/version.ts';
import { parseCommand } from '../../core/settings/secrets.ts';

/** The command that a host starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts exactly this version by its name. On Windows npx is a batch file, which some hosts cannot start directly. */
function createPackageLaunch(platform: string): Launch {
  const args = ['npx', '-y', `brokerage-mcp@${version}`];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', ...args] } : { command: 'npx', args: args.slice(1) };
}

/** How a document writes an entry: by the name of the published package, or by a place that the reader fills in. */
export const exampleLaunch: Launch = isPublished
  ? createPackageLaunch('any')
  : { command: 'node', args: ['/path/to/brokerage-mcp/dist/brokerage-mcp.cjs'] };

/**
 * Returns the command that starts this program from any host: the absolute path of the interpreter and of this file,
 * because a host has neither our current folder nor, often, our PATH. For an installed package that is published, it is
 * npx with this version, which finds the package after an update has moved it. Throws a UsageError for a program in the
 * cache of npx, which npm deletes.
 */
export function resolveLaunchCommand(
  { self, platform }: Pick<ProcessContext, 'self' | 'platform'>,
  flags: Readonly<Record<string, string>>,
  published = isPublished,
): Launch {
  if (flags.command !== undefined) {
    const [command, ...args] = parseCommand(flags.command, '--command');
    return { command, args };
  }
  const file = followLinks(self.args[0] ?? '');
  if (published && isFromPackage(file)) return createPackageLaunch(platform);
  if (/[\\/]_npx[\\/]/.test(file))
    throw new UsageError('this program is in the cache of npx, from which npm deletes it', {
      next: 'install it (npm install --global FILE.tgz), and run init again.',
    });
  return { command: self.command, args: [file] };
}

/** npx and global installations start the program through a link; npx deletes its links with its cache. */
function followLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file is no link, or does not exist.
    return file;
  }
}

const isFromPackage = (file: string): boolean => /[\\/]node_modules[\\/]brokerage-mcp[\\/]/.test(file);

// Links that add the sandbox to a host with one click; the single source for every document that shows them. They name
// the published package, so a document shows them only once it is published.

const name = 'brokerage';
const { command, args } = createPackageLaunch('any');
const config = { command, args: [...args, '--env', 'sandbox'] };

/** VS Code expects one object that includes the name. */
export const vscodeLink = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config }))}`;

/** Sites that allow only https links, such as GitHub for a README, need the redirect by Microsoft. */
export const vscodeWebLink = `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${encodeURIComponent(JSON.stringify(config))}`;

/** Cursor expects the value that its file would have under the name, as base64. */
const cursorQuery = `name=${name}&config=${encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))}`;
export const cursorLink = `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery}`;
export const cursorWebLink = `https://cursor.com/en/install-mcp?${cursorQuery}`;
