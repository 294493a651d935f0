import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const sources = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** The build writes it last. */
const lastWritten = 'dist/sbom.cdx.json';

/** When a file below these paths last changed (ms); a removed file changes its folder. */
function findNewestChange(paths: readonly string[]): number {
  const times = paths.map((path) => {
    const found = statSync(path);
    const inside = found.isDirectory() ? findNewestChange(readdirSync(path).map((name) => join(path, name))) : 0;
    return Math.max(found.mtimeMs, inside);
  });
  return Math.max(...times);
}

const isBuilt = () => (statSync(lastWritten, { throwIfNoEntry: false })?.mtimeMs ?? 0) > findNewestChange(sources);

/** Built once for the run, if anything changed: several files start the program, and none may find it half written. */
export const setup = ({ config }: TestProject): void => {
  const needsProgram = !config.tagsFilter?.includes('!process');
  if (needsProgram && !isBuilt()) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
};
