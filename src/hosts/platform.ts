/** This machine, as far as it matters for configuration files. */
import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import type { ProcessContext } from '../process/process-context.ts';
import type { Platform } from './host.ts';

export function getPlatform({ env, platform }: Pick<ProcessContext, 'env' | 'platform'>): Platform {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return { platform, env, home: home || homedir() };
}

/** What to say to somebody who writes as root into a folder that is another user's. */
export function rootWarning({ home }: Platform): string | undefined {
  try {
    // Windows has no such numbers and answers -1.
    if (userInfo().uid !== 0 || statSync(home).uid === 0) return undefined;
  } catch {
    return undefined;
  }
  return `You are root, but ${home} belongs to another user: new files will belong to root, and that user’s host may be unable to read them. Run this command as that user.`;
}
