/**
 * What the package holds and needs, as CycloneDX 1.6: every package whose code is in the program, what those
 * packages hold of others, and the optional packages that npm installs beside it. It is made from
 * package-lock.json and the files of the build, without a time or a random number, so the same sources give the same bytes.
 */

import { packageFile } from './package-file.mjs';
import { folderOf, foldersOf, nameOf, packedInto, readLock } from './packages.mjs';
import { printJson } from './print-json.mjs';

/**
 * @param {string[]} inputs the files that went into the program
 * @returns {Promise<string>}
 */
export async function sbomOf(inputs) {
  const lock = await readLock();
  const bundled = foldersOf(inputs);
  const beside = withTheirNeeds(Object.keys(packageFile.optionalDependencies), lock);
  const components = await Promise.all([
    ...bundled.map(async (folder) => {
      const packed = await packedInto(inputs.filter((file) => folderOf(file) === folder));
      return {
        ...componentOf(folder, lock),
        scope: 'required',
        ...(packed[0] && { components: packed.map((one) => packedComponent(one, folder, lock)) }),
      };
    }),
    ...beside
      .filter((folder) => !bundled.includes(folder))
      .map((folder) => ({ ...componentOf(folder, lock), scope: 'optional' })),
  ]);
  const folders = [...new Set([...bundled, ...beside])];
  const own = {
    ...describe(packageFile.name, packageFile.version, packageFile.license),
    description: packageFile.description,
  };
  const direct = Object.keys({ ...lock[''].devDependencies, ...lock[''].optionalDependencies }).map(
    (name) => `node_modules/${name}`,
  );
  return `${printJson({
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...own, type: 'application' } },
    components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [
      {
        ref: own.purl,
        dependsOn: folders.filter((folder) => direct.includes(folder)).map((folder) => refOf(folder, lock)),
      },
      ...folders.map((folder) => ({
        ref: refOf(folder, lock),
        dependsOn: needsOf(folder, lock)
          .filter((need) => folders.includes(need))
          .map((need) => refOf(need, lock)),
      })),
    ]
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  })}\n`;
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
const refOf = (folder, lock) => purlOf(nameOf(folder), lock[folder].version);

const describe = (name, version, license) => {
  const [last, scope] = name.split('/').reverse();
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    ...(scope && { group: scope }),
    name: last,
    version,
    ...(license && { licenses: [{ license: { id: license } }] }),
    purl: purlOf(name, version),
  };
};

function componentOf(folder, lock) {
  const { version, license, integrity } = lock[folder];
  const [, digest] = /^sha512-(.+)$/.exec(integrity) ?? [];
  const hashes = [{ alg: 'SHA-512', content: Buffer.from(digest ?? '', 'base64').toString('hex') }];
  return { ...describe(nameOf(folder), version, license), ...(digest && { hashes }) };
}

/** The lock knows it by another version at most, whose licence is the same. */
function packedComponent({ name, version }, folder, lock) {
  const component = describe(name, version, lock[`node_modules/${name}`]?.license);
  return { ...component, 'bom-ref': `${refOf(folder, lock)}#${component.purl}` };
}

/** The folders that a package's dependencies are taken from: its own first. */
function needsOf(folder, lock) {
  const { dependencies, optionalDependencies } = lock[folder];
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => [`${folder}/node_modules/${name}`, `node_modules/${name}`].find((place) => place in lock))
    .filter((place) => place !== undefined);
}

function withTheirNeeds(names, lock) {
  const found = new Set();
  const add = (folder) => {
    if (found.has(folder)) return;
    found.add(folder);
    for (const need of needsOf(folder, lock)) add(need);
  };
  for (const name of names) add(`node_modules/${name}`);
  return [...found];
}
