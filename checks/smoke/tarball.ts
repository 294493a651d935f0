/** The package as npm would publish it: what it contains, and what it must not. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

/** Beside dist, which holds what the build wrote. */
const expected = ['LICENSE', 'README.md', 'mcp.json.example', 'package.json'];

/** Packs into a folder and returns the path of the tarball. */
export async function pack(folder: string): Promise<string> {
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder]));
  return join(folder, packed.filename);
}

/** Only what `files` lists, with every licence, and without a trace of the machine that packed it. */
export async function checkTarball(tarball: string, folder: string): Promise<string> {
  const listed = (await run('tar', ['-tzf', tarball]))
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const isBuilt = (path: string) => path.startsWith('dist/');
  assert.deepEqual(listed.filter((path) => !isBuilt(path)).sort(), expected);
  assert.deepEqual(listed.filter(isBuilt).sort(), (await filesBelow('dist')).sort());
  await run('tar', ['-xzf', tarball, '-C', folder]);
  const manifest = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8'));
  assert.deepEqual(
    Object.keys(manifest).filter((name) => /^(scripts|devDependencies|overrides)$/.test(name)),
    [],
  );
  for (const path of listed) {
    const text = await readFile(join(folder, 'package', path), 'utf8');
    for (const place of [process.cwd(), homedir()])
      assert.ok(!mentions(text, place), `${path} mentions ${place}, a place of this machine`);
  }
  return `${listed.length} files`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** As a path of its own: `/root` is not in `/rooted`. */
const mentions = (text: string, place: string): boolean =>
  text
    .split(place)
    .slice(1)
    .some((rest) => !/^[\w-]/.test(rest));
