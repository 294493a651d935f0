/** Whether a server could start with the answers, and what it has to be told because its host does not know it. */
import { readConfig } from '../config.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { configDir as configDirOf } from '../settings/paths.ts';
import type { RuntimeEnvironment } from '../settings/runtime-environment.ts';
import { readStateDir } from '../settings/state-dir.ts';
import { type EntryOptions, passThroughFlags, toVariables } from './entry.ts';
import type { SetupOptions } from './setup-options.ts';

type Flags = Readonly<Record<string, string>>;

/** The choice that the answers make. The same reading of the settings decides as at a start. Throws a UsageError. */
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

/** What a host gives its servers is not what this shell has. */
function withoutShell(terminal: ProcessContext): RuntimeEnvironment {
  const isOfShell = (name: string) =>
    name.startsWith('BROKER_') || ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'].includes(name);
  return { ...terminal, env: Object.fromEntries(Object.entries(terminal.env).filter(([name]) => !isOfShell(name))) };
}

/** What was typed is not in its files yet. */
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
