/** What a container would be built from: there is no engine where the tests run, so its first stage is built by hand. */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './run.ts';

/** Lints the Dockerfile, and builds the program from nothing but what .dockerignore lets through. */
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
  assert.deepEqual((await readdir(join(folder, 'dist'))).sort(), ['brokerage-mcp.cjs', 'third-party-licenses.txt']);
  // The same bytes as from the whole repository: nothing that was left out had a say.
  const [here, there] = await Promise.all(
    ['dist', join(folder, 'dist')].map((dist) => readFile(join(dist, 'brokerage-mcp.cjs'))),
  );
  assert.ok(here && there?.equals(here), 'the build from the context differs from the build of the repository');
}
