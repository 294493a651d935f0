import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the simulated account lives between two starts. Written whole and renamed, so that a kill in
 * the middle leaves the account before or after, never half of it.
 */
export function createSandboxFile(stateDir: string) {
  const path = join(stateDir, 'sandbox-account.json');
  return {
    load: (): string | undefined => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    save: (state: string): void => {
      mkdirSync(stateDir, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, state, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
