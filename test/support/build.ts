import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';

/** Built once for the run: several files start the built program, and none may find it half written. */
export const setup = ({ config }: TestProject): void => {
  const needsProgram = !config.tagsFilter?.includes('!process');
  if (needsProgram) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
};
