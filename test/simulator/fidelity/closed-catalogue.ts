import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

type Catalogue = typeof import('../../../src/core/endpoints/index.ts');

/**
 * The endpoints of src/core/endpoints, built on closed-fields.ts. It is bundled apart, because all files of a worker share
 * their modules.
 */
export async function loadClosedEndpoints(): Promise<Catalogue['endpoints']> {
  const fields = fileURLToPath(new URL('./closed-fields.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: ['src/core/endpoints/index.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    plugins: [
      { name: 'closed', setup: (plugin) => plugin.onResolve({ filter: /\/fields\.ts$/ }, () => ({ path: fields })) },
    ],
  });
  const folder = 'node_modules/.build';
  await mkdir(folder, { recursive: true });
  const file = join(folder, `closed-catalogue-${process.pid}.mjs`);
  await writeFile(file, outputFiles[0]?.text ?? '');
  try {
    return ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as Catalogue).endpoints;
  } finally {
    await rm(file, { force: true });
  }
}
