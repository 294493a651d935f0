import { resolve } from 'node:path';
import { loadSettings } from './load-settings.ts';
import { defaultStateDir } from './paths.ts';
import type { RuntimeEnvironment } from './runtime-environment.ts';
import { settings } from './setting-definitions.ts';
import { isSet, type Values } from './values.ts';

/** The folder for what the program keeps. */
export const stateDirIn = (values: Values, outside: RuntimeEnvironment): string =>
  resolve(values.stateDir?.text ?? defaultStateDir(outside));

/** The state folder alone: for what must work although another setting is wrong. */
export function readStateDir(flags: Readonly<Record<string, string>>, outside: RuntimeEnvironment): string {
  try {
    return stateDirIn(loadSettings(flags, outside), outside);
  } catch {
    const { stateDir } = settings;
    const variable = outside.env[stateDir.variable];
    return resolve(flags[stateDir.flag] ?? (isSet(variable) ? variable : defaultStateDir(outside)));
  }
}
