/** Paths of the program's own files, per platform. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { isSet, type RuntimeEnvironment } from './runtime-environment.ts';

/** Returns the path of config.json; the file need not exist. */
export const configFile = (outside: RuntimeEnvironment): string => join(configDir(outside), 'config.json');

/** Returns the folder of config.json. */
export function configDir(outside: Pick<RuntimeEnvironment, 'env' | 'platform'>): string {
  const given = outside.env.BROKER_CONFIG_DIR;
  return isSet(given)
    ? resolve(given)
    : platformDir(outside, { xdg: 'XDG_CONFIG_HOME', unix: '.config', windows: 'APPDATA' });
}

export const defaultStateDir = (outside: RuntimeEnvironment) =>
  platformDir(outside, { xdg: 'XDG_STATE_HOME', unix: '.local/state', windows: 'LOCALAPPDATA' });

function platformDir(
  outside: Pick<RuntimeEnvironment, 'env' | 'platform'>,
  names: { xdg: string; unix: string; windows: string },
): string {
  // An empty HOME would create folders below the current folder.
  const home = outside.env.HOME || homedir() || userInfo().homedir;
  if (outside.platform === 'win32') return join(outside.env[names.windows] ?? home, 'brokerage-mcp');
  if (outside.platform === 'darwin') return join(home, 'Library', 'Application Support', 'brokerage-mcp');
  const base = outside.env[names.xdg];
  return join(base && isAbsolute(base) ? base : join(home, names.unix), 'brokerage-mcp');
}
