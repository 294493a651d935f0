import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file of the simulated account between two runs. It is written completely and then renamed, so that a kill
 * leaves either the old or the new account, never a part.
 */
export function createSandboxFile(stateDir: string) {
  const path = join(stateDir, 'sandbox-account.json');
  return {
    load: (): string | undefined => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        // There is no account yet.
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
