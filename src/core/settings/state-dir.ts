import { resolve } from 'node:path';
import { loadSettings } from './load-settings.ts';
import { defaultStateDir } from './paths.ts';
import type { RuntimeEnvironment } from './runtime-environment.ts';
import { settings } from './setting-definitions.ts';
import { isSet, type Values } from './values.ts';

/** Returns the state folder as an absolute path. */
export const stateDirIn = (values: Values, outside: RuntimeEnvironment): string =>
  resolve(values.stateDir?.text ?? defaultStateDir(outside));

/** Returns the state folder even if another setting is invalid, for commands that must work then too. */
export function readStateDir(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): string {
  try {
    return stateDirIn(loadSettings(flags, outside), outside);
  } catch {
    // Another setting is invalid; the command reports that itself.
    const { stateDir } = settings;
    const variable = outside.env[stateDir.variable];
    return resolve(flags[stateDir.flag] ?? (isSet(variable) ? variable : defaultStateDir(outside)));
  }
}
