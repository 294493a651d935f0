/** The licences of the packages whose code is in the program: each of them wants its text to come along. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, foldersOf, nameOf, packedInto } from './packages.mjs';

/**
 * @param {string[]} inputs the files that went into the program
 * @returns {Promise<string>} name, version, licence and its text, for each package
 */
export async function licencesOf(inputs) {
  const notices = await Promise.all(
    foldersOf(inputs).map(async (folder) => {
      const packed = await packedInto(inputs.filter((file) => folderOf(file) === folder));
      return [await noticeOf(folder), ...(await Promise.all(packed.map((one) => noticeOfPacked(one, folder))))];
    }),
  );
  return notices.flat().join(`\n${'-'.repeat(80)}\n\n`);
}

async function noticeOf(folder) {
  const { name, version, license } = await readManifest(folder);
  return `${name} ${version} (${license})\n\n${await licenceTextIn(folder)}`;
}

/** Its text is not where the code is; that of the version which is installed here stands for it. */
async function noticeOfPacked({ name, version }, folder) {
  const installed = join('node_modules', name);
  const { license } = await readManifest(installed);
  return `${name} ${version} (${license}), inside ${nameOf(folder)}\n\n${await licenceTextIn(installed)}`;
}

const readManifest = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

async function licenceTextIn(folder) {
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  return file ? readFile(join(folder, file), 'utf8') : 'The package holds no text of it.\n';
}
