/**
 * The files that a container is built from: there is no engine where the tests run, so its first stage is built by
 * hand.
 */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { run } from './run.ts';

/** Lints the Dockerfile, and builds the program only from what .dockerignore admits. */
export async function checkContext(folder: string): Promise<void> {
  await run('npx', ['-y', 'dockerfile-utils@0.16.3', 'lint', 'Dockerfile']);
  const [first, ...kept] = (await readFile('.dockerignore', 'utf8')).trim().split('\n');
  assert.equal(first, '*', 'everything is left out first');
  for (const line of kept) {
    assert.ok(line.startsWith('!'), `.dockerignore: ${line}`);
    await cp(line.slice(1), join(folder, line.slice(1)), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  const [here, there] = await Promise.all(['dist', join(folder, 'dist')].map(readFolder));
  assert.ok(here?.has('brokerage-mcp.cjs'));
  // The same bytes as from the complete repository: no excluded file has an effect.
  assert.deepEqual(there, here, 'the build from the context differs from the build of the repository');
}

/** The text of each file by its path. */
async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(paths.sort().map((path) => readFile(path, 'utf8')));
  return new Map(paths.map((path, index) => [relative(folder, path), texts[index] ?? '']));
}
