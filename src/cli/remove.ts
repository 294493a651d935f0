import { existsSync } from 'node:fs';
import { UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { confirm, openTty, type Tty } from '../core/process/terminal.ts';
import { readStateDir } from '../core/settings/load-settings.ts';
import { configDir as configDirOf } from '../core/settings/paths.ts';
import { configFile, deleteStoredKeys, removeIfEmpty, storedKeys } from '../setup/hosts/config-file.ts';
import { HostFileError, listBackups } from '../setup/hosts/files.ts';
import { getPlatform, type HostDefinition, type Platform, rootWarning } from '../setup/hosts/host.ts';
import { findHosts, hosts } from '../setup/hosts/hosts.ts';
import { applyPlan, type HostPlan, isChange, planLines, planToRemove } from '../setup/hosts/plan.ts';
import type { Command } from './command.ts';

/** Removes only our entry from hosts. Account data that the program keeps stays. */
export const removeCommand: Command = async ({ words, flags }, terminal) => {
  if (words.length > 0)
    throw new UsageError(`remove takes no arguments, but got "${words[0]}"; name hosts with --client.`);
  const place = getPlatform(terminal);
  const chosen = findHosts(flags.client ?? 'all', hosts);
  const tty = flags.yes === 'true' ? undefined : openTty(terminal);
  if (!tty && flags.yes !== 'true')
    throw new UsageError('remove needs a terminal to ask before it writes; in a script: remove --yes --client HOST');
  const say = tty ? tty.say : terminal.print;
  try {
    const warning = rootWarning(place);
    if (warning !== undefined) terminal.warn(`brokerage-mcp: ${warning}`);
    return await run({ chosen, place, terminal, tty, say, forgets: flags.forget === 'true' });
  } finally {
    tty?.close();
  }
};

async function run({
  chosen,
  place,
  terminal,
  tty,
  say,
  forgets,
}: {
  readonly chosen: readonly HostDefinition[];
  readonly place: Platform;
  readonly terminal: ProcessContext;
  readonly tty: Tty | undefined;
  readonly say: (line: string) => void;
  readonly forgets: boolean;
}): Promise<number> {
  const configDir = configDirOf(terminal);
  // Read first, because the settings that may name it are removed below.
  const stateDir = readStateDir({}, terminal);
  const all = hosts.map((host) => planToRemove(host, place, configDir));
  const plans = all.filter(({ host }) => chosen.includes(host));
  const toDo = plans.filter(isChange);
  const faults = plans.filter(({ work }) => work instanceof HostFileError);
  for (const plan of [...toDo, ...faults]) for (const line of planLines(plan)) say(line);
  if (toDo.length === 0) say('No entry to remove was found.');
  else if (tty && !(await confirm(tty, 'Remove this? Type yes: '))) {
    say('Nothing was changed.');
    return 1;
  }
  const failed = toDo.filter((plan) => !carriedOut(plan, configDir, terminal, say));

  const remaining = listRemaining(all, toDo, failed);
  if (remaining.length === 0) await forgetOwn(configDir, tty, say, forgets);
  else if (forgets)
    say(
      `Keys and settings were kept, because they are still used by: ${remaining.map(({ host }) => host.name).join(', ')}.`,
    );
  const backups = [...all.map(({ path }) => path), configFile(configDir)].flatMap(listBackups);
  if (backups.length > 0) {
    say('These backups of files as they were before stay; delete them when you no longer need them:');
    for (const path of backups) say(`  ${path}`);
  }
  say(`The program’s data, including its journal of orders, stays in ${stateDir}`);
  return failed.length > 0 || faults.length > 0 ? 1 : 0;
}

/** The plans whose entry is still there: it was not to be removed, or could not be. Its host may use the keys. */
export const listRemaining = (
  all: readonly HostPlan[],
  toDo: readonly HostPlan[],
  failed: readonly HostPlan[],
): readonly HostPlan[] => all.filter((plan) => isChange(plan) && (!toDo.includes(plan) || failed.includes(plan)));

function carriedOut(plan: HostPlan, configDir: string, terminal: ProcessContext, say: (line: string) => void): boolean {
  try {
    const backup = applyPlan(plan, configDir, new Date());
    say(`${plan.host.name}: removed${backup === undefined ? '' : `; backup: ${backup}`}`);
    return true;
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    terminal.warn(`brokerage-mcp: ${error.message} ${error.next}`);
    return false;
  }
}

async function forgetOwn(
  configDir: string,
  tty: Tty | undefined,
  say: (line: string) => void,
  forgets: boolean,
): Promise<void> {
  const keys = (['demo', 'live'] as const).flatMap((name) => Object.values(storedKeys(configDir, name)).slice(1));
  const groups = [
    ['The stored keys', keys],
    ['The settings, including all limits', [configFile(configDir)]],
  ] as const;
  for (const [what, paths] of groups) {
    const there = paths.filter((path) => existsSync(path));
    if (there.length === 0) continue;
    say(`${what}: ${there.join(', ')}`);
    const mayGo = tty ? await confirm(tty, 'Delete? Type yes: ') : forgets;
    if (mayGo) for (const path of there) deleteStoredKeys(path);
    say(mayGo ? 'Deleted.' : `Kept${tty ? '' : '; --forget deletes it'}.`);
  }
  removeIfEmpty(configDir);
}
