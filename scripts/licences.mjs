/** The licences of the packages whose code is in the bundle: each of them wants its text to come along. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param {string[]} inputs the files that went into the bundle
 * @returns {Promise<string>} name, version, licence and its text, for each package
 */
export async function licencesOf(inputs) {
  const folders = new Set(inputs.map(folderOf).filter((folder) => folder !== undefined));
  const notices = await Promise.all([...folders].sort().map(noticeOf));
  return `${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The last one of a path: a package may bring packages of its own. */
const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0];

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : 'The package holds no text of it.\n';
  return `${name} ${version} (${license})\n\n${text}`;
}
