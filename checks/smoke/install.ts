/** How long a new user waits: everything is fetched, nothing is cached. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inEmptyFolder, run, timed } from './run.ts';

/** Installs the tarball into an empty folder with an empty cache; returns the seconds. */
export async function installCold(tarball: string, folder: string, flags: readonly string[] = []): Promise<number> {
  await mkdir(folder, { recursive: true });
  const cache = join(folder, '.cold-cache');
  const { seconds } = await timed(() =>
    run('npm', ['install', '--prefix', folder, '--cache', cache, '--no-audit', '--no-fund', ...flags, tarball], {
      cwd: folder,
    }),
  );
  return seconds;
}

/** Where npm has put the program. */
export const programIn = (folder: string): string =>
  join(folder, 'node_modules', 'brokerage-mcp', 'dist', 'brokerage-mcp.cjs');

/** The packages that were installed with it, scopes with their name. */
export async function packagesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'node_modules'));
  return names.filter((name) => !name.startsWith('.')).sort();
}

/**
 * The one command of the README without an account, in an empty folder with an empty cache; returns the seconds to its
 * result.
 */
export const timeFirstAnswer = (tarball: string): Promise<number> =>
  inEmptyFolder(async (folder) => {
    const home = join(folder, 'home');
    await mkdir(home);
    // A path from the root would be taken for the command itself.
    await copyFile(tarball, join(folder, basename(tarball)));
    const flags = ['--cache', join(folder, 'cache'), '-y', `./${basename(tarball)}`];
    const { seconds, result } = await timed(() =>
      run('npx', [...flags, 'call', 'get_account_summary', '{}', '--state-dir', home], { cwd: folder }),
    );
    assert.equal(JSON.parse(result).simulated, true);
    return seconds;
  });
