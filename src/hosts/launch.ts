import { realpathSync } from 'node:fs';
import type { ProcessContext } from '../process/process-context.ts';
import { version } from '../process/version.ts';
import { parseCommand } from '../settings/split-command.ts';

/** The command that a host starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** On Windows npx is a batch file, which some hosts cannot start directly. */
export const npxCommand = (name: string, platform: string): Launch =>
  platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', '-y', name] } : { command: 'npx', args: ['-y', name] };

/**
 * Returns the command that starts this program from any host. For a package it is npx, which finds the package after an
 * update has moved it. For a checkout it is the absolute path of the interpreter and of this file, because a host has
 * neither our current folder nor, often, our PATH.
 */
export function resolveLaunchCommand(
  { self, platform }: Pick<ProcessContext, 'self' | 'platform'>,
  flags: Readonly<Record<string, string>>,
): Launch {
  if (flags.command !== undefined) {
    const [command, ...args] = parseCommand(flags.command, '--command');
    return { command, args };
  }
  const file = followLinks(self.args[0] ?? '');
  const isPinned = flags.pinned === 'true';
  if (!isPinned && !isFromPackage(file)) return { command: self.command, args: [file] };
  return npxCommand(isPinned ? `brokerage-mcp@${version}` : 'brokerage-mcp', platform);
}

/** npx and global installations start the program through a link; npx deletes its links with its cache. */
function followLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

const isFromPackage = (file: string): boolean => /[\\/]node_modules[\\/]brokerage-mcp[\\/]/.test(file);
