/** What the host files depend on in this machine. */
import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import type { ProcessContext } from '../../core/process/process-context.ts';
import type { Platform } from './host.ts';

/** Returns the platform, the variables and the home folder of the user. */
export function getPlatform({ env, platform }: Pick<ProcessContext, 'env' | 'platform'>): Platform {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, home: home || homedir() };
}

/** Returns a warning when root writes into the home folder of another user; undefined otherwise. */
export function rootWarning({ home }: Platform): string | undefined {
  try {
    // Windows has no user ids; Node returns -1 there.
    if (userInfo().uid !== 0 || statSync(home).uid === 0) return undefined;
  } catch {
    // The user has no entry, or the folder does not exist.
    return undefined;
  }
  return `You are root, but ${home} belongs to another user: new files will belong to root, and that user’s host may be unable to read them. Run this command as that user.`;
}
