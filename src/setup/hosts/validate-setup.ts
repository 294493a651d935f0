/**
 * Checks whether a server could start with the choices, and which settings its entry must contain because the host does
 * not know them.
 */

import type { ProcessContext } from '../../core/process/process-context.ts';
import { readConfig } from '../../core/settings/config.ts';
import { configDir as configDirOf } from '../../core/settings/paths.ts';
import type { RuntimeEnvironment } from '../../core/settings/runtime-environment.ts';
import { readStateDir } from '../../core/settings/state-dir.ts';
import { type EntryOptions, passThroughFlags, toVariables } from './entry.ts';
import type { SetupOptions } from './setup-options.ts';

type Flags = Readonly<Record<string, string>>;

/** Returns the entry for the choices. Validates the settings with the code that a start uses. Throws a UsageError. */
export function validateSetup(answers: SetupOptions, flags: Flags, terminal: ProcessContext): EntryOptions {
  const atHost = withoutShell(terminal);
  const configDir = configDirOf(terminal);
  const isMoved = configDirOf(atHost) !== configDir;
  const outside = isMoved ? { ...atHost, env: { ...atHost.env, BROKER_CONFIG_DIR: configDir } } : atHost;
  const stateDir = readStateDir(flags, terminal);
  const handed = Object.entries(flags).filter(
    ([name]) => passThroughFlags.some((one) => one === name) && name !== 'state-dir',
  );
  if (stateDir !== readStateDir({}, outside)) handed.push(['state-dir', stateDir]);
  const choice: EntryOptions = {
    ...answers,
    configDir: isMoved ? configDir : undefined,
    flags: Object.fromEntries(handed),
  };
  tryStart(choice, answers, outside);
  return choice;
}

/** Removes this shell's variables, because a host starts its servers without them. */
function withoutShell(terminal: ProcessContext): RuntimeEnvironment {
  const isOfShell = (name: string) =>
    name.startsWith('BROKER_') || ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'].includes(name);
  return { ...terminal, env: Object.fromEntries(Object.entries(terminal.env).filter(([name]) => !isOfShell(name))) };
}

/** Uses typed keys directly, because they are not in their files yet. */
function tryStart(choice: EntryOptions, { keys, typed }: SetupOptions, outside: RuntimeEnvironment): void {
  const notYet = new Map<string, string>(
    typed && keys?.kind === 'files'
      ? [
          [keys.key, typed.key],
          ...(keys.secret === undefined || typed.secret === undefined ? [] : [[keys.secret, typed.secret] as const]),
        ]
      : [],
  );
  readConfig(
    { ...choice.flags, env: choice.environment },
    {
      ...outside,
      env: { ...outside.env, ...toVariables(choice) },
      readFile: (path) => notYet.get(path) ?? outside.readFile(path),
      getFileMode: (path) => (notYet.has(path) ? 0o600 : outside.getFileMode(path)),
    },
  );
}
