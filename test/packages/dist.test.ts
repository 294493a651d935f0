/** The build output is readable: plain files that name their sources, and a list of everything in them. */
// @module-tag process
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const files = readdirSync('dist', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const scripts = files.filter(({ path }) => /\.[cm]?js$/.test(path));
const lock: Record<string, { version: string; license: string; integrity: string }> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages;

/** The packages that the comments above the sections name. */
const bundled = new Set(
  scripts.flatMap(({ text }) =>
    [...text.matchAll(/^ *\/\/ (node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm)].map(([, name = '']) => name),
  ),
);

/** A binary of WebAssembly in undici, twice, as undici publishes it. */
const isData = (line: string): boolean => /^ *var wasmBase64 = "[A-Za-z0-9+/=]+";$/.test(line);

test('no line is longer than 2,000 characters, except the two of data in undici', () => {
  const long = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => line.length > 2_000)
      .map((line) => [path, isData(line) ? 'data' : line.slice(0, 80)]),
  );
  expect(long).toEqual([
    ['dist/undici.cjs', 'data'],
    ['dist/undici.cjs', 'data'],
  ]);
});

test('none of our code unpacks or compiles code at run time', () => {
  const own = scripts.flatMap(({ path, text }) =>
    text.split(/^(?=\/\/ (?:src|node_modules)\/)/m).map((section) => ({ path, section })),
  );
  const wrong = own
    .filter(({ section }) => !section.startsWith('// node_modules/'))
    .filter(({ section }) => /["']node:vm["']|compileFunction|new Function\(|\beval\(/.test(section));
  expect(wrong.map(({ path, section }) => `${path}: ${section.split('\n')[0]}`)).toEqual([]);
  // Bodies of responses are inflated, and nothing else.
  const inflating = own.filter(({ section }) => /brotliDecompress|inflate(Raw)?(Sync)?\(|gunzip/.test(section));
  const ofOurs = inflating.filter(({ section }) => section.startsWith('// src/'));
  expect(ofOurs.map(({ section }) => section.split('\n')[0])).toEqual(['// src/core/broker/transport/send-request.ts']);
});

/** The files that one loads before its first line of its own is run. */
function loadedAtOnce(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join('dist', name), 'utf8');
  for (const [, other = ''] of text.matchAll(/^var \w+ = require\("\.\/([\w-]+\.cjs)"\);$/gm))
    loadedAtOnce(other, found);
  return found;
}

test('a start over stdio loads no endpoint, no tool, no order path and no figure', () => {
  const loaded = [...loadedAtOnce('main.cjs'), ...loadedAtOnce('serve.cjs')];
  expect(loaded).toEqual(expect.arrayContaining(['main.cjs', 'serve.cjs', 'shared.cjs']));
  const sources = loaded.flatMap((name) =>
    [...readFileSync(join('dist', name), 'utf8').matchAll(/^ *\/\/ (src\/\S+\.\w+)$/gm)].map(
      ([, source = '']) => source,
    ),
  );
  // What these hold is data: names and defaults of settings, the form of an exact number, whether orders are halted.
  const data = [
    'src/core/endpoints/decimal.ts',
    'src/core/endpoints/endpoint.ts',
    'src/core/orders/halt/store-change.ts',
    'src/core/orders/intent/approval-methods.ts',
    'src/core/orders/intent/risk-limits.ts',
    'src/features/reports/export-files.ts',
  ];
  const late =
    /^src\/(core\/(endpoints|tools|orders|approval|instruments)|features\/(?!guides\/|documents\/format-names))/;
  expect([...new Set(sources.filter((source) => late.test(source)))].sort()).toEqual(data);
});

test.each(scripts)('$path names the sources that it was made from', ({ path, text }) => {
  const banner = /^(?:#!.*\n)?\/\*\n([\s\S]*?) \*\/\n/.exec(text)?.[1] ?? '';
  expect(banner).toContain(`${packageFile.name} ${packageFile.version}: ${path.slice('dist/'.length)}`);
  const words = banner.replace(/\n \*\s+/g, ' ');
  const sources = [...text.matchAll(/^ *\/\/ ((?:src|node_modules)\/\S+\.\w+)$/gm)].map(([, source = '']) => source);
  for (const source of new Set(sources)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    if (name) expect(words).toContain(`package ${name} ${lock[`node_modules/${name}`]?.version} (`);
    else expect(words).toMatch(new RegExp(`- ${source.replace(/\/[^/]+$/, '')}: [^:]*\\b${source.split('/').pop()}`));
  }
});

test('names are kept, and each part is a file', () => {
  const textOf = (name: string) => files.find(({ path }) => path === `dist/${name}`)?.text;
  expect(textOf('serve.cjs')).toContain('var serveCommand = async');
  for (const name of ['main', 'serve', 'http', 'oauth', 'tools', 'skills', 'commands', 'simulator', 'undici', 'pg'])
    expect(textOf(`${name}.cjs`), name).toBeDefined();
});

test('the licences of the bundled packages are included', () => {
  const licences = readFileSync('dist/third-party-licenses.txt', 'utf8');
  for (const folder of bundled) {
    const name = folder.slice('node_modules/'.length);
    expect(licences).toContain(`${name} ${lock[folder]?.version} (${lock[folder]?.license})\n`);
  }
});

describe('the SBOM', () => {
  const text = readFileSync('dist/sbom.cdx.json', 'utf8');
  const { components, dependencies, metadata, ...rest } = JSON.parse(text);

  interface Component {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
    readonly purl: string;
    readonly scope?: string;
    readonly licenses?: unknown;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly components?: readonly Component[];
  }
  const all = components as readonly Component[];
  const named = new Map(all.map((one) => [one.group ? `${one.group}/${one.name}` : one.name, one]));

  test('is CycloneDX 1.6 of this package', () => {
    expect(rest).toEqual({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
    });
    expect(metadata.component).toMatchObject({
      type: 'application',
      purl: `pkg:npm/${packageFile.name}@${packageFile.version}`,
    });
  });

  test('lists each package whose code is in the program, with version, licence, purl and checksum', () => {
    expect(bundled.size).toBeGreaterThan(10);
    for (const folder of bundled) {
      const name = folder.slice('node_modules/'.length);
      const { version, license, integrity } = lock[folder] ?? { version: '', license: '', integrity: '' };
      expect(named.get(name), name).toMatchObject({
        version,
        scope: 'required',
        licenses: [{ license: { id: license } }],
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
      });
    }
  });

  test('lists the packages that npm installs beside it as optional, and no others', () => {
    const beside = ['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build'];
    expect([...named].filter(([, { scope }]) => scope === 'optional').map(([name]) => name)).toEqual(beside);
    expect([...named.keys()].sort()).toEqual(
      [...[...bundled].map((folder) => folder.slice('node_modules/'.length)), ...beside].sort(),
    );
  });

  test('lists the packages that the SDK bundles', () => {
    const held = named.get('@modelcontextprotocol/server')?.components?.map(({ name }) => name);
    expect(held).toEqual(expect.arrayContaining(['ajv', 'ajv-formats', 'fast-uri', 'content-type']));
    for (const one of named.get('@modelcontextprotocol/server')?.components ?? [])
      expect(one.licenses, one.name).toBeDefined();
  });

  test('names in its dependencies only listed packages, each of them once', () => {
    const refs = [metadata.component['bom-ref'], ...all.map((one) => (one as { 'bom-ref'?: string })['bom-ref'])];
    expect(dependencies.map(({ ref }: { ref: string }) => ref).sort()).toEqual(refs.sort());
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  });
});

describe('two builds', () => {
  const before = new Map(files.map(({ path, text }) => [path, text]));

  test('give the same bytes', { tags: ['slow'] }, () => {
    const bundle = new URL('../../scripts/bundle.mjs', import.meta.url).href;
    const sbom = new URL('../../scripts/sbom.mjs', import.meta.url).href;
    const script = `const { bundleProgram } = await import('${bundle}');
const { sbomOf } = await import('${sbom}');
const { files, inputs } = await bundleProgram();
files.set('sbom.cdx.json', await sbomOf(inputs));
process.stdout.write(JSON.stringify([...files]));`;
    const again = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const [name, text] of JSON.parse(again)) expect(before.get(`dist/${name}`) === text, name).toBe(true);
  });
});
