import { execFileSync } from 'node:child_process';

/** Once for the whole run: several files start the built program, and none may meet it half written. */
export const setup = (): void => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
};
