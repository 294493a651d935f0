import { resolve } from 'node:path';
import { collectSettings } from './load-settings.ts';
import { defaultStateDir } from './paths.ts';
import type { Surroundings } from './runtime-environment.ts';
import { settings } from './setting-definitions.ts';
import { isGiven, type Values } from './values.ts';

/** The folder for what the program keeps. */
export const stateDirIn = (values: Values, outside: Surroundings): string =>
  resolve(values.stateDir?.text ?? defaultStateDir(outside));

/** The state folder alone: for what must work although another setting is wrong. */
export function readStateDir(flags: Readonly<Record<string, string>>, outside: Surroundings): string {
  try {
    return stateDirIn(collectSettings(flags, outside), outside);
  } catch {
    const { stateDir } = settings;
    const variable = outside.env[stateDir.variable];
    return resolve(flags[stateDir.flag] ?? (isGiven(variable) ? variable : defaultStateDir(outside)));
  }
}
