/** The comment at the top of each file of the program: which sources it was made from. */
import { basename, dirname } from 'node:path';
import { packageFile } from './package-file.mjs';
import { folderOf, nameOf } from './packages.mjs';

const width = 118;

/**
 * @param {string} name of the file
 * @param {string[]} sources files of the repository and of packages
 * @param {Awaited<ReturnType<typeof import('./packages.mjs').readLock>>} lock
 */
export function bannerOf(name, sources, lock) {
  const own = sources.filter((source) => folderOf(source) === undefined);
  const folders = group(own, dirname, basename);
  const packages = group(
    sources.filter((source) => !own.includes(source)),
    folderOf,
    basename,
  );
  const lines = [
    `${packageFile.name} ${packageFile.version}: ${name}, made by scripts/build.mjs from these sources.`,
    ...[...folders].map(([folder, files]) => `- ${folder}: ${files.sort().join(', ')}`),
    ...[...packages].map(
      ([folder, files]) =>
        `- package ${nameOf(folder)} ${lock[folder].version} (${lock[folder].license}): ${files.length} of its files`,
    ),
    ...(name !== 'brokerage-mcp.cjs' ? ['A comment above each section names the source file that it comes from.'] : []),
  ];
  return `/*\n${lines
    .flatMap(wrap)
    .map((line) => ` * ${line}\n`)
    .join('')} */\n`;
}

function group(files, keyOf, nameOf) {
  const groups = new Map();
  for (const file of files) groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), nameOf(file)]);
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wrap(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length < width) lines.splice(-1, 1, line === '' ? word : `${line} ${word}`);
    else lines.push(`  ${word}`);
  }
  return lines;
}
