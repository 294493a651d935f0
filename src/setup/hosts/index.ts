/** The known hosts, and their files on this machine. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import { didYouMean } from '../../core/text/suggestions.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { getPathModule, type HostDefinition, type Platform } from './host.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** The known hosts, in the order in which they are offered. */
export const hosts: readonly HostDefinition[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  windsurf,
  zed,
  codex,
  geminiCli,
];

/** The name of this server's entry in every host. */
export const entryName = 'brokerage';

/**
 * Returns the hosts of a comma-separated list, or all given ones for `all`. Throws a UsageError that suggests the
 * nearest name.
 */
export function findHosts(list: string, all: readonly HostDefinition[]): readonly HostDefinition[] {
  if (list === 'all') return all;
  return list.split(',').map((word) => {
    const id = word.trim();
    const found = hosts.find((host) => host.id === id || host.aliases?.includes(id));
    if (found) return found;
    throw new UsageError(
      `--client has the unknown host "${id}"; ${didYouMean(
        id,
        hosts.map((host) => host.id),
      )}.`,
    );
  });
}

/** Returns the file that the host reads on this machine. */
export function getHostPath(host: HostDefinition, place: Platform): string {
  const files = host.files(place);
  return files.find((file) => existsSync(getPathModule(place).dirname(file))) ?? (files.at(-1) as string);
}

/** Whether the host's own file or one of its folders exists: Claude Code can have its file and no folder. */
export function isInstalled(host: HostDefinition, place: Platform): boolean {
  const file = getHostPath(host, place);
  const folders = host.folders?.(place) ?? [getPathModule(place).dirname(file)];
  return [file, ...folders].some((path) => existsSync(path));
}
