import { realpathSync } from 'node:fs';
import type { ProcessContext } from '../process/process-context.ts';
import { version } from '../process/version.ts';
import { parseCommand } from '../settings/split-command.ts';

/** What a host starts. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Windows has npx as a batch file, which not every host can start. */
export const npxCommand = (name: string, platform: string): Launch =>
  platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', '-y', name] } : { command: 'npx', args: ['-y', name] };

/**
 * What starts this program wherever a host runs it. From a package it is npx, which finds it again after an
 * update has moved it; from a checkout the absolute paths of this interpreter and this file, because a host
 * has neither our folder nor, often, our PATH.
 */
export function resolveLaunchCommand(
  { self, platform }: Pick<ProcessContext, 'self' | 'platform'>,
  flags: Readonly<Record<string, string>>,
): Launch {
  if (flags.command !== undefined) {
    const [command, ...args] = parseCommand(flags.command, '--command');
    return { command, args };
  }
  const [file = ''] = self.args;
  const isPinned = flags.pinned === 'true';
  if (!isPinned && !isFromPackage(file)) return { command: self.command, args: self.args };
  return npxCommand(isPinned ? `brokerage-mcp@${version}` : 'brokerage-mcp', platform);
}

function isFromPackage(file: string): boolean {
  try {
    // npx and global installations start it through a link.
    return /[\\/]node_modules[\\/]brokerage-mcp[\\/]/.test(realpathSync(file));
  } catch {
    return false;
  }
}
