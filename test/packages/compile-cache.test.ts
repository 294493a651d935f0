/** Where the program lets Node store compiled code: a folder that no other user can write to, or nowhere. */
// @module-tag process
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const told = join(folder, 'told.cjs');
writeFileSync(told, `require('node:module').enableCompileCache = (folder) => console.log(folder);`);

/** The folder that the program passes to Node, if any; it starts in both cases. */
function keptIn(env: Record<string, string>): string | undefined {
  const args = ['--require', told, packageFile.bin['brokerage-mcp'], '--version'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const [version, kept] = stdout.trim().split('\n').reverse();
  expect(version).toBe(packageFile.version);
  return kept;
}

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('the cache is below the cache folder of the user, and closed to others', { tags: ['slow'] }, () => {
  const home = join(folder, 'home');
  const kept = join(home, '.cache', 'brokerage-mcp', 'compiled');
  expect(keptIn({ HOME: home })).toBe(kept);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(keptIn({ HOME: home, XDG_CACHE_HOME: 'relative' })).toBe(kept);
  expect(keptIn({ HOME: home, XDG_CACHE_HOME: join(folder, 'xdg') })).toBe(
    join(folder, 'xdg', 'brokerage-mcp', 'compiled'),
  );
});

test.runIf(isLinux)('a folder that others can write to is not used', { tags: ['slow'] }, () => {
  const kept = join(folder, 'open', '.cache', 'brokerage-mcp', 'compiled');
  mkdirSync(kept, { recursive: true });
  chmodSync(kept, 0o777);
  expect(keptIn({ HOME: join(folder, 'open') })).toBeUndefined();
});

test.runIf(isLinux)('nothing is stored where no folder can be made', { tags: ['slow'] }, () => {
  expect(keptIn({ HOME: '/dev/null' })).toBeUndefined();
});
