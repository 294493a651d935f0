/** The package as npm would publish it: what is in it, and what must not be. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { run } from './run.ts';

const expected = [
  'LICENSE',
  'README.md',
  'dist/brokerage-mcp.cjs',
  'dist/third-party-licenses.txt',
  'mcp.json.example',
  'package.json',
];

/** Packs into a folder and answers the path of the tarball. */
export async function pack(folder: string): Promise<string> {
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', folder]));
  return join(folder, packed.filename);
}

/** Nothing but what `files` says, with every licence, and without a trace of the machine that packed it. */
export async function checkTarball(tarball: string, folder: string): Promise<string> {
  const listed = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  assert.deepEqual(listed.map((path) => path.replace(/^package\//, '')).sort(), expected);
  await run('tar', ['-xzf', tarball, '-C', folder]);
  for (const path of expected) {
    const text = await readFile(join(folder, 'package', path), 'utf8');
    for (const part of [text, ...unpackedParts(path, text)])
      for (const place of [process.cwd(), homedir()])
        assert.ok(!mentions(part, place), `${path} mentions ${place}, a place of this machine`);
  }
  return `${listed.length} files`;
}

/** The bundle holds its parts compressed, where no search would find a path. */
function unpackedParts(path: string, text: string): string[] {
  if (!path.endsWith('.cjs')) return [];
  const parts = [...text.matchAll(/^\w+: '([A-Za-z0-9+/=]+)',$/gm)].map(([, packed = '']) =>
    brotliDecompressSync(Buffer.from(packed, 'base64')).toString(),
  );
  assert.equal(parts.length, 3, 'the bundle is not of three parts');
  return parts;
}

/** As a path of its own: `/root` is not in `/rooted`. */
const mentions = (text: string, place: string): boolean =>
  text
    .split(place)
    .slice(1)
    .some((rest) => !/^[\w-]/.test(rest));
