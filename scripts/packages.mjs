/** The packages that files come from, by package-lock.json, which says the same on every machine. */
import { readFile } from 'node:fs/promises';

/**
 * @typedef {{ version: string, license: string, integrity: string, resolved?: string,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry
 * @returns {Promise<Record<string, LockEntry>>} by the folder of each package; '' is this one
 */
export const readLock = async () => JSON.parse(await readFile('package-lock.json', 'utf8')).packages;

/** The folder of the package that a file is in: the last one of a path, as a package may bring packages of its own. */
export const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

export const nameOf = (folder) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The folders of the packages that files come from, in order. */
export const foldersOf = (files) => [...new Set(files.map(folderOf).filter((folder) => folder !== undefined))].sort();

/**
 * What others have written into the files of a package when they made it: the comments that their bundler left
 * name each by folder and version.
 * @param {string[]} files
 * @returns {Promise<{ name: string, version: string }[]>}
 */
export async function packedInto(files) {
  const found = new Map();
  for (const text of await Promise.all(files.map((file) => readFile(file, 'utf8'))))
    for (const [, folder, version] of text.matchAll(/^\/\/#region .*\/\.pnpm\/([^/\s]+?)@(\d[^/_\s]*)[^/\s]*\//gm))
      found.set(`${folder} ${version}`, { name: folder.replace('+', '/'), version });
  return [...found.keys()].sort().map((key) => found.get(key));
}
